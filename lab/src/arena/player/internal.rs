//! Players in this process.

use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError};

use super::{GameTerms, Player, PlayerAnswer, PlayerChoice, PlayerError, Question, SearchInfo};
use crate::arena::{Allowance, Contestant, ContestantKind, PlayerFault};
use tengen_core::eval::EvaluatorKind;
use tengen_core::eval::baselines::greedy;
use tengen_core::position::Position;
use tengen_core::rules::Rule;
use tengen_core::search::Limits;
use tengen_core::search::time::TimeControl;
use tengen_core::sys::signal::awake_between;
use tengen_core::types::{Color, Size};
use tengen_engine::engine::{
    self, Engine, Event, EventKind, Job, Level, Scope, Settings, Setup, Skill, Task, Thinker as _,
};
use tengen_engine::protocol::Info;
use tengen_files::work::Stop;

/// The interval at which a waiting player checks for other events.
const LOOK: Duration = Duration::from_millis(50);
/// The extra time after the margin before the search is stopped.
const SILENCE: Duration = Duration::from_secs(1);
/// The time limit for a search to stop.
const STOP: Duration = Duration::from_secs(5);
/// The transposition table of a player whose memory is not limited, in bytes: moderate, because
/// many may play at the same time.
const TABLE: u64 = 64 << 20;

/// Our own search with one of the evaluators, or the greedy player, in this process.
///
/// Each has a search and a table of its own, and forgets everything between games. With a limit on
/// nodes or depth and a single thread, its moves follow from the moves before; those of the greedy
/// player always do.
#[derive(Debug)]
pub struct InternalPlayer {
    contestant: Contestant,
    mind: MoveChooser,
    terms: GameTerms,
    last_id: u64,
}

/// The source of the moves.
#[derive(Debug)]
enum MoveChooser {
    Greedy,
    Search {
        evaluator: EvaluatorKind,
        skill: Skill,
        /// Made for the first game.
        engine: Option<(Engine, Receiver<Event>)>,
    },
}

impl MoveChooser {
    const fn search(evaluator: EvaluatorKind) -> MoveChooser {
        MoveChooser::Search { evaluator, skill: Skill::of(Level::FULL), engine: None }
    }
}

impl InternalPlayer {
    /// Returns a player for a contestant. Nothing is started yet.
    #[must_use]
    pub fn new(contestant: &Contestant) -> InternalPlayer {
        let mind = match contestant.kind {
            ContestantKind::Greedy => MoveChooser::Greedy,
            ContestantKind::Evaluator(evaluator) => MoveChooser::search(evaluator),
            ContestantKind::Process(_) => MoveChooser::search(EvaluatorKind::default()),
        };
        let terms = GameTerms { size: Size::DEFAULT, rule: Rule::Freestyle };
        InternalPlayer { contestant: contestant.clone(), mind, terms, last_id: 0 }
    }

    fn search(
        &mut self,
        question: &Question<'_>,
        abandon: &Stop,
    ) -> Result<PlayerAnswer, PlayerError> {
        let start = Instant::now();
        let limits = limits(&self.contestant.allowance, question, start);
        let grace = self.contestant.allowance.margin.saturating_add(SILENCE);
        let latest = question.limit.map(|limit| limit.saturating_add(grace));
        self.last_id += 1;
        let MoveChooser::Search { engine: Some((engine, events)), skill, .. } = &mut self.mind
        else {
            return Err(PlayerError::Fault(PlayerFault::Start("no game was begun".to_owned())));
        };
        let job = job(self.last_id, self.terms, question, limits, *skill);
        engine.think(job);
        let mut stop = None;
        let mut info = SearchInfo::default();
        loop {
            match events.recv_timeout(LOOK) {
                Ok(Event { id, kind }) if id == self.last_id => match kind {
                    EventKind::Report(report) => {
                        if let Some(best) = report.lines.first() {
                            info = SearchInfo {
                                score: Some(best.score.raw()),
                                depth: Some(best.depth),
                                nodes: Some(report.nodes),
                            };
                        }
                    }
                    EventKind::Done(answer) => {
                        if abandon.is_set() {
                            return Err(PlayerError::Abandoned);
                        }
                        let choice = choice(answer, question.swap2)?;
                        let elapsed = awake_between(start, Instant::now());
                        return Ok(PlayerAnswer { choice, elapsed, info });
                    }
                    EventKind::Fault(text) => {
                        return Err(PlayerError::Fault(PlayerFault::Crashed(text)));
                    }
                    EventKind::Mark(_)
                    | EventKind::File(_)
                    | EventKind::Finding(..)
                    | EventKind::Unreadable(..)
                    | EventKind::Book(_) => {}
                },
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let why = "the search is gone".to_owned();
                    return Err(PlayerError::Fault(PlayerFault::Crashed(why)));
                }
            }
            let now = Instant::now();
            if abandon.is_set() || latest.is_some_and(|latest| awake_between(start, now) > latest) {
                engine.stop();
                let stopped = *stop.get_or_insert(now);
                if now.saturating_duration_since(stopped) > STOP {
                    let limit = question.limit.unwrap_or_default();
                    return Err(PlayerError::Fault(PlayerFault::Silent { limit }));
                }
            }
        }
    }

    fn greedy(&self, question: &Question<'_>) -> Result<PlayerAnswer, PlayerError> {
        let start = Instant::now();
        let mut position = Position::new(self.terms.rule, self.terms.size);
        for &point in question.moves {
            let played = position.play(point);
            played.map_err(|error| PlayerError::Fault(PlayerFault::Garbage(error.to_string())))?;
        }
        let mut rng = engine::chances(0, question.moves.iter().copied());
        // An opening of swap2 begins with three stones.
        let count = if question.swap2 && question.moves.is_empty() { 3 } else { 1 };
        let mut stones = Vec::new();
        for _ in 0..count {
            let Some(point) = greedy::choose(&position, &mut rng) else {
                return Err(PlayerError::Fault(PlayerFault::Garbage("no move".to_owned())));
            };
            position.play_unchecked(point);
            stones.push(point);
        }
        let choice = choice(engine::Answer::Moves(stones), question.swap2)?;
        Ok(PlayerAnswer { choice, elapsed: start.elapsed(), info: SearchInfo::default() })
    }
}

impl Player for InternalPlayer {
    fn begin(&mut self, terms: &GameTerms, abandon: &Stop) -> Result<(), PlayerError> {
        if abandon.is_set() {
            return Err(PlayerError::Abandoned);
        }
        self.terms = *terms;
        // Makes the tables of the rule, once for all players, which takes longer than some moves.
        drop(Position::new(terms.rule, terms.size));
        if let MoveChooser::Search { evaluator, skill, engine } = &mut self.mind {
            let (settings, level) = settings(&self.contestant, *evaluator)?;
            // What a level draws can be repeated, whatever the clocks.
            *skill = Skill { level, seed: (!level.is_full()).then_some(0) };
            // One that was left in the middle of a search is not used again; it ends by itself.
            let (engine, _) = engine.insert(Engine::new());
            engine.set_settings(settings);
        }
        Ok(())
    }

    fn answer(
        &mut self,
        question: &Question<'_>,
        abandon: &Stop,
    ) -> Result<PlayerAnswer, PlayerError> {
        match self.mind {
            MoveChooser::Greedy => self.greedy(question),
            MoveChooser::Search { .. } => self.search(question, abandon),
        }
    }

    fn memory(&mut self) -> Option<u64> {
        None
    }
}

/// Returns the settings of the search of a contestant, and its level.
fn settings(
    contestant: &Contestant,
    evaluator: EvaluatorKind,
) -> Result<(Settings, Level), PlayerError> {
    let allowance = &contestant.allowance;
    let mut settings = Settings {
        threads: allowance.threads.map_or(1, |threads| threads.max(1) as usize),
        max_memory: allowance.memory,
        hash_size: allowance.memory.is_none().then_some(TABLE),
        knows_memory: true,
        evaluator,
    };
    let mut level = Level::FULL;
    for (key, value) in &contestant.options {
        match Info::parse(&format!("{key} {value}")) {
            Info::HashSize(kib) => {
                settings.hash_size = u64::try_from(kib).ok().map(|kib| kib.saturating_mul(1024));
            }
            Info::Strength(percent) => level = Level::from_strength(percent),
            _ => {
                let why = format!("{key}={value} means nothing to it");
                return Err(PlayerError::Fault(PlayerFault::Start(why)));
            }
        }
    }
    Ok((settings, level))
}

/// Returns what the search may use for an answer.
fn limits(allowance: &Allowance, question: &Question<'_>, start: Instant) -> Limits {
    let &Allowance { turn, game, .. } = allowance;
    let left = game.and(question.time_left);
    let increment = game.map_or(Duration::ZERO, |game| game.increment);
    let time = TimeControl { turn: turn.or(game.map(|game| game.time)), left, increment };
    Limits { time, start, max_depth: allowance.depth, max_nodes: allowance.nodes }
}

fn job(id: u64, terms: GameTerms, question: &Question<'_>, limits: Limits, skill: Skill) -> Job {
    let moves = question.moves;
    let stones = moves.iter().enumerate().map(|(i, &point)| (point, Color::to_move_after(i)));
    let setup = Setup {
        size: terms.size,
        rule: terms.rule,
        stones: stones.collect(),
        walls: Vec::new(),
        to_move: Color::to_move_after(moves.len()),
    };
    let task = if question.swap2 { Task::Swap2 } else { Task::Move };
    // Games of a match begin in different ways.
    let skill = if question.swap2 { Skill::of(skill.level) } else { skill };
    Job { id, setup, task, analysis: false, limits, scope: Scope::default(), skill }
}

fn choice(answer: engine::Answer, swap2: bool) -> Result<PlayerChoice, PlayerError> {
    match answer {
        engine::Answer::Moves(points) if swap2 => Ok(PlayerChoice::Stones(points)),
        engine::Answer::Moves(points) if points.len() == 1 => Ok(PlayerChoice::Move(points[0])),
        engine::Answer::Swap if swap2 => Ok(PlayerChoice::Swap),
        other => Err(PlayerError::Fault(PlayerFault::Garbage(format!("{other:?}")))),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use tengen_core::rules::{Game, Outcome};
    use tengen_core::types::Point;

    fn contestant(kind: ContestantKind) -> Contestant {
        let allowance = Allowance {
            game: None,
            turn: None,
            margin: Duration::ZERO,
            nodes: Some(2_000),
            depth: None,
            threads: None,
            memory: None,
        };
        Contestant {
            name: "it".to_owned(),
            kind,
            dir: None,
            allowance,
            options: Vec::new(),
            restart: false,
        }
    }

    fn question(moves: &[Point]) -> Question<'_> {
        Question { moves, swap2: false, time_left: None, limit: None, silence: None }
    }

    /// Returns the moves of a game between two players.
    fn game(kinds: [ContestantKind; 2]) -> Vec<Point> {
        let abandon = Stop::new();
        let terms = GameTerms { size: Size::square(9).unwrap(), rule: Rule::Renju };
        let mut players = kinds.map(|kind| InternalPlayer::new(&contestant(kind)));
        for player in &mut players {
            player.begin(&terms, &abandon).unwrap();
        }
        let mut game = Game::new(terms.size, terms.rule);
        while game.outcome() == Outcome::Ongoing {
            let player = &mut players[game.moves().len() % 2];
            let answer = player.answer(&question(game.moves()), &abandon).unwrap();
            let PlayerChoice::Move(point) = answer.choice else { panic!("{answer:?}") };
            game.play(point).unwrap();
        }
        game.moves().to_vec()
    }

    #[test]
    fn players_do_not_disturb_each_other_and_repeat_their_games() {
        let kinds = [ContestantKind::Evaluator(EvaluatorKind::Patterns), ContestantKind::Greedy];
        let alone = game(kinds.clone());
        let both: Vec<_> = (0..2)
            .map(|_| {
                let kinds = kinds.clone();
                thread::spawn(|| game(kinds))
            })
            .collect();
        for thread in both {
            assert_eq!(thread.join().unwrap(), alone);
        }
    }

    #[test]
    fn levels_repeat_their_games_but_not_the_openings_that_they_make() {
        let terms = GameTerms { size: Size::DEFAULT, rule: Rule::Freestyle };
        for (strength, seed) in [("100", None), ("30", Some(0))] {
            let mut contestant = contestant(ContestantKind::Evaluator(EvaluatorKind::Patterns));
            contestant.options = vec![("strength".to_owned(), strength.to_owned())];
            let mut player = InternalPlayer::new(&contestant);
            player.begin(&terms, &Stop::new()).unwrap();
            let MoveChooser::Search { skill, .. } = player.mind else { panic!("it searches") };
            assert_eq!(skill.seed, seed, "{strength}");
            for swap2 in [false, true] {
                let question = Question { swap2, ..question(&[]) };
                let job = job(
                    1,
                    terms,
                    &question,
                    limits(&contestant.allowance, &question, Instant::now()),
                    skill,
                );
                assert_eq!(job.skill.seed, seed.filter(|_| !swap2), "{strength}");
            }
        }
    }

    #[test]
    fn every_stage_of_swap2_has_an_answer() {
        let abandon = Stop::new();
        let terms = GameTerms { size: Size::DEFAULT, rule: Rule::Freestyle };
        let stones: Vec<Point> = (3..8).map(|x| terms.size.point(x, x % 3).unwrap()).collect();
        for kind in [ContestantKind::Greedy, ContestantKind::Evaluator(EvaluatorKind::Patterns)] {
            let mut player = InternalPlayer::new(&contestant(kind));
            player.begin(&terms, &abandon).unwrap();
            for (given, counts) in [(0, 3..=3), (3, 1..=2), (5, 1..=1)] {
                let question = Question { swap2: true, ..question(&stones[..given]) };
                match player.answer(&question, &abandon).unwrap().choice {
                    PlayerChoice::Stones(stones) => assert!(counts.contains(&stones.len())),
                    PlayerChoice::Swap => assert!(given > 0),
                    PlayerChoice::Move(point) => panic!("{point}"),
                }
            }
        }
    }

    #[test]
    fn a_search_tells_what_it_thought_and_keeps_to_its_clock_and_can_be_abandoned() {
        let kind = ContestantKind::Evaluator(EvaluatorKind::Patterns);
        let mut slow = contestant(kind);
        slow.allowance.nodes = None;
        slow.allowance.turn = Some(Duration::from_millis(200));
        let terms = GameTerms { size: Size::DEFAULT, rule: Rule::Freestyle };
        let stones: Vec<Point> = (3..8).map(|x| terms.size.point(x, x % 3 + 5).unwrap()).collect();
        let abandon = Stop::new();
        let mut player = InternalPlayer::new(&slow);
        player.begin(&terms, &abandon).unwrap();
        let limit = Some(Duration::from_millis(200));
        let answer = player.answer(&Question { limit, ..question(&stones) }, &abandon).unwrap();
        assert!(answer.elapsed < Duration::from_secs(60), "{:?}", answer.elapsed);
        let info = answer.info;
        assert!(info.score.is_some() && info.depth >= Some(1) && info.nodes > Some(0));

        slow.allowance.turn = None;
        let mut player = InternalPlayer::new(&slow);
        player.begin(&terms, &abandon).unwrap();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(100));
                abandon.request();
            });
            // Without a limit it would think for ever.
            let answer = player.answer(&question(&stones), &abandon);
            assert_eq!(answer, Err(PlayerError::Abandoned));
        });
        assert_eq!(player.begin(&terms, &Stop::new()), Ok(()));
    }

    #[test]
    fn only_options_that_mean_something_are_taken() {
        let mut small = contestant(ContestantKind::Evaluator(EvaluatorKind::Shapes));
        let evaluator = EvaluatorKind::Shapes;
        let taken = |small: &Contestant| {
            settings(small, evaluator).map(|(settings, level)| (settings.hash_size, level))
        };
        assert_eq!(taken(&small), Ok((Some(TABLE), Level::FULL)));
        small.options = vec![("hash_size".to_owned(), "2048".to_owned())];
        assert_eq!(taken(&small), Ok((Some(2 << 20), Level::FULL)));
        small.options = vec![("strength".to_owned(), "0".to_owned())];
        assert_eq!(taken(&small), Ok((Some(TABLE), Level::LEAST)));
        small.options = vec![("hash".to_owned(), "2048".to_owned())];
        assert!(taken(&small).is_err());
    }
}
