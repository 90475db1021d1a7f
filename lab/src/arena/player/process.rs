//! Players in processes of their own.

use std::fmt::Write as _;
use std::mem;
use std::time::{Duration, Instant};

use super::link::{Link, LinkEvent};
use super::{
    GameTerms, GameTranscript, Player, PlayerAnswer, PlayerChoice, PlayerError, PlayerOddity,
    Question,
};
use crate::arena::{Contestant, ContestantKind, PlayerFault};
use crate::process::{EngineLine, SearchInfoReader, leading_cell};
use tengen_core::sys::signal::{awake_between, suspended_between};
use tengen_core::types::{Point, Size};
use tengen_engine::protocol::{BlockKind, Command, Coords, Info, UNLIMITED};
use tengen_files::work::Stop;

/// The default time limit of the answer to `START`.
const START_LIMIT: Duration = Duration::from_secs(10);
/// The extra time after the margin before an engine counts as silent.
const SILENCE: Duration = Duration::from_secs(1);
/// `INFO game_type`: the opponent is a program.
const AGAINST_PROGRAM: i64 = 1;
/// The most characters of a line that are quoted.
const QUOTED: usize = 120;

/// A program that speaks the protocol.
///
/// It is started for its first game and kept for the next ones, unless it did something wrong or
/// shall be started for each. At the end it gets `END`, and is killed if it does not go within a
/// second; processes that it started are killed with it where the system has groups of processes.
pub struct ProcessPlayer {
    contestant: Contestant,
    link: Option<Link>,
    /// The stones on the board of the engine, if it has one and they are known.
    board: Option<Vec<Point>>,
    /// The size of the board.
    size: Size,
    /// True if the next game needs another process.
    spent: bool,
    memory: Option<u64>,
    /// How long the engine may take to accept a board.
    pub start_limit: Duration,
    /// The conversation of this game with processes that have ended.
    transcript: GameTranscript,
    /// Deviations that were tolerated since the last request.
    oddities: Vec<PlayerOddity>,
}

impl ProcessPlayer {
    /// Returns a player for a contestant. Nothing is started yet.
    #[must_use]
    pub fn new(contestant: &Contestant) -> ProcessPlayer {
        ProcessPlayer {
            contestant: contestant.clone(),
            link: None,
            board: None,
            size: Size::DEFAULT,
            spent: false,
            memory: None,
            start_limit: START_LIMIT,
            transcript: GameTranscript::default(),
            oddities: Vec::new(),
        }
    }

    /// Returns the id of the process, if one is running.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.link.as_ref().map(Link::id)
    }

    /// Ends the process, if there is one.
    fn dismiss(&mut self) {
        if let Some(link) = self.link.take() {
            link.finish();
        }
    }

    /// Kills the process, if there is one.
    fn kill(&mut self) {
        if let Some(mut link) = self.link.take() {
            self.memory = link.memory().or(self.memory);
            self.transcript.append(link.transcript.take());
        }
        self.board = None;
    }

    /// Makes a running engine ready for a game. A new one has received nothing yet.
    fn prepare(
        &mut self,
        terms: GameTerms,
        is_new: bool,
        abandon: &Stop,
    ) -> Result<(), PlayerError> {
        let Some(link) = &mut self.link else {
            return Err(fault(PlayerFault::Start("nothing runs".to_owned())));
        };
        let start = start_command(terms.size);
        if is_new {
            link.add(format!("{start}\n"));
        } else {
            link.say(format!("{start}\n"))?;
        }
        let until = Instant::now() + self.start_limit;
        // Something else than an answer that came before it, as from an engine that greets.
        let mut instead = None;
        loop {
            let refused = |how: &str| Err(fault(PlayerFault::Start(format!("{how} {start}"))));
            let line = match link.next_line(Some(until), abandon)? {
                LinkEvent::Line(_, line) => line,
                LinkEvent::Nothing => {
                    return match instead {
                        Some(line) => refused(&format!("answered {line:?} to")),
                        None => refused("no answer to"),
                    };
                }
            };
            match EngineLine::parse(&line) {
                EngineLine::Ok(_) => {
                    note(&mut self.oddities, PlayerOddity::of_spelling(&line, &EngineLine::Ok("")));
                    break;
                }
                EngineLine::Error(_) | EngineLine::Unknown(_) => {
                    return refused(&format!("answered {:?} to", quoted(&line)));
                }
                other if other.is_chatter() => {}
                _ => drop(instead.get_or_insert_with(|| quoted(&line))),
            }
        }
        note(&mut self.oddities, instead.map(PlayerOddity::BeforeOk));
        link.say(infos(&self.contestant, terms))?;
        self.board = Some(Vec::new());
        Ok(())
    }

    fn ask(
        &mut self,
        question: &Question<'_>,
        abandon: &Stop,
    ) -> Result<PlayerAnswer, PlayerError> {
        let text = self.command_text(question);
        let Some(link) = &mut self.link else {
            return Err(fault(PlayerFault::Start("no game was begun".to_owned())));
        };
        let margin = self.contestant.allowance.margin;
        let latest = question.limit.map(|limit| limit.saturating_add(margin));
        let before = Instant::now();
        link.say(text)?;
        let mut reader = SearchInfoReader::default();
        let mut is_told = false;
        let (at, choice) = loop {
            let (at, line) = match link.next_line(until(question, margin, before), abandon)? {
                LinkEvent::Line(at, line) => (at, line),
                LinkEvent::Nothing => return Err(silent(question)),
            };
            let parsed = EngineLine::parse(&line);
            if parsed.is_chatter() {
                reader.read(&parsed);
                continue;
            }
            if let EngineLine::Suggest(text) = parsed
                && let Some(cell) = leading_cell(text)
                // An engine that is told to play does so.
                && !mem::replace(&mut is_told, true)
                && !question.swap2
            {
                let point = point(self.size, cell)?;
                note(&mut self.oddities, Some(PlayerOddity::Suggestion(quoted(&line))));
                link.add(format!("{}\n", Command::Play(coords(point))));
                continue;
            }
            let (choice, meant) = choice(&line, question, self.size)?;
            note(&mut self.oddities, PlayerOddity::of_spelling(&line, &meant));
            break (at, choice);
        };
        let elapsed = awake_between(before, at);
        self.board = match choice {
            PlayerChoice::Move(point) => Some([question.moves, &[point]].concat()),
            // The engine's board in the middle of an opening does not matter.
            PlayerChoice::Stones(_) | PlayerChoice::Swap => None,
        };
        // Those who judge will say what is wrong with such an answer.
        let taken = matches!(choice, PlayerChoice::Move(point) if question.moves.contains(&point));
        self.spent |= taken || latest.is_some_and(|latest| elapsed > latest);
        Ok(PlayerAnswer { choice, elapsed, info: reader.info() })
    }

    /// Returns the lines that ask a question.
    fn command_text(&self, question: &Question<'_>) -> String {
        let moves = question.moves;
        let left = question.time_left.map_or(UNLIMITED, millis);
        let mut text = format!("{}\n", Command::Info(Info::TimeLeft(left)));
        // Writing to a string can't fail.
        let _ = match (&self.board, moves.split_last()) {
            _ if question.swap2 => block(&mut text, BlockKind::Swap2Board, moves),
            (Some(board), None) if board.is_empty() => writeln!(text, "{}", Command::Begin),
            (Some(board), Some((last, before))) if board == before && !before.is_empty() => {
                writeln!(text, "{}", Command::Turn(coords(*last)))
            }
            _ => block(&mut text, BlockKind::Board, moves),
        };
        text
    }
}

impl Player for ProcessPlayer {
    fn begin(&mut self, terms: &GameTerms, abandon: &Stop) -> Result<(), PlayerError> {
        if self.spent || self.contestant.restart {
            self.dismiss();
        }
        self.spent = false;
        self.size = terms.size;
        self.take_transcript();
        if self.link.as_mut().is_some_and(|link| !link.has_ended()) {
            match self.prepare(*terms, false, abandon) {
                // Maybe it plays only one game.
                Err(PlayerError::Fault(_)) => {}
                prepared => return prepared.inspect_err(|_| self.kill()),
            }
        }
        self.kill();
        self.memory = None;
        let ContestantKind::Process(command) = &self.contestant.kind else {
            return Err(fault(PlayerFault::Start("not a program".to_owned())));
        };
        let link = Link::start(command, &self.contestant);
        let link = link.map_err(|error| PlayerError::System(format!("{command}: {error}")))?;
        self.link = Some(link);
        let prepared = self.prepare(*terms, true, abandon).map_err(|trouble| match trouble {
            PlayerError::Fault(other) if !matches!(other, PlayerFault::Start(_)) => {
                fault(PlayerFault::Start(other.to_string()))
            }
            other => other,
        });
        prepared.inspect_err(|_| self.kill())
    }

    fn answer(
        &mut self,
        question: &Question<'_>,
        abandon: &Stop,
    ) -> Result<PlayerAnswer, PlayerError> {
        let answer = self.ask(question, abandon);
        if answer.is_err() {
            self.kill();
        }
        answer
    }

    fn memory(&mut self) -> Option<u64> {
        if let Some(link) = &mut self.link {
            self.memory = link.memory();
        }
        self.memory
    }

    fn take_transcript(&mut self) -> GameTranscript {
        if let Some(link) = &mut self.link {
            self.transcript.append(link.transcript.take());
        }
        self.transcript.take()
    }

    fn take_oddities(&mut self) -> Vec<PlayerOddity> {
        mem::take(&mut self.oddities)
    }
}

impl Drop for ProcessPlayer {
    fn drop(&mut self) {
        self.dismiss();
    }
}

impl std::fmt::Debug for ProcessPlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let id = self.process_id();
        f.debug_struct("ProcessPlayer").field("process", &id).finish_non_exhaustive()
    }
}

fn fault(fault: PlayerFault) -> PlayerError {
    PlayerError::Fault(fault)
}

/// Adds an oddity unless there is one of its kind.
fn note(oddities: &mut Vec<PlayerOddity>, oddity: Option<PlayerOddity>) {
    let is_new = |oddity: &PlayerOddity| {
        oddities.iter().all(|known| mem::discriminant(known) != mem::discriminant(oddity))
    };
    let oddity = oddity.filter(is_new);
    oddities.extend(oddity);
}

/// Returns until when the next line is waited for: for a player without a clock that begins anew
/// with each line.
fn until(question: &Question<'_>, margin: Duration, asked: Instant) -> Option<Instant> {
    let Some(limit) = question.limit else {
        return Instant::now().checked_add(question.silence?);
    };
    let until = asked.checked_add(limit.saturating_add(margin).saturating_add(SILENCE))?;
    until.checked_add(suspended_between(asked, Instant::now()))
}

/// Returns the fault of a player that has been waited for in vain.
fn silent(question: &Question<'_>) -> PlayerError {
    fault(match question.limit {
        Some(limit) => PlayerFault::Silent { limit },
        None => PlayerFault::Hung { silence: question.silence.unwrap_or_default() },
    })
}

/// Returns the meaning of a line that should be an answer, and how it should be spelt.
fn choice(
    line: &str,
    question: &Question<'_>,
    size: Size,
) -> Result<(PlayerChoice, EngineLine<'static>), PlayerError> {
    match EngineLine::parse(line) {
        EngineLine::Swap if question.swap2 => Ok((PlayerChoice::Swap, EngineLine::Swap)),
        EngineLine::Cells(cells) if question.swap2 => {
            let stones = cells.iter().map(|&cell| point(size, cell));
            let stones = stones.collect::<Result<Vec<Point>, PlayerError>>()?;
            Ok((PlayerChoice::Stones(stones), EngineLine::Cells(cells)))
        }
        _ => match leading_cell(line).filter(|_| !question.swap2) {
            Some(cell) => {
                let point = point(size, cell)?;
                Ok((PlayerChoice::Move(point), EngineLine::Cells(vec![cell])))
            }
            None => Err(fault(PlayerFault::Garbage(quoted(line)))),
        },
    }
}

fn point(size: Size, (x, y): (i64, i64)) -> Result<Point, PlayerError> {
    size.point(x, y).ok_or(PlayerError::Fault(PlayerFault::Outside { x, y }))
}

/// Returns the command that asks for an empty board.
pub(super) fn start_command(size: Size) -> Command {
    let (width, height) = (i64::from(size.width()), i64::from(size.height()));
    if width == height {
        Command::Start { first: width, second: None }
    } else {
        Command::RectStart(Coords { x: width, y: height })
    }
}

/// Returns the lines that tell a contestant its limits and the other settings of the game.
fn infos(contestant: &Contestant, terms: GameTerms) -> String {
    let allowance = &contestant.allowance;
    // Of periods the protocol knows nothing: what is left until the end of one is the time left.
    let game = allowance.game.map(|game| millis(game.time));
    let increment = allowance.game.map(|game| game.increment).filter(|time| !time.is_zero());
    let number = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
    let infos = [
        Some(Info::Rule(terms.rule.mask())),
        Some(Info::TimeoutTurn(allowance.turn.map(millis).or(game).unwrap_or(UNLIMITED))),
        Some(Info::TimeoutMatch(game.unwrap_or(0))),
        increment.map(|increment| Info::TimeIncrement(millis(increment))),
        allowance.depth.map(|depth| Info::MaxDepth(depth.into())),
        allowance.nodes.map(|nodes| Info::MaxNode(number(nodes))),
        allowance.memory.map(|memory| Info::MaxMemory(number(memory))),
        allowance.threads.map(|threads| Info::ThreadNum(threads.into())),
        Some(Info::GameType(AGAINST_PROGRAM)),
    ];
    let mut text = String::new();
    for info in infos.into_iter().flatten() {
        // Writing to a string can't fail.
        let _ = writeln!(text, "{}", Command::Info(info));
    }
    for (key, value) in &contestant.options {
        let line = format!("INFO {key} {value}");
        let _ = writeln!(text, "{}", line.replace(char::is_control, " "));
    }
    text
}

/// Writes a block that sets a position: the stones of the player to answer are 1, the others 2.
fn block(text: &mut String, kind: BlockKind, moves: &[Point]) -> std::fmt::Result {
    writeln!(text, "{}", Command::Block { kind, rest: String::new() })?;
    for (i, &point) in moves.iter().enumerate() {
        let own = (moves.len() - i).is_multiple_of(2);
        match kind {
            BlockKind::Swap2Board => writeln!(text, "{}", coords(point))?,
            _ => writeln!(text, "{},{}", coords(point), if own { 1 } else { 2 })?,
        }
    }
    writeln!(text, "DONE")
}

fn coords(point: Point) -> Coords {
    Coords { x: point.x().into(), y: point.y().into() }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX).min(UNLIMITED)
}

/// Returns the beginning of a line.
pub(super) fn quoted(line: &str) -> String {
    line.chars().take(QUOTED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Allowance;
    use crate::process::{EngineCommand, SearchInfo};
    use tengen_core::eval::WinModel;
    use tengen_core::rules::Rule;
    use tengen_core::search::{Report, Variation};
    use tengen_core::types::{Ply, Score};
    use tengen_engine::protocol::{self, Coordinates, Labels, Reply};

    fn contestant() -> Contestant {
        let allowance = Allowance {
            game: None,
            turn: None,
            margin: Duration::ZERO,
            nodes: None,
            depth: None,
            threads: None,
            memory: None,
        };
        Contestant {
            name: "it".to_owned(),
            kind: ContestantKind::Process(EngineCommand::new("no-such-engine", &[])),
            dir: None,
            allowance,
            options: Vec::new(),
            restart: false,
        }
    }

    fn terms(width: i64, height: i64) -> GameTerms {
        GameTerms { size: Size::new(width, height).unwrap(), rule: Rule::Renju }
    }

    fn question(moves: &[Point]) -> Question<'_> {
        Question { moves, swap2: false, time_left: None, limit: None, silence: None }
    }

    #[test]
    fn boards_are_asked_for_by_their_edges() {
        assert_eq!(start_command(Size::new(15, 15).unwrap()).to_string(), "START 15");
        assert_eq!(start_command(Size::new(15, 12).unwrap()).to_string(), "RECTSTART 15,12");
    }

    #[test]
    fn an_engine_without_limits_is_told_so() {
        let told = infos(&contestant(), terms(15, 15));
        let expected = "INFO rule 4\nINFO timeout_turn 2147483647\nINFO timeout_match 0\n\
                        INFO game_type 1\n";
        assert_eq!(told, expected);
    }

    #[test]
    fn an_engine_is_told_all_of_its_limits_and_options() {
        let mut contestant = contestant();
        contestant.allowance = Allowance {
            game: Some("20/60+0.5".parse().unwrap()),
            turn: None,
            margin: Duration::from_secs(1),
            nodes: Some(u64::MAX),
            depth: Some(12),
            threads: Some(2),
            memory: Some(350 << 20),
        };
        contestant.options = vec![("style".to_owned(), "wild\nEND".to_owned())];
        let told = infos(&contestant, terms(15, 15));
        let expected = "INFO rule 4\nINFO timeout_turn 60000\nINFO timeout_match 60000\n\
                        INFO time_increment 500\nINFO max_depth 12\n\
                        INFO max_node 9223372036854775807\nINFO max_memory 367001600\n\
                        INFO thread_num 2\nINFO game_type 1\nINFO style wild END\n";
        assert_eq!(told, expected);
        contestant.allowance.turn = Some(Duration::from_secs(5));
        assert!(infos(&contestant, terms(15, 15)).contains("INFO timeout_turn 5000\n"));
    }

    #[test]
    fn questions_depend_on_what_the_engine_knows() {
        let mut player = ProcessPlayer::new(&contestant());
        let points: Vec<Point> = (0..4).map(|x| Size::DEFAULT.point(x, 9).unwrap()).collect();
        let unlimited = "INFO time_left 2147483647\n";
        let text = |player: &ProcessPlayer, stones: usize| {
            let text = player.command_text(&question(&points[..stones]));
            text.strip_prefix(unlimited).unwrap().to_owned()
        };
        player.board = Some(Vec::new());
        assert_eq!(text(&player, 0), "BEGIN\n");
        assert_eq!(text(&player, 1), "BOARD\n0,9,2\nDONE\n");
        assert_eq!(text(&player, 2), "BOARD\n0,9,1\n1,9,2\nDONE\n");
        player.board = Some(points[..2].to_vec());
        assert_eq!(text(&player, 3), "TURN 2,9\n");
        assert_eq!(text(&player, 4), "BOARD\n0,9,1\n1,9,2\n2,9,1\n3,9,2\nDONE\n");
        player.board = None;
        assert_eq!(text(&player, 0), "BOARD\nDONE\n");
        assert_eq!(text(&player, 3), "BOARD\n0,9,2\n1,9,1\n2,9,2\nDONE\n");
        let opening = Question {
            swap2: true,
            time_left: Some(Duration::from_millis(1500)),
            ..question(&points[..3])
        };
        let expected = "INFO time_left 1500\nSWAP2BOARD\n0,9\n1,9\n2,9\nDONE\n";
        assert_eq!(player.command_text(&opening), expected);
    }

    #[test]
    fn what_does_not_exist_can_not_be_started() {
        let mut player = ProcessPlayer::new(&contestant());
        let abandon = Stop::new();
        for _ in 0..2 {
            let trouble = player.begin(&terms(15, 15), &abandon).unwrap_err();
            assert!(
                matches!(&trouble, PlayerError::System(why) if why.starts_with("no-such")),
                "{trouble:?}"
            );
            assert!(player.answer(&question(&[]), &abandon).is_err());
        }
        assert_eq!(player.memory(), None);
    }

    #[test]
    fn our_own_lines_are_understood() {
        for (score, raw) in [
            (Score::eval(-35), -35),
            (Score::win_in(Ply(5)), 29_995),
            (Score::loss_in(Ply(4)), -29_996),
        ] {
            let pv = vec![Size::DEFAULT.center()];
            let best = Variation { depth: 12, seldepth: 20, score, pv };
            let elapsed = Duration::from_millis(7);
            let (lines, win_model) = (vec![best.clone()], WinModel::new(200, 0));
            let report = Report { nodes: 1_500_800, elapsed, lines, win_model };
            let labels = Labels { coordinates: Coordinates::ColumnRow, size: Size::DEFAULT };
            let line = Reply::Message(protocol::search_line(&report, 0, &best, None, labels));
            let mut reader = SearchInfoReader::default();
            reader.read(&EngineLine::parse(&line.to_string()));
            let (depth, nodes) = (Some(12), Some(1_500_000));
            assert_eq!(reader.info(), SearchInfo { score: Some(raw), depth, nodes });
        }
    }
}
