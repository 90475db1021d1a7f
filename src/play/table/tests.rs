//! What a table keeps, and who plays the next game.

use std::fs;
use std::time::Instant;

use super::*;
use tengen_core::notation::{BoardGlyphs, Origin};
use tengen_core::rules::{OpeningRule, Seat};
use tengen_core::sys::clock::ManualClock;
use tengen_core::types::ByColor;
use tengen_people::play::scripted::{ScriptedThinker, USUAL};
use tengen_people::play::{ClockControl, ThinkingLimits, saved_game};
use tengen_people::review::Effort;

/// Returns a table at which these sit, with an opening if there is one, and a file.
fn table(
    sides: ByColor<Controller>,
    opening: Option<OpeningRule>,
    autosave: Option<Autosave>,
) -> PlayTable<ScriptedThinker, ManualClock> {
    let (clock, thinking) = (ClockControl::default(), ThinkingLimits::default());
    let terms = PlayTerms { sides, skills: ByColor::default(), clock, thinking };
    let game = CasualGame::new(Size::DEFAULT, Rule::Freestyle);
    let now = ManualClock::new(Instant::now());
    let mut session = PlaySession::new(ScriptedThinker::default(), now, terms, game);
    if let Some(rule) = opening {
        session = session.with_opening(rule).expect("the board is large enough");
    }
    let voice = Voice { origin: Some(Origin::Bottom), glyphs: BoardGlyphs::Letters };
    let (coach, _) = Coach::start(false, Effort::Nodes(300));
    PlayTable::new(session, voice, autosave, coach, None)
}

#[test]
fn what_could_not_be_saved_is_told_of_every_move_and_tried_again_before_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.json");
    let autosave = Autosave::open(&path).unwrap();
    // A file takes the place of no folder.
    fs::create_dir(&path).unwrap();
    let people = ByColor([Controller::Person; 2]);
    let mut table = self::table(people, None, Some(autosave));
    table.obey("h8");
    assert!(table.said().contains("Error: the game was not saved: "));
    assert_eq!(table.said(), "");
    table.obey("i9");
    assert!(table.said().contains("was not saved"));
    assert_eq!(table.kept_in(), None);
    fs::remove_dir(&path).unwrap();
    assert_eq!(table.kept_in(), Some(path.as_path()));
    let saved = saved_game(&path).unwrap().expect("it was saved");
    assert_eq!(saved.game.moves().len(), 2);

    // A game that was begun with moves, and never changed, is saved at the end.
    let path = dir.path().join("begun.json");
    let mut table = self::table(people, None, Some(Autosave::open(&path).unwrap()));
    table.start();
    assert!(table.said().contains("to move") && !path.exists());
    assert_eq!(table.kept_in(), Some(path.as_path()));
    assert!(path.exists());
}

#[test]
fn a_rematch_of_an_opening_is_begun_by_the_other_player() {
    let mut table = table(USUAL, Some(OpeningRule::Swap2), None);
    let seats = |table: &PlayTable<_, _>| {
        let opening = table.session().opening().expect("each game has one");
        ByColor([Seat::A, Seat::B].map(|seat| opening.player(seat)))
    };
    assert_eq!(seats(&table), USUAL);
    table.carry_out(TypedCommand::Rematch);
    assert_eq!(seats(&table), ByColor([USUAL.0[1], USUAL.0[0]]));
    table.carry_out(TypedCommand::Rematch);
    assert_eq!(seats(&table), USUAL);
    let people = ByColor([Controller::Person; 2]);
    let terms = PlayTerms { sides: people, ..*table.session().terms() };
    table.begin(terms, Size::DEFAULT, Rule::Renju);
    assert_eq!(seats(&table), people, "others were agreed on");
}
