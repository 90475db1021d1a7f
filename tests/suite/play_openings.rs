//! Openings that people and the engine share, up to the ends of whole games.

use std::thread;

use crossbeam_channel::Receiver;
use tengen_core::eval::EvaluatorKind;
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{OpeningChoice, OpeningRule, Rule};
use tengen_core::sys::clock::SystemClock;
use tengen_core::types::{ByColor, Point, Size};
use tengen_engine::engine::{Engine, Event, Settings, Thinker};
use tengen_people::play::{
    CasualGame, ClockControl, Controller, PlayNotice, PlaySession, PlayTerms, ThinkingLimits,
};

use crate::place::Place;
use crate::play::Dialog;

type RealSession = PlaySession<Engine, SystemClock>;

fn begin(rule: OpeningRule, sides: [Controller; 2]) -> (RealSession, Receiver<Event>) {
    let (mut engine, events) = Engine::new();
    // Reproducible and small; what the openings need is any search at all.
    let evaluator = EvaluatorKind::Patterns;
    engine.set_settings(Settings { hash_size: Some(1 << 20), evaluator, ..Settings::default() });
    let thinking = ThinkingLimits { nodes: Some(40), ..ThinkingLimits::default() };
    let terms = PlayTerms {
        sides: ByColor(sides),
        skills: ByColor::default(),
        clock: ClockControl::default(),
        thinking,
    };
    let game = CasualGame::new(Size::DEFAULT, Rule::Renju);
    let session = PlaySession::new(engine, SystemClock, terms, game);
    (session.with_opening(rule).expect("a board that is large enough"), events)
}

/// Returns a cell that the rules allow, next to a stone.
fn some_move(session: &RealSession, rng: &mut SplitMix64) -> Point {
    let game = session.game();
    let stones: Vec<Point> = game.moves().iter().filter_map(|m| m.point()).collect();
    let forbidden: Vec<Point> = game.forbidden().into_iter().map(|(point, _)| point).collect();
    let near = |p: &Point| stones.iter().any(|stone| stone.distance(*p) == 1);
    let free = |p: &Point| game.board().is_empty(*p) && !forbidden.contains(p);
    let mut cells: Vec<Point> = game.size().points().filter(free).collect();
    if cells.iter().any(near) {
        cells.retain(near);
    }
    cells[rng.below(cells.len())]
}

/// Plays a game to its end. A person does anything that is allowed.
fn play(rule: OpeningRule, sides: [Controller; 2], rng: &mut SplitMix64) {
    let (mut session, events) = begin(rule, sides);
    let mut told = session.start();
    let mut chosen = 0;
    loop {
        assert!(!told.contains(&PlayNotice::NoMove), "{rule}");
        for notice in &told {
            if let PlayNotice::Chosen { by, seat, .. } = notice {
                chosen += 1;
                let player = session.opening().expect("an opening").player(*seat);
                assert_eq!(*by, player, "{rule}: nobody chooses for others");
            }
        }
        if session.game().end().is_some() {
            break;
        }
        told = if session.is_busy() {
            session.event(events.recv().expect("the engine is there"))
        } else if session.asked().is_some() {
            let allowed = session.opening().expect("an opening").course().allowed();
            session.choose(&[allowed[rng.below(allowed.len())]]).expect("it is allowed")
        } else {
            let point = some_move(&session, rng);
            session.play(&[point]).expect("it is allowed")
        };
    }
    assert!(matches!(told.last(), Some(PlayNotice::Over(_))), "{told:?}");
    let opening = session.opening().expect("an opening");
    assert_eq!(opening.course().choices().len(), chosen);
    assert!(opening.question().is_none());
    let stones = opening.course().stones();
    let moves: Vec<Point> = session.record().points().take(stones.len()).collect();
    assert_eq!(moves, stones);
}

#[test]
fn whole_games_are_played_from_every_opening_by_people_and_the_engine() {
    let (person, engine) = (Controller::Person, Controller::Engine);
    thread::scope(|scope| {
        for (i, rule) in OpeningRule::ALL.into_iter().enumerate() {
            scope.spawn(move || {
                let mut rng = SplitMix64::new(100 + i as u64);
                for sides in [[engine, engine], [person, engine], [engine, person]] {
                    play(rule, sides, &mut rng);
                }
            });
        }
    });
}

/// The engine's choices are searched for: it takes the side that has won already.
#[test]
fn the_engine_takes_the_better_side() {
    let at = |x, y| OpeningChoice::Cell(Size::DEFAULT.point(x, y).expect("a cell"));
    let sides = [Controller::Person, Controller::Engine];
    for (stones, takes) in [
        // Two black stones side by side in the middle, and white far away.
        ([at(7, 7), at(0, 14), at(8, 7)], OpeningChoice::Swap),
        // Black stones in corners, and white in the middle.
        ([at(0, 0), at(7, 7), at(14, 14)], OpeningChoice::Stay),
    ] {
        for rule in [OpeningRule::Swap, OpeningRule::Swap2] {
            let (mut session, events) = begin(rule, sides);
            session.start();
            session.choose(&stones).expect("it is allowed");
            while session.opening().expect("an opening").course().choices().len() == 3 {
                session.event(events.recv().expect("the engine is there"));
            }
            let opening = session.opening().expect("an opening").course();
            assert_eq!(opening.choices()[3], takes, "{rule}");
        }
    }
}

const PEOPLE: [&str; 8] =
    ["play", "--line", "--black", "person", "--white", "person", "--autosave", "game.json"];

fn typed(place: &Place, args: &[&str], lines: &str) -> String {
    let output = place.run(args, lines);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && output.stderr.is_empty(), "{text}");
    text
}

#[test]
fn an_opening_is_played_by_typed_lines() {
    let place = Place::new("play-openings");
    let args = [&PEOPLE[..], &["--opening", "soosorv8"]].concat();
    let lines = "h9\nh8\nh9\nswap\nj10\nopening\nstay\ng8\n9\n2\nswap\na1\na1\nb1\nb1\nmoves\n";
    let answers = typed(&place, &args, lines);
    // Renju counts rows from the bottom.
    assert_eq!(
        answers,
        "renju 15x15, black is a person, white is a person, rows from the bottom.\n\
         Opening Soosõrv-8, the first player is a person, the second is a person.\n\
         The first player, black: place stone 1, black, in the centre.\n\
         Type help for the commands.\n\
         Error: h9 is not in the centre, where this stone has to be.\n\
         Stone 1: black h8.\n\
         The first player, black: place stone 2, white, in the central 3x3.\n\
         Stone 2: white h9.\n\
         The first player, black: place stone 3, black, in the central 5x5.\n\
         Error: what is asked now is to place stone 3, black, in the central 5x5.\n\
         Stone 3: black j10.\n\
         The first three stones are Sosei (D3).\n\
         The second player, white: choose the colour.\n\
         swap: you take black; then the other player is to place stone 4, white, anywhere.\n\
         stay: you keep white; then you are to place stone 4, white, anywhere.\n\
         The second player, white: choose the colour.\n\
         swap: you take black; then the other player is to place stone 4, white, anywhere.\n\
         stay: you keep white; then you are to place stone 4, white, anywhere.\n\
         The second player keeps white.\n\
         The second player, white: place stone 4, white, anywhere.\n\
         Stone 4: white g8.\n\
         The second player, white: say how many fifth stones black has to offer, from 1 to 8.\n\
         Error: the number of fifth stones is from 1 to 8.\n\
         Fifth stones that black has to offer: 2.\n\
         The first player, black: choose the colour.\n\
         swap: you take white; then the other player is to offer fifth stone 1 of 2, black, \
         anywhere.\n\
         stay: you keep black; then you are to offer fifth stone 1 of 2, black, anywhere.\n\
         The first player takes white.\n\
         The second player, black: offer fifth stone 1 of 2, black, anywhere.\n\
         Fifth stone 1 of 2 on offer: a1.\n\
         The second player, black: offer fifth stone 2 of 2, black, anywhere.\n\
         On offer: a1.\n\
         Error: a1 is on offer already.\n\
         Fifth stone 2 of 2 on offer: b1.\n\
         The first player, white: keep one of the fifth stones on offer.\n\
         On offer: a1 b1.\n\
         Stone 5: black b1 stays.\n\
         The opening is finished: black is a person, white is a person. White to move.\n\
         The first 5 stones were given.\n\
         1. h8 2. h9 3. j10 4. g8 5. b1\n"
    );
}

#[test]
fn a_game_that_was_killed_in_its_opening_goes_on_there() {
    let place = Place::new("play-openings-kill");
    let args = [&PEOPLE[..], &["--opening", "swap2", "--size", "13"]].concat();
    let mut dialog = Dialog::begin(&place, &args);
    dialog.say("g7 g8 h9");
    dialog.until("stay: ");
    dialog.say("two");
    dialog.until("The second player, black: place stone 4");
    dialog.say("a1");
    dialog.until("The second player, black: place stone 5");
    drop(dialog);
    let resume = ["play", "--line", "--resume", "--autosave", "game.json"];
    let answers = typed(&place, &resume, "undo 2\nredo 1\nb1\nc1\nswap\nd1\nmoves\nnew\n");
    let expected = [
        "Opening swap2, the first player is a person, the second is a person.",
        "The second player, black: place stone 5, black, anywhere.",
        "two: the other player chooses after two more stones; then you are to place stone 4, white, \
         anywhere.",
        "The second player, black: place stone 4, white, anywhere.",
        "Stone 5: black c1.",
        "The first player takes black.",
        "Move 6: white d1.",
        "1. g7 2. g8 3. h9 4. b1 5. c1 6. d1",
        "The first player, black: place stone 1, black, anywhere.",
    ];
    let mut lines = answers.lines();
    for line in expected {
        assert!(lines.any(|said| said == line), "{line:?} is missing: {answers}");
    }
}

#[test]
fn the_opening_of_the_next_game_is_typed_too() {
    let place = Place::new("play-openings-next");
    let lines = "opening\nopening chess\nopening swap\nh8\nopening none\nnew\nopening\nstay\n5\n\
                 size 7\nopening rif\n";
    let answers = typed(&place, &PEOPLE, lines);
    let expected = [
        "The game has no opening.",
        "Error: the openings are swap, swap2, rif, yamaguchi, soosorv8 and taraguchi10; or none.",
        "Opening swap, the first player is a person, the second is a person.",
        "The first player, black: place stone 1, black, anywhere.",
        "Stone 1: black h8.",
        "The next game: freestyle 15x15. new begins it.",
        "The game has no opening.",
        "Error: there is nothing to choose: no opening is being played.",
        "Error: there is nothing to choose: no opening is being played.",
        "Error: the opening needs a board of at least 9x9.",
    ];
    let mut lines = answers.lines();
    for line in expected {
        assert!(lines.any(|said| said == line), "{line:?} is missing: {answers}");
    }
    let small = place.run(&["play", "--line", "--opening", "rif", "--size", "7"], "");
    let error = String::from_utf8_lossy(&small.stderr).into_owned();
    assert_eq!(error, "Error: --opening: the opening needs a board of at least 9x9\n");
}
