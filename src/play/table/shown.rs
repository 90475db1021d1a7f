//! A win that is shown at a table instead of its game.

use super::PlayTable;
use crate::play::typed::TypedCommand;
use tengen_core::sys::clock::Clock;
use tengen_engine::engine::Thinker;

impl<T: Thinker, C: Clock> PlayTable<T, C> {
    /// Does a command where a win is shown, and returns it if it is one about anything else.
    pub(super) fn carry_out_shown(&mut self, command: TypedCommand) -> Option<TypedCommand> {
        let Some(shown) = &mut self.shown else { return Some(command) };
        match command {
            TypedCommand::Play(points) => {
                for point in points {
                    match shown.defend(point) {
                        Ok(answer) => self.text += &self.voice.defended(shown, point, answer),
                        Err(fault) => {
                            self.text += &self.voice.fault(shown.game(), fault);
                            break;
                        }
                    }
                }
                None
            }
            TypedCommand::Undo(_) => {
                self.text += &match shown.take_back() {
                    Ok(()) => self.voice.turn(shown.game()),
                    Err(fault) => self.voice.fault(shown.game(), fault),
                };
                None
            }
            TypedCommand::Back => {
                self.shown = None;
                self.text += "The game goes on. ";
                self.text += &self.voice.turn(self.session.game());
                None
            }
            command if command.changes_game() => {
                self.text += "Error: a win is shown: back returns to the game.\n";
                None
            }
            command => Some(command),
        }
    }
}
