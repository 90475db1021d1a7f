//! The walk through a game that was reviewed.

use ratatui::crossterm::event::KeyCode;
use ratatui::text::Line;

use super::Screen;
use super::board::MOST_EXPECTED;
use crate::common::reviews::{ReviewWords, accuracy};
use crate::play::marks::{CellLabels, expected_label};
use crate::play::voice::capital;
use crate::screen::text::wrapped;
use crate::screen::theme::Role;
use tengen_core::sys::clock::Clock;
use tengen_core::types::Color;
use tengen_engine::engine::Thinker;
use tengen_people::play::Debrief;
use tengen_people::review::GameReview;

impl<T: Thinker, C: Clock> Screen<T, C> {
    /// Says what a review has found, and shows the first move to which there was a better one.
    pub(super) fn reviewed(&mut self, review: GameReview) {
        for color in Color::ALL {
            let said = format!("{}: accuracy {}.\n", capital(color), accuracy(&review, color));
            self.table.say(&said);
        }
        self.debrief = Debrief::new(self.table.session().game().clone(), review);
        if self.debrief.is_none() {
            self.table.say("No inaccuracy, mistake or blunder.\n");
        }
    }

    /// Takes a key of the walk, and returns whether it is one.
    pub(super) fn debrief_key(&mut self, code: KeyCode) -> bool {
        let Some(debrief) = &mut self.debrief else { return false };
        match code {
            KeyCode::Right | KeyCode::Down | KeyCode::Enter | KeyCode::Char(' ' | 'l' | 'j') => {
                debrief.step(true);
            }
            KeyCode::Left | KeyCode::Up | KeyCode::Backspace | KeyCode::Char('h' | 'k') => {
                debrief.step(false);
            }
            KeyCode::Esc | KeyCode::Char('q') => self.debrief = None,
            _ => return false,
        }
        true
    }

    /// Returns what is told of the move that is shown.
    pub(super) fn debrief_lines(&self, debrief: &Debrief, width: usize) -> Vec<Line<'static>> {
        let theme = &self.look.theme;
        let words = ReviewWords { ascii: self.look.ascii, ..self.table.review_words() };
        let ((number, count), current) = (debrief.place(), debrief.current());
        let mut lines =
            vec![Line::styled(format!("Review, {number} of {count}"), theme.style(Role::Title))];
        let verdict = words.verdict(current);
        let alert = theme.style(Role::Alert);
        lines.extend(wrapped(&verdict, width).into_iter().map(|l| Line::styled(l, alert)));
        for text in [words.why(current), format!("better: {}", words.better(current))] {
            lines.extend(wrapped(&text, width).into_iter().map(Line::raw));
        }
        lines
    }

    /// Returns what the cells say: the move that was played, and the better line by numbers.
    pub(super) fn debrief_labels(&self, debrief: &Debrief) -> CellLabels {
        let current = debrief.current();
        let line = current.line.iter().take(MOST_EXPECTED).enumerate();
        let mut labels: CellLabels = line.map(|(i, &point)| (point, expected_label(i))).collect();
        let role = match current.color {
            Color::Black => Role::BlackThreat,
            Color::White => Role::WhiteThreat,
        };
        labels.insert(current.point, ("?".to_owned(), role));
        labels
    }
}
