//! The contents of the board.

use ratatui::buffer::Buffer;

use super::Screen;
use crate::play::marks::{CellLabels, ShownThreats, expected_label};
use crate::screen::board::BoardPicture;
use crate::screen::layout::Layout;
use tengen_core::sys::clock::Clock;
use tengen_engine::engine::Thinker;

/// The most moves of the expected line that are drawn.
pub(super) const MOST_EXPECTED: usize = 9;

impl<T: Thinker, C: Clock> Screen<T, C> {
    pub(super) fn draw_board(&self, buffer: &mut Buffer, layout: &Layout) {
        let game = self.game();
        let origin = self.table.voice().origin(game);
        let mut picture = BoardPicture {
            cursor: Some(self.cursor),
            labels: match &self.debrief {
                Some(debrief) => self.debrief_labels(debrief),
                None => self.expected_labels(),
            },
            ..BoardPicture::of_game(game, origin, &self.look, self.shown.numbers)
        };
        self.threats().mark(&mut picture);
        picture.draw(buffer, layout);
    }

    /// Returns the threats of the game that is to be seen, where they are shown.
    pub(super) fn threats(&self) -> ShownThreats<'_> {
        ShownThreats::of(self.game(), self.shown.threats)
    }

    /// Returns the numbers of the expected moves, or of the first of them if that is a hint.
    fn expected_labels(&self) -> CellLabels {
        let outlook = self.outlook.as_ref().filter(|_| self.table.shown().is_none());
        // What was thought of the position before is no hint.
        let is_hint = outlook.is_some_and(|o| self.hinted.as_ref() == Some(&o.at));
        let most = if self.shown.evaluation { MOST_EXPECTED } else { usize::from(is_hint) };
        let here = self.table.session().reached();
        let expected = outlook.map_or(&[][..], |o| o.at.rest_of(&o.hint.line, &here));
        let numbered = expected.iter().take(most).enumerate();
        numbered.map(|(i, &point)| (point, expected_label(i))).collect()
    }
}
