use std::sync::{Arc, Mutex};

use super::*;
use tengen_core::notation::parse_moves;
use tengen_core::rules::Rule;
use tengen_core::search::time::TimeControl;
use tengen_core::types::Size;
use tengen_people::play::{Byoyomi, ClockControl};

/// The reaction of a double to a question.
type Reaction = fn(&Question<'_>, &Stop) -> Result<PlayerAnswer, PlayerError>;

/// What a double was told.
type Log = Arc<Mutex<Vec<String>>>;

/// A player that does what a test wants.
struct Double {
    contestant: Contestant,
    react: Reaction,
    log: Log,
}

impl Double {
    fn note(&self, text: String) {
        self.log.lock().unwrap().push(text);
    }
}

impl Player for Double {
    fn begin(&mut self, terms: &GameTerms, _abandon: &Stop) -> Result<(), PlayerError> {
        let allowance = self.contestant.allowance;
        let game = allowance.game.map(|game| game.to_string());
        self.note(format!("begin {} {game:?} {:?}", terms.size, allowance.turn));
        Ok(())
    }

    fn answer(
        &mut self,
        question: &Question<'_>,
        stop: &Stop,
    ) -> Result<PlayerAnswer, PlayerError> {
        let cells: String = question.moves.iter().map(Point::to_string).collect();
        self.note(format!("ask {cells}"));
        (self.react)(question, stop)
    }

    fn memory(&mut self) -> Option<u64> {
        None
    }
}

fn answers(cell: &str, seconds: u64) -> PlayerAnswer {
    let answer = PlayerAnswer::at_once(PlayerChoice::Move(points(cell)[0]));
    PlayerAnswer { elapsed: Duration::from_secs(seconds), ..answer }
}

fn points(cells: &str) -> Vec<Point> {
    parse_moves(cells, Size::DEFAULT).unwrap()
}

/// Returns a program that reacts so, what it says, and what its player is told.
fn program(words: &str, react: Reaction) -> (ProgramThread, Receiver<ProgramEvent>, Log) {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let words = EngineWords::read(&words).unwrap();
    let log = Log::default();
    let shared = Arc::clone(&log);
    let maker: PlayerMaker = Box::new(move |contestant| {
        let (contestant, log) = (contestant.clone(), Arc::clone(&shared));
        Box::new(Double { contestant, react, log })
    });
    let (outbox, events) = unbounded();
    (ProgramThread::start("foo".to_owned(), words, maker, outbox), events, log)
}

/// Returns a question about these stones, without a clock.
fn question(id: u64, cells: &str) -> ProgramQuestion {
    let stones = points(cells).into_iter().enumerate();
    let stones: Vec<_> = stones.map(|(i, point)| (point, Color::to_move_after(i))).collect();
    let to_move = Color::to_move_after(stones.len());
    let (size, rule, walls) = (Size::DEFAULT, Rule::Freestyle, Vec::new());
    ProgramQuestion {
        id,
        setup: Setup { size, rule, stones, walls, to_move },
        ask: ProgramAsk::Move,
        control: ClockControl::default(),
        time: TimeControl::of_turn(Duration::from_secs(2)),
        limit: None,
    }
}

/// Asks, and returns what comes of it.
fn ask(
    program: &mut ProgramThread,
    events: &Receiver<ProgramEvent>,
    question: ProgramQuestion,
) -> ProgramNews {
    let id = question.id;
    program.ask(question);
    loop {
        let event = events.recv().unwrap();
        assert_eq!(event.id, id);
        if event.news != ProgramNews::Begun {
            return event.news;
        }
    }
}

fn failed(why: &str) -> ProgramNews {
    ProgramNews::Failed(why.to_owned())
}

#[test]
fn a_game_is_begun_once_and_anew_after_whatever_went_wrong() {
    let (mut foo, events, log) = program("cmd=no-such turn=1", |question, _| {
        if question.moves.len() == 3 {
            return Err(PlayerError::Fault(PlayerFault::Crashed("signal 11".to_owned())));
        }
        Ok(answers("i9", 0))
    });
    foo.ask(question(1, "h8"));
    assert_eq!(events.recv().unwrap(), ProgramEvent { id: 1, news: ProgramNews::Begun });
    let news = events.recv().unwrap().news;
    let at_once = MoverSearch::default();
    assert_eq!(news, ProgramNews::Answered(Answer::Moves(points("i9")), at_once, None));
    assert_eq!(ask(&mut foo, &events, question(2, "h8i9h9")), failed("crashed: signal 11"));
    ask(&mut foo, &events, question(3, "h8i9"));
    foo.new_game();
    ask(&mut foo, &events, question(4, ""));
    let begin = "begin 15x15 None Some(1s)";
    let told = ["ask h8", "ask h8i9h9", begin, "ask h8i9", begin, "ask "];
    assert_eq!(*log.lock().unwrap(), [&[begin], &told[..]].concat());
}

#[test]
fn without_a_clock_a_late_answer_counts_and_is_remarked_on() {
    let (mut foo, events, _) = program("cmd=no-such", |_, _| Ok(answers("i9", 7)));
    let ProgramNews::Answered(_, _, remark) = ask(&mut foo, &events, question(1, "h8")) else {
        panic!("no answer")
    };
    assert_eq!(remark.as_deref(), Some("answered after 7000 ms of 2000"));
    let clock = ProgramQuestion { limit: Some(Duration::from_secs(9)), ..question(2, "h8") };
    let ProgramNews::Answered(_, _, remark) = ask(&mut foo, &events, clock) else {
        panic!("no answer")
    };
    assert_eq!(remark, None, "the session keeps the clock");
}

#[test]
fn a_program_is_told_the_clock_of_the_game() {
    let (mut foo, events, log) = program("cmd=no-such turn=1", |_, _| Ok(answers("i9", 0)));
    let s = Duration::from_secs;
    let byoyomi = Some(Byoyomi { periods: 3, length: s(10) });
    let game = ClockControl { game: Some(s(60)), increment: s(2), ..ClockControl::default() };
    let turn = ClockControl { turn: Some(s(5)), ..ClockControl::default() };
    let controls = [game, ClockControl { byoyomi, ..ClockControl::default() }, turn];
    for (id, control) in (1..).zip(controls) {
        ask(&mut foo, &events, ProgramQuestion { control, ..question(id, "") });
    }
    let log = log.lock().unwrap();
    let begun: Vec<&String> = log.iter().filter(|line| line.starts_with("begin")).collect();
    let expected = [
        "begin 15x15 Some(\"60+2\") None",
        "begin 15x15 Some(\"30\") None",
        "begin 15x15 None Some(5s)",
    ];
    assert_eq!(begun, expected);
}

#[test]
fn what_the_protocol_cannot_say_is_not_asked() {
    let (mut foo, events, log) = program("cmd=no-such", |_, _| Ok(answers("i9", 0)));
    let mut walls = question(1, "h8");
    walls.setup.walls = points("a1");
    assert_eq!(ask(&mut foo, &events, walls), failed("cannot be told of blocked cells"));
    let ten = ProgramQuestion { ask: ProgramAsk::OtherOpening, ..question(2, "h8") };
    let why = "knows no opening but swap2: choose for it";
    assert_eq!(ask(&mut foo, &events, ten), failed(why));
    let why = "cannot be told of a position with more stones of one side";
    for (id, stones) in [(3, [Color::Black; 2]), (4, [Color::White; 2])] {
        let mut question = question(id, "h8i9");
        question.setup.stones.iter_mut().zip(stones).for_each(|(stone, color)| stone.1 = color);
        assert_eq!(ask(&mut foo, &events, question), failed(why));
    }
    let mut mover = question(5, "h8i9");
    mover.setup.to_move = Color::White;
    assert_eq!(ask(&mut foo, &events, mover), failed(why));
    assert!(log.lock().unwrap().is_empty());
    // Stones that were set up in another order.
    let mut set_up = question(6, "h8i9a1a2");
    set_up.setup.stones.swap(1, 2);
    ask(&mut foo, &events, set_up);
    assert_eq!(log.lock().unwrap().last().map(String::as_str), Some("ask h8i9a1a2"));
}

#[test]
fn a_question_is_given_up_and_a_panic_is_no_end() {
    let (mut foo, events, log) = program("cmd=no-such", |question, stop| {
        assert!(question.moves.len() < 2, "it cannot count");
        while !stop.is_set() {
            thread::yield_now();
        }
        Err(PlayerError::Abandoned)
    });
    foo.ask(question(1, "h8"));
    assert_eq!(events.recv().unwrap().news, ProgramNews::Begun);
    foo.stop();
    assert_eq!(events.recv().unwrap().news, failed("was stopped"));
    let why = "could not be asked, by a fault of this program";
    assert_eq!(ask(&mut foo, &events, question(2, "h8i9")), failed(why));
    // Dropping it ends what it is at.
    foo.ask(question(3, "h8"));
    drop(foo);
    assert_eq!(log.lock().unwrap().iter().filter(|line| *line == "ask h8").count(), 2);
}
