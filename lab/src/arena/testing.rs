//! Matches that never took place, for tests.

use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use super::{
    Adjudication, Allowance, Contestant, ContestantKind, EndKind, Fixture, MatchInfo, MatchSpec,
    OpeningOrder, Pairing, PlayedGame, PlayerInfo, Usage,
};
use crate::stats::PlayerResult;
use tengen_core::board::{Board, Symmetry};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{Game, Outcome, Rule, Run};
use tengen_core::types::{ByColor, Color, Dir, Point, Size};
use tengen_files::records::{self, Record};

/// Returns a round robin, or a match, of this many players without a test.
pub fn info(players: usize) -> MatchInfo {
    let names = ["tengen", "carbon", "pela", "noesis", "swine", "yixin"];
    let player = |i: usize| PlayerInfo {
        name: names.get(i).map_or_else(|| format!("player {i}"), |&name| name.to_owned()),
        command: format!("./{}", names.get(i).unwrap_or(&"player")),
        options: "turn=1 memory=350".to_owned(),
    };
    MatchInfo {
        event: "sample".to_owned(),
        rule: Rule::Freestyle,
        size: Size::DEFAULT,
        players: (0..players).map(player).collect(),
        pairing: Pairing::RoundRobin,
        rounds: 1,
        sprt: None,
        settings: vec![("openings".to_owned(), "none".to_owned())],
    }
}

/// A game in the making.
#[derive(Clone, Debug)]
pub struct Sample {
    game: u64,
    pair: u64,
    /// The players by seat.
    seats: [usize; 2],
    /// The result for the player with the smaller number.
    result: PlayerResult,
    end: Option<EndKind>,
    moves: Vec<Point>,
}

impl Sample {
    /// Returns a drawn game of a pair without moves; in the second game of a pair the players
    /// change their seats.
    pub fn new(game: u64, pair: u64, players: [usize; 2], second: bool) -> Sample {
        let seats = if second { [players[1], players[0]] } else { players };
        Sample { game, pair, seats, result: PlayerResult::Draw, end: None, moves: Vec::new() }
    }

    /// Sets the result for the player with the smaller number.
    pub fn result(mut self, result: PlayerResult) -> Sample {
        self.result = result;
        self
    }

    /// Sets how it ends, if not by a five or as a draw.
    pub fn end(mut self, end: EndKind) -> Sample {
        self.end = Some(end);
        self
    }

    /// Sets the moves.
    pub fn moves(mut self, moves: Vec<Point>) -> Sample {
        self.moves = moves;
        self
    }

    /// Returns the game.
    pub fn game(self) -> PlayedGame {
        let low_is_black = self.seats[0] < self.seats[1];
        let result = match (self.result, low_is_black) {
            (PlayerResult::Draw, _) => records::GameResult::Draw,
            (PlayerResult::Win, true) | (PlayerResult::Loss, false) => {
                records::GameResult::Win(Color::Black)
            }
            _ => records::GameResult::Win(Color::White),
        };
        let end = self.end.unwrap_or(match result {
            records::GameResult::Draw => EndKind::Draw,
            records::GameResult::Win(_) => EndKind::Five,
        });
        let players = info(self.seats[0].max(self.seats[1]) + 1).players;
        let mut record = Record::of_points(Size::DEFAULT, &self.moves);
        record.rule = Some(Rule::Freestyle);
        record.players = ByColor(self.seats.map(|player| players[player].name.clone()));
        record.event = "sample".to_owned();
        record.result = Some(result);
        record.reason = Some(end.reason());
        PlayedGame {
            fixture: Fixture {
                game: self.game,
                pair: self.pair,
                round: self.pair,
                seats: self.seats,
                opening: None,
                symmetry: Symmetry::Identity,
            },
            black_seat: 0,
            record,
            end,
            detail: String::new(),
            usage: [Usage::default(); 2],
        }
    }
}

/// Returns a match or round robin of this many rounds of pairs, with games that players of
/// different skill might have played: every move legal, times and scores made up, now and then a
/// fault.
pub fn random_match(seed: u64, players: usize, rounds: u64) -> (MatchInfo, Vec<PlayedGame>) {
    let info = MatchInfo { rounds, ..info(players) };
    let mut random = SplitMix64::new(seed);
    let mut games = Vec::new();
    for round in 0..rounds {
        for one in 0..players {
            for other in one + 1..players {
                let opening = random.next_u64();
                for second in [false, true] {
                    let game = games.len() as u64;
                    let sample = Sample::new(game, game / 2, [one, other], second);
                    let mut played = play(&sample, opening, &mut random);
                    played.fixture.round = round;
                    games.push(played);
                }
            }
        }
    }
    (info, games)
}

/// Plays a sample that has no moves yet.
fn play(sample: &Sample, opening: u64, random: &mut SplitMix64) -> PlayedGame {
    let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
    let mut stones = SplitMix64::new(opening);
    while game.moves().len() < 4 {
        let near = |i: usize| 5 + i as i64;
        let point = Size::DEFAULT.point(near(stones.below(5)), near(stones.below(5)));
        // An occupied cell is tried again with another.
        let _ = game.play(point.expect("the middle is on the board"));
    }
    let early = match random.below(60) {
        0 => Some((random.below(40) + 4, EndKind::Late)),
        1 => Some((random.below(40) + 4, EndKind::Crash)),
        2 if sample.seats.contains(&1) => Some((random.below(20) + 4, EndKind::Occupied)),
        3..9 => Some((random.below(60) + 10, EndKind::DrawAdjudicated)),
        _ => None,
    };
    while !game.outcome().is_over() && game.moves().len() < 120 {
        if early.is_some_and(|(at, _)| game.moves().len() == at) {
            break;
        }
        let seat = sample.seats[game.moves().len() % 2];
        let point = choose(game.board(), game.to_move(), seat, random);
        game.play(point).expect("an empty cell before the end");
    }
    let low_is_black = sample.seats[0] < sample.seats[1];
    let (winner, end) = match game.outcome() {
        Outcome::Won(run) => (Some(run.color), None),
        Outcome::Ongoing => match early {
            Some((_, kind)) if kind.is_fault() => (Some(!game.to_move()), Some(kind)),
            Some((_, kind)) => (None, Some(kind)),
            None => (None, Some(EndKind::DrawAfter)),
        },
        _ => (None, None),
    };
    let result = match winner {
        None => PlayerResult::Draw,
        Some(color) if (color == Color::Black) == low_is_black => PlayerResult::Win,
        Some(_) => PlayerResult::Loss,
    };
    let mut sample = sample.clone().result(result).moves(game.moves().to_vec());
    if let Some(end) = end {
        sample = sample.end(end);
    }
    let mut played = sample.game();
    remark(&mut played, winner, random);
    if played.end.is_fault() {
        let loser = played.record.players[game.to_move()].clone();
        played.detail = match played.end {
            EndKind::Late => format!("{loser} answered after 1203 ms of 1000"),
            EndKind::Crash => format!("{loser} crashed: signal 11"),
            _ => format!("{loser} played on the stone at h8"),
        };
    }
    played
}

/// Makes up what the players said and used.
fn remark(played: &mut PlayedGame, winner: Option<Color>, random: &mut SplitMix64) {
    played.record.opening = 4;
    let count = played.record.moves.len();
    let mut times = [0; 2];
    let mut slowest = [0; 2];
    let mut numbers = [0; 2];
    for (i, m) in played.record.moves.iter_mut().enumerate().skip(4) {
        let seat = i % 2;
        let time = random.below(900) as u64 + 40;
        times[seat] += time;
        slowest[seat] = time.max(slowest[seat]);
        numbers[seat] += 1;
        let trend = (i * i * 900 / (count * count).max(1)) as i32;
        let noise = random.below(80) as i32 - 40;
        let score = match winner {
            None => noise,
            Some(color) if color == m.color => trend + noise,
            Some(_) => noise - trend,
        };
        let last = count - i;
        let score = Some(match winner {
            Some(color) if last < 8 && color == m.color => 30_000 - last as i32,
            Some(_) if last < 8 => last as i32 - 30_000,
            _ => score,
        });
        let depth = Some(random.below(9) as u32 + 6);
        let nodes = Some(random.below(900_000) as u64 + 10_000);
        m.set_search(records::MoverSearch { time: Some(time), score, depth, nodes });
    }
    for seat in 0..2 {
        played.usage[seat] = Usage {
            memory: Some((20 + random.below(200) as u64) << 20),
            time: Duration::from_millis(times[seat]),
            slowest: Duration::from_millis(slowest[seat]),
            moves: numbers[seat],
        };
    }
}

/// Returns a move near other stones that makes or prevents the longest run, or, for the less
/// skilled more often, any.
fn choose(board: &Board, color: Color, player: usize, random: &mut SplitMix64) -> Point {
    let empty: Vec<Point> = board.size().points().filter(|&p| board.is_empty(p)).collect();
    let is_near = |p: &Point| {
        (0..9).any(|i| {
            let (x, y) = (i64::from(p.x()) + i % 3 - 1, i64::from(p.y()) + i / 3 - 1);
            board.size().point(x, y).is_some_and(|other| !board.is_empty(other))
        })
    };
    let near: Vec<Point> = empty.iter().copied().filter(is_near).collect();
    let careless = random.below(100) < 4 + 2 * player;
    let longest = |p: Point, color: Color| {
        Dir::ALL.map(|dir| Run::through(board, p, color, dir).len.min(5)).into_iter().max()
    };
    // Whatever makes five goes before what prevents it, and so on down.
    let worth = |p: &Point| {
        let (own, other) = (longest(*p, color), longest(*p, !color));
        if careless { None } else { own.max(other).map(|len| 2 * len + u8::from(own >= other)) }
    };
    let start = random.below(near.len().max(1));
    let rotated = near[start..].iter().chain(&near[..start]);
    rotated.max_by_key(|p| worth(p)).copied().unwrap_or(empty[0])
}

/// Returns a round robin of this many players who look no move ahead: one round on a small board
/// without openings.
pub fn spec(players: usize) -> MatchSpec {
    let allowance = Allowance {
        game: None,
        turn: Some(Duration::from_secs(60)),
        margin: Duration::from_millis(100),
        nodes: None,
        depth: None,
        threads: None,
        memory: None,
    };
    let contestant = |i: usize| Contestant {
        name: format!("player {i}"),
        kind: ContestantKind::Greedy,
        dir: None,
        allowance,
        options: Vec::new(),
        restart: false,
    };
    MatchSpec {
        event: "sample".to_owned(),
        rule: Rule::Freestyle,
        size: Size::square(9).expect("a supported size"),
        contestants: (0..players).map(contestant).collect(),
        pairing: Pairing::RoundRobin,
        rounds: 1,
        openings: Vec::new(),
        order: OpeningOrder::Sequential,
        first_opening: 0,
        symmetries: false,
        swap2: false,
        silence: Some(MatchSpec::SILENCE),
        adjudication: Adjudication::default(),
        sprt: None,
    }
}

/// A directory of its own, removed at the end of the test.
pub struct Place(TempDir);

#[allow(clippy::new_without_default, reason = "a folder is made on the disk")]
impl Place {
    /// Makes an empty folder.
    pub fn new() -> Place {
        Place(TempDir::with_prefix("tengen-arena-").unwrap())
    }

    /// Returns the path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}
