//! Whole screens as they were looked at.

use super::{PEOPLE, Viewer, game, points};
use crate::common::options::ThemeName;
use crate::screen::theme::{ColorDepth, Role, Theme};
use tengen_core::rules::Rule;
use tengen_core::types::Size;
use tengen_files::records::Record;
use tengen_people::play::CasualGame;
use tengen_people::play::scripted::USUAL;

/// A game in the middle, at three sizes.
#[test]
fn a_game_in_the_middle() {
    let start = game(Rule::Freestyle, Size::DEFAULT, "h8i9i8g8j9");
    let mut viewer = Viewer::new(USUAL, start, ColorDepth::None);
    viewer.report("h7k10h9", 110);
    viewer.answer("h7");
    viewer.press("v");
    for (columns, rows) in [(80, 24), (120, 40), (50, 20)] {
        viewer.shows("middle", columns, rows);
    }
}

#[test]
fn forbidden_points_and_threats() {
    let mut viewer = Viewer::people(Rule::Renju, "g8a1i8a3h7a5h9a7");
    viewer.press("t");
    assert_eq!(viewer.screen.cursor, points("h8")[0]);
    for (columns, rows) in [(80, 24), (120, 40), (50, 20)] {
        viewer.shows("renju", columns, rows);
    }
}

#[test]
fn numbers_and_the_winning_line() {
    let mut viewer = Viewer::people(Rule::Freestyle, "h8i9h9i8h10i10h11i11h12");
    viewer.press("m");
    viewer.shows("won", 80, 24);
}

#[test]
fn the_help_and_a_new_game() {
    let mut viewer = Viewer::people(Rule::Freestyle, "");
    viewer.press("?");
    viewer.shows("help", 80, 24);
    viewer.shows("help", 120, 40);
    viewer.press("<Esc>n<Down>");
    viewer.shows("new", 80, 24);
}

#[test]
fn large_and_small_boards_and_letters_alone() {
    let size = Size::square(22).unwrap();
    let mut viewer = Viewer::new(PEOPLE, game(Rule::Standard, size, "k11l12"), ColorDepth::None);
    viewer.shows("large", 80, 24);
    viewer.shows("large", 50, 20);
    let start = game(Rule::Freestyle, Size::new(6, 5).unwrap(), "a1b2");
    let mut viewer = Viewer::new(PEOPLE, start, ColorDepth::None);
    viewer.screen.look.ascii = true;
    viewer.typed("set f5 wall");
    viewer.press("tv");
    let text = viewer.text(50, 20);
    assert!(text.is_ascii(), "{text}");
    viewer.shows("ascii", 50, 20);
}

/// The meanings of colours: both stones, the winning line and forbidden cells look different in every
/// theme and on every terminal.
#[test]
fn themes_tell_things_apart() {
    for depth in [ColorDepth::None, ColorDepth::Named, ColorDepth::Indexed, ColorDepth::True] {
        for name in [ThemeName::Dark, ThemeName::Light, ThemeName::Plain] {
            let record = Record::of_points(Size::DEFAULT, &points("h8i9h9i8h10i10h11i11h12"));
            let game = CasualGame::from_record(record, &[], Rule::Freestyle).unwrap();
            let mut viewer = Viewer::new(PEOPLE, game, depth);
            viewer.screen.look.theme = Theme::named(name, depth);
            let buffer = viewer.buffer(80, 24);
            let look = |cell: &str| {
                let point = points(cell)[0];
                let cell = &buffer[(4 + 2 * u16::from(point.x()), 1 + u16::from(point.y()))];
                (cell.symbol().to_owned(), cell.fg, cell.bg, cell.modifier)
            };
            let looks = [look("h9"), look("i9"), look("a1")];
            assert_ne!(looks[0], looks[1], "{name:?} {depth:?}");
            assert_ne!(looks[1], looks[2], "{name:?} {depth:?}");
            let theme = &viewer.screen.look.theme;
            let win = theme.style(Role::Win);
            assert_ne!(win, theme.style(Role::Text), "{name:?} {depth:?}");
        }
    }
}
