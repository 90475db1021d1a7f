//! The contents of the board.

use std::collections::HashMap;

use ratatui::buffer::Buffer;

use super::Screen;
use crate::screen::board::BoardPicture;
use crate::screen::layout::Layout;
use crate::screen::theme::Role;
use tengen_core::sys::clock::Clock;
use tengen_core::types::{Color, Point, PointSet};
use tengen_engine::engine::Thinker;
use tengen_people::explain::Threat;
use tengen_people::play::ThreatMap;

/// The most moves of the expected line that are drawn.
pub(super) const MOST_EXPECTED: usize = 9;

/// Returns the sign of a threat: no digit, which would be the number of a move.
const fn sign(threat: Threat) -> char {
    match threat {
        Threat::Five => '!',
        Threat::OpenFour | Threat::DoubleFour | Threat::FourThree => 'W',
        Threat::Four => 'F',
        Threat::DoubleThree => 'D',
        Threat::OpenThree => 'T',
    }
}

/// The legend of the signs of threats.
pub(super) const LEGEND: &str = "! five, W open four or two threats with a four, F four, \
                                 D two threes, T open three";

impl<T: Thinker, C: Clock> Screen<T, C> {
    pub(super) fn draw_board(&self, buffer: &mut Buffer, layout: &Layout) {
        let game = self.game();
        let threats = if self.shown.threats { ThreatMap::of(game) } else { None };
        let origin = self.table.voice().origin(game);
        let mut labels = self.labels(threats.as_ref());
        if let Some(debrief) = &self.debrief {
            labels.extend(self.debrief_labels(debrief));
        }
        let picture = BoardPicture {
            cursor: Some(self.cursor),
            labels,
            answers: threats.as_ref().and_then(ThreatMap::answers).unwrap_or(PointSet::EMPTY),
            ..BoardPicture::of_game(game, origin, &self.look, self.shown.numbers)
        };
        picture.draw(buffer, layout);
    }

    /// Returns what empty cells say: the threats that could be made there, and the numbers of the
    /// expected moves, or of the first of them if that is a hint.
    fn labels(&self, threats: Option<&ThreatMap>) -> HashMap<Point, (String, Role)> {
        let game = self.game();
        let forbidden: PointSet = game.forbidden().into_iter().map(|(point, _)| point).collect();
        let mut labels = HashMap::new();
        for point in game.board().empties().iter().filter(|&point| !forbidden.contains(point)) {
            let Some(map) = threats else { break };
            let made = Color::ALL.map(|color| (map.made_by(color, point), color));
            if let Some((Some(threat), color)) = made.into_iter().max_by_key(|(made, _)| *made) {
                let role = match color {
                    Color::Black => Role::BlackThreat,
                    Color::White => Role::WhiteThreat,
                };
                labels.insert(point, (sign(threat).to_string(), role));
            }
        }
        let most = match (self.shown.evaluation, self.shows_hint) {
            (true, _) => MOST_EXPECTED,
            (false, hint) => usize::from(hint),
        };
        let is_elsewhere = self.table.shown().is_some() || self.debrief.is_some();
        if let Some(outlook) = self.outlook.as_ref().filter(|_| !is_elsewhere) {
            for (i, &point) in outlook.expected(game).iter().take(most).enumerate() {
                labels.insert(point, ((i + 1).to_string(), Role::Expected));
            }
        }
        labels
    }
}
