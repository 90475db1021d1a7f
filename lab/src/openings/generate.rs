//! One opening.

use super::games::{Contest, Trials, stands};
use super::options::OpeningOptions;
use super::searcher::{Balancer, Judge};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Outcome, PlayError, Rule, Violation, winning_run};
use tengen_core::types::{Color, Point, Size};
use tengen_engine::engine::Setup;
use tengen_files::work::Stop;

/// The attempts after which an opening is given up.
pub(super) const MOST_ATTEMPTS: u32 = 2000;
/// The draws of random stones for one attempt: it is cheap and nearly always works.
const DRAWS: u32 = 100;
/// The factor by which two balancing stones need more nodes than one: there are so many more pairs
/// that with less the first iteration would not be finished.
const PAIR_NODES: u64 = 6;

/// An opening and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeOpening {
    /// Its number, counted from 0.
    pub index: u64,
    /// The attempt that made it, counted from 0.
    pub attempt: u32,
    /// The stones, alternating in colour, black first.
    pub stones: Vec<Point>,
    /// How it and the candidates before it fared in games, if games choose and this run has made it.
    pub trials: Trials,
}

/// The reason why stones are not opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningFlaw {
    /// A stone can't be placed.
    #[error("{0}")]
    Play(PlayError),
    /// A player has five stones in a row.
    #[error("{0} has won")]
    Won(Color),
    /// The game is drawn.
    #[error("nobody can win")]
    Draw,
    /// A black stone stands where renju forbids it.
    #[error("{0} is forbidden to black: {1}")]
    Forbidden(Point, Violation),
    /// A player could win with the next stone, whichever side is to move.
    #[error("{0} could win on {1}")]
    AboutToWin(Color, Point),
}

/// Checks by the plain rules that stones, alternating in colour, black first, can be an opening:
/// they can be placed one after the other without ending the game, and nobody has four of a five.
///
/// # Errors
///
/// Returns what is wrong with them.
pub fn check_opening(rule: Rule, size: Size, stones: &[Point]) -> Result<(), OpeningFlaw> {
    let mut game = Game::new(size, rule);
    for &stone in stones {
        match game.play(stone).map_err(OpeningFlaw::Play)? {
            Outcome::Ongoing => {}
            Outcome::Won(run) => return Err(OpeningFlaw::Won(run.color)),
            Outcome::Draw => return Err(OpeningFlaw::Draw),
            Outcome::Forbidden(point, kind) => return Err(OpeningFlaw::Forbidden(point, kind)),
        }
    }
    let board = game.board();
    for point in board.size().points().filter(|&point| board.is_empty(point)) {
        for color in Color::ALL {
            if winning_run(board, point, color, rule).is_some() {
                return Err(OpeningFlaw::AboutToWin(color, point));
            }
        }
    }
    Ok(())
}

/// Makes opening number `index`, beginning with an attempt; earlier ones are known to fail or to
/// give an opening that another number has.
///
/// Returns `None` if no attempt is left, or if `stop` is set before one of them.
pub(super) fn make<S: Balancer + Judge + Contest>(
    options: &OpeningOptions,
    searcher: &mut S,
    index: u64,
    first_attempt: u32,
    stop: &Stop,
) -> Option<MadeOpening> {
    let mut trials = Trials::default();
    for attempt in first_attempt..MOST_ATTEMPTS {
        if stop.is_set() {
            return None;
        }
        let mut rng = stream(options, index, attempt);
        let stones = random_stones(options, &mut rng);
        let Some(stones) = stones.and_then(|stones| balance(options, searcher, &stones)) else {
            continue;
        };
        let is_kept = match &options.by_games {
            None => true,
            Some(terms) => stands(terms, options.seed, &stones, searcher, &mut trials, stop)?,
        };
        if is_kept {
            return Some(MadeOpening { index, attempt, stones, trials });
        }
    }
    None
}

/// Returns the random numbers of an attempt, which are independent of those of any other and under
/// any other rule.
fn stream(options: &OpeningOptions, index: u64, attempt: u32) -> SplitMix64 {
    let parts = [options.rule as u64, index, u64::from(attempt)];
    SplitMix64::new(
        parts.iter().fold(options.seed, |seed, part| SplitMix64::new(seed).next_u64() ^ part),
    )
}

/// Draws stones until they can be an opening.
fn random_stones(options: &OpeningOptions, rng: &mut SplitMix64) -> Option<Vec<Point>> {
    (0..DRAWS)
        .map(|_| draw(options, rng))
        .find(|stones| check_opening(options.rule, options.size, stones).is_ok())
}

/// Draws different cells of a box somewhere on the board.
fn draw(options: &OpeningOptions, rng: &mut SplitMix64) -> Vec<Point> {
    let OpeningOptions { size, stones, area, margin, .. } = *options;
    let count = usize::from(stones.least) + rng.below(usize::from(stones.most - stones.least) + 1);
    let mut corner = |edge: u8| {
        let places = usize::from(edge.saturating_sub(2 * margin + area)) + 1;
        usize::from(margin) + rng.below(places)
    };
    let (left, top) = (corner(size.width()), corner(size.height()));
    let edge = usize::from(area);
    let mut cells: Vec<Point> = (0..edge * edge)
        .filter_map(|i| size.point((left + i % edge) as i64, (top + i / edge) as i64))
        .collect();
    let count = count.min(cells.len());
    for i in 0..count {
        let chosen = i + rng.below(cells.len() - i);
        cells.swap(i, chosen);
    }
    cells.truncate(count);
    cells
}

/// Adds the stones that even the chances out, or returns `None` if they do not.
fn balance<S: Balancer + Judge>(
    options: &OpeningOptions,
    searcher: &mut S,
    stones: &[Point],
) -> Option<Vec<Point>> {
    let setup = |stones: &[Point]| Setup {
        size: options.size,
        rule: options.rule,
        stones: stones.iter().enumerate().map(|(i, &p)| (p, Color::to_move_after(i))).collect(),
        walls: Vec::new(),
        to_move: Color::to_move_after(stones.len()),
    };
    for &count in options.balancing.counts() {
        let nodes = options.nodes.saturating_mul(if count == 1 { 1 } else { PAIR_NODES });
        let Some(found) = searcher.balance(&setup(stones), count, nodes) else { continue };
        if !options.is_balanced(found.score) || found.moves.len() != count {
            continue;
        }
        let opening = [stones, &found.moves].concat();
        check_opening(options.rule, options.size, &opening).ok()?;
        // Where the longer search is of another mind the position is so sharp that other random
        // stones are a better bet than two more.
        let score = searcher.judge(&setup(&opening), options.check_nodes)?;
        return options.is_balanced(score).then_some(opening);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::canonical::canonical;
    use crate::openings::double::ScriptedBalancer;
    use crate::openings::games::ByGames;
    use crate::openings::options::{Balancing, StoneCount};
    use crate::stats::PlayerResult;
    use std::collections::HashSet;
    use tengen_core::notation::{Moves, parse_moves};

    fn options(rule: Rule, edge: i64) -> OpeningOptions {
        OpeningOptions::new(rule, Size::square(edge).unwrap())
    }

    fn made(options: &OpeningOptions, index: u64) -> MadeOpening {
        make(options, &mut ScriptedBalancer::default(), index, 0, &Stop::new()).unwrap()
    }

    fn fault(rule: Rule, text: &str) -> Option<OpeningFlaw> {
        let size = Size::square(15).unwrap();
        check_opening(rule, size, &parse_moves(text, size).unwrap()).err()
    }

    #[test]
    fn fives_and_fours_and_forbidden_stones_are_no_openings() {
        let size = Size::square(15).unwrap();
        let point = |x, y| size.point(x, y).unwrap();
        for rule in Rule::ALL {
            assert_eq!(fault(rule, "h8i9j8i7"), None, "{rule}");
            // Four with one empty cell left to win on; then the five itself.
            let four = OpeningFlaw::AboutToWin(Color::Black, point(4, 7));
            assert_eq!(fault(rule, "f8a1g8c1h8e1i8"), Some(four), "{rule}");
            let won = Some(OpeningFlaw::Won(Color::Black));
            assert_eq!(fault(rule, "f8a1g8c1h8e1i8g1j8"), won, "{rule}");
        }
        // Four whites with a gap, whichever side is to move.
        let four = OpeningFlaw::AboutToWin(Color::White, point(7, 7));
        assert_eq!(fault(Rule::Renju, "a1f8c1g8e1i8g1j8"), Some(four));
        // Two open threes on h8.
        let forbidden = OpeningFlaw::Forbidden(size.center(), Violation::DoubleThree);
        let double_three = "g8a1i8c1h7a15h9c15h8";
        assert_eq!(fault(Rule::Renju, double_three), Some(forbidden));
        assert_eq!(fault(Rule::Standard, double_three), None);
        // A six in the making is no win in standard, so it may stand.
        let six = "f8a1g8c1h8e1j8g1k8";
        assert_eq!(fault(Rule::Standard, six), None);
        let five = OpeningFlaw::AboutToWin(Color::Black, point(8, 7));
        assert_eq!(fault(Rule::Freestyle, six), Some(five));
        let again = check_opening(Rule::Caro, size, &[size.center(); 2]);
        assert_eq!(again, Err(OpeningFlaw::Play(PlayError::Occupied(size.center()))));
    }

    #[test]
    fn openings_keep_to_the_rules_and_options() {
        for rule in Rule::ALL {
            for edge in [9, 15, 20] {
                let options = options(rule, edge);
                for index in 0..20 {
                    let stones = made(&options, index).stones;
                    assert_eq!(check_opening(rule, options.size, &stones), Ok(()));
                    let least = usize::from(options.stones.least) + 1;
                    let most = usize::from(options.stones.most) + 2;
                    assert!((least..=most).contains(&stones.len()), "{rule} {}", Moves(&stones));
                }
            }
        }
    }

    #[test]
    fn random_stones_stand_in_a_box_away_from_the_edge() {
        let mut options = options(Rule::Freestyle, 15);
        (options.area, options.margin) = (4, 3);
        let mut rng = SplitMix64::new(5);
        let (mut counts, mut columns) = (HashSet::new(), HashSet::new());
        for _ in 0..500 {
            let stones = draw(&options, &mut rng);
            assert!(stones.iter().all(|&p| options.size.edge_distance(p) >= 3));
            assert!(stones.iter().all(|p| stones.iter().all(|q| p.distance(*q) < 4)));
            assert_eq!(stones.iter().collect::<HashSet<_>>().len(), stones.len());
            counts.insert(stones.len());
            columns.extend(stones.iter().map(|p| p.x()));
        }
        assert_eq!(counts, (3..=6).collect());
        assert_eq!(columns, (3..12).collect());
    }

    #[test]
    fn a_box_as_large_as_the_board_is_allowed() {
        let mut options = options(Rule::Freestyle, 5);
        options.stones = StoneCount { least: 12, most: 12 };
        assert_eq!(options.check(), Ok(()));
        assert_eq!(draw(&options, &mut SplitMix64::new(0)).len(), 12);
    }

    #[test]
    fn the_number_of_an_opening_and_every_option_decide_it_alone() {
        let usual = options(Rule::Standard, 15);
        let first = made(&usual, 7);
        let mut searcher = ScriptedBalancer::default();
        // Whatever was made before by the same searcher.
        for index in [3, 9, 7] {
            let again = make(&usual, &mut searcher, index, 0, &Stop::new()).unwrap();
            assert_eq!(again == first, index == 7);
        }
        let other = OpeningOptions { seed: 1, ..usual };
        assert_ne!(made(&other, 7).stones, first.stones);
        let forms: HashSet<_> =
            (0..200).map(|i| canonical(usual.size, &made(&usual, i).stones)).collect();
        assert!(forms.len() > 195, "{} different ones of 200", forms.len());
    }

    #[test]
    fn a_later_first_attempt_leads_to_another_opening() {
        let options = options(Rule::Standard, 15);
        let first = made(&options, 0);
        let from = first.attempt + 1;
        let second =
            make(&options, &mut ScriptedBalancer::default(), 0, from, &Stop::new()).unwrap();
        assert!(second.attempt >= from && second.stones != first.stones);
        let same = make(&options, &mut ScriptedBalancer::default(), 0, first.attempt, &Stop::new());
        assert_eq!(same, Some(first));
    }

    #[test]
    fn the_numbers_of_balancing_stones_are_as_wanted() {
        let mut options = options(Rule::Freestyle, 15);
        options.stones = StoneCount { least: 4, most: 4 };
        let lengths = |options: &OpeningOptions| -> HashSet<usize> {
            (0..60).map(|i| made(options, i).stones.len()).collect()
        };
        assert_eq!(lengths(&options), HashSet::from([5, 6]));
        options.balancing = Balancing::One;
        assert_eq!(lengths(&options), HashSet::from([5]));
        options.balancing = Balancing::Two;
        assert_eq!(lengths(&options), HashSet::from([6]));
    }

    #[test]
    fn both_searches_must_find_the_opening_balanced() {
        let mut options = options(Rule::Freestyle, 15);
        options.window = 10;
        let mut searcher = ScriptedBalancer::default();
        for index in 0..30 {
            make(&options, &mut searcher, index, 0, &Stop::new()).unwrap();
            assert!(searcher.last_score.unwrap().raw().abs() <= 10);
        }
        assert!(searcher.balances > 300 && searcher.judged < searcher.balances, "{searcher:?}");
        assert_eq!(searcher.nodes_judged, searcher.judged * options.check_nodes);
    }

    #[test]
    fn games_choose_among_balanced_openings_and_are_counted() {
        let terms = ByGames { games: 6, ..ByGames::new(6) };
        let plain = options(Rule::Standard, 15);
        let chosen = OpeningOptions { by_games: Some(terms), ..plain };
        let mut searcher = ScriptedBalancer::default();
        let (mut later, mut rejected) = (0, 0);
        for index in 0..30 {
            let before = searcher.games.len();
            let made = make(&chosen, &mut searcher, index, 0, &Stop::new()).unwrap();
            let games = &searcher.games[before..];
            let [few, many] = made.trials.0;
            assert_eq!((few.games + many.games) as usize, games.len());
            assert_eq!(
                (few.passed, many.passed),
                (few.tried() - few.black - few.white - few.drawn, 1)
            );
            assert_eq!(many.tried(), few.passed);
            // Of what was kept each colour has won two of six games at each strength.
            for strength in [false, true] {
                let of = |wanted: PlayerResult| {
                    let own = games.iter().filter(|(stones, nodes, result)| {
                        *stones == made.stones && (*nodes > 5000) == strength && *result == wanted
                    });
                    own.count()
                };
                assert!(of(PlayerResult::Win) >= 2 && of(PlayerResult::Loss) >= 2);
            }
            later += u32::from(made.attempt > make_plain(&plain, index).attempt);
            rejected += few.tried() - few.passed + many.tried() - many.passed;
        }
        assert!(later > 10 && rejected > 30, "{later} {rejected}");
    }

    fn make_plain(options: &OpeningOptions, index: u64) -> MadeOpening {
        let made = made(options, index);
        assert_eq!(made.trials, Trials::default(), "no games are wanted");
        made
    }

    #[test]
    fn hopeless_options_end_after_many_attempts_and_a_stop_at_once() {
        let options = options(Rule::Freestyle, 15);
        let mut never = ScriptedBalancer { never: true, ..ScriptedBalancer::default() };
        assert_eq!(make(&options, &mut never, 0, 0, &Stop::new()), None);
        assert!(never.balances >= u64::from(MOST_ATTEMPTS));
        let (mut stopped, stop) = (ScriptedBalancer::default(), Stop::new());
        stop.request();
        assert_eq!(make(&options, &mut stopped, 0, 0, &stop), None);
        assert_eq!(stopped.balances, 0);
    }
}
