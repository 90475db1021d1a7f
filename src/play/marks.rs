//! What is told about the cells of a game, on the board and beside it.

use std::collections::HashMap;

use ratatui::text::Line;

use super::voice::Voice;
use crate::screen::board::BoardPicture;
use crate::screen::text::wrapped;
use crate::screen::theme::{Role, Theme};
use tengen_core::types::{Color, Point, PointSet};
use tengen_people::explain::Threat;
use tengen_people::play::{CasualGame, PlayFault, ThreatMap};

/// The legend of the signs of threats.
const LEGEND: &str = "! five, W open four or two threats with a four, F four, D two threes, \
                      T open three";

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

/// Texts of empty cells.
pub(super) type CellLabels = HashMap<Point, (String, Role)>;

/// Returns what a cell says that has this number, from 0, among the expected moves.
pub(super) fn expected_label(index: usize) -> (String, Role) {
    ((index + 1).to_string(), Role::Expected)
}

/// The threats of a game, where they are shown.
pub(super) struct ShownThreats<'a> {
    game: &'a CasualGame,
    map: Option<ThreatMap>,
}

impl<'a> ShownThreats<'a> {
    /// Returns the threats of a game that is not over, if they are to be shown.
    pub(super) fn of(game: &'a CasualGame, are_shown: bool) -> ShownThreats<'a> {
        ShownThreats { game, map: if are_shown { ThreatMap::of(game) } else { None } }
    }

    /// Marks on the board what stones would make on empty cells, and the cells that answer a threat.
    pub(super) fn mark(&self, picture: &mut BoardPicture<'_>) {
        let Some(map) = &self.map else { return };
        picture.answers = map.answers().unwrap_or(PointSet::EMPTY);
        let forbidden = picture.forbidden;
        for point in self.game.board().empties().iter().filter(|&p| !forbidden.contains(p)) {
            let made = Color::ALL.map(|color| (map.made_by(color, point), color));
            if let Some((Some(threat), color)) = made.into_iter().max_by_key(|(made, _)| *made) {
                let role = match color {
                    Color::Black => Role::BlackThreat,
                    Color::White => Role::WhiteThreat,
                };
                // What is expected there is told already.
                picture.labels.entry(point).or_insert((sign(threat).to_string(), role));
            }
        }
    }

    /// Returns what has to be answered, and the legend of the signs.
    pub(super) fn lines(&self, voice: Voice, theme: &Theme, width: usize) -> Vec<Line<'static>> {
        let Some(map) = &self.map else { return Vec::new() };
        let urgency = voice.urgency(self.game, map);
        let (alert, faint) = (theme.style(Role::Alert), theme.style(Role::Faint));
        let told = wrapped(urgency.trim_end(), width).into_iter();
        let told = told.map(|line| Line::styled(line, alert));
        told.chain(wrapped(LEGEND, width).into_iter().map(|l| Line::styled(l, faint))).collect()
    }

    /// Returns what there is to say of a cell: why it is forbidden, what stones would make there, and whether
    /// one answers a threat.
    pub(super) fn facts(&self, point: Point) -> Vec<String> {
        let game = self.game;
        let forbidden = game.forbidden().into_iter().filter(|(cell, _)| *cell == point);
        let mut facts: Vec<String> = forbidden
            .map(|(_, kind)| format!("forbidden: {}", PlayFault::of_violation(kind)))
            .collect();
        let Some(map) = &self.map else { return facts };
        for color in [game.to_move(), !game.to_move()] {
            let made = map.made_by(color, point);
            facts.extend(made.map(|threat| format!("{color}: {threat}")));
        }
        if map.answers().is_some_and(|set| set.contains(point)) {
            facts.push("answers the threat".to_owned());
        }
        facts
    }
}
