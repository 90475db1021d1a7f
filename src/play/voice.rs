//! Answers in short lines that can be listened to.

use std::borrow::Cow;
use std::time::Duration;

use crate::common::words::{cells, move_name, usual_origin};
use tengen_core::notation::{BoardGlyphs, Diagram, Origin};
use tengen_core::sys::clock::Clock;
use tengen_core::threats::{Replies, ThreatCheck};
use tengen_core::types::{Color, Point, PointSet, ScoreKind};
use tengen_engine::engine::Thinker;
use tengen_files::printable::printable;
use tengen_files::records::{GameResult, Move, Reason};
use tengen_files::words::{counted, spoken_time};
use tengen_people::explain::{Remark, Threat, WinAhead};
use tengen_people::play::{
    CasualGame, Controller, EndOfGame, Hint, PlayFault, PlayNotice, PlaySession, PlayTerms,
    ProgramName, ShownWin, SideClock, ThreatMap,
};

/// The moves on a line of the list of moves.
const MOVES_PER_LINE: usize = 10;

/// The way to say things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Voice {
    /// The edge from which rows count; by the rule if there is none.
    pub(super) origin: Option<Origin>,
    /// The signs on the board.
    pub(super) glyphs: BoardGlyphs,
}

/// The players of a session, and what they are called.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cast<'a> {
    terms: &'a PlayTerms,
    programs: &'a [ProgramName],
}

impl<'a> Cast<'a> {
    pub(super) fn of<T: Thinker, C: Clock>(session: &'a PlaySession<T, C>) -> Cast<'a> {
        Cast { terms: session.terms(), programs: session.programs() }
    }

    /// Returns what a player is called in the middle of a sentence.
    pub(super) fn name(self, player: Controller) -> Cow<'a, str> {
        match player {
            Controller::Person => "a person".into(),
            Controller::Engine => "the engine".into(),
            Controller::Program(number) => {
                let program = self.programs.get(usize::from(number));
                program.map_or("a program".into(), |program| printable(&program.name))
            }
        }
    }

    /// Returns what a player is called at the beginning of a sentence.
    pub(super) fn capital(self, player: Controller) -> Cow<'a, str> {
        match player {
            Controller::Engine => "The engine".into(),
            player => self.name(player),
        }
    }

    /// Returns what is added to a move or a choice of this player.
    pub(super) fn by(self, player: Controller) -> String {
        match player {
            Controller::Person => String::new(),
            player => format!(", {}", self.name(player)),
        }
    }

    /// Returns who plays a side, with the level of the engine.
    fn side(self, color: Color) -> String {
        let (player, level) = (self.terms.sides[color], self.terms.skills[color].level);
        let level = match player {
            Controller::Engine if !level.is_full() => format!(" at level {level}"),
            _ => String::new(),
        };
        format!("{}{level}", self.name(player))
    }
}

/// Returns the name of a side at the beginning of a sentence.
pub(super) const fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

impl Voice {
    /// Returns the edge from which the rows of a game count.
    pub(super) fn origin(self, game: &CasualGame) -> Origin {
        self.origin.unwrap_or_else(|| usual_origin(Some(game.rule()), None))
    }

    pub(super) fn cell(self, game: &CasualGame, point: Point) -> String {
        self.origin(game).turn(point, game.size()).to_string()
    }

    /// Returns the line of an action that is refused.
    pub(super) fn fault(self, game: &CasualGame, fault: PlayFault) -> String {
        let origin = self.origin(game);
        format!("Error: {}.\n", fault.turned(|point| origin.turn(point, game.size())))
    }

    /// Returns the lines of what has happened.
    pub(super) fn notice(self, game: &CasualGame, cast: Cast<'_>, notice: &PlayNotice) -> String {
        match notice {
            PlayNotice::Played { number, point, color, by } => {
                let (cell, by) = (self.cell(game, *point), cast.by(*by));
                format!("Move {number}: {color} {cell}{by}.\n")
            }
            PlayNotice::Over(end) => self.end(game, end),
            PlayNotice::Hint(hint) => self.hint(game, hint),
            PlayNotice::DrawOffered(color) => {
                format!("{} offers a draw: draw accepts it, a move declines it.\n", capital(*color))
            }
            PlayNotice::DrawDeclined(color) => {
                format!("{} declines the draw.\n", capital(*color))
            }
            PlayNotice::EngineWaits => {
                let color = game.to_move();
                let who = cast.capital(cast.terms.sides[color]);
                format!("{who} waits, with {color} to move: go lets it play.\n")
            }
            PlayNotice::ProgramFailed(by, why) => {
                format!("Error: {} {}.\n", cast.name(*by), printable(why))
            }
            PlayNotice::ProgramRemark(by, what) => {
                format!("{} {}.\n", cast.capital(*by), printable(what))
            }
            PlayNotice::Unplayable(by, point, fault) => {
                let (cell, origin) = (self.cell(game, *point), self.origin(game));
                let fault = fault.turned(|point| origin.turn(point, game.size()));
                format!("Error: {} plays {cell}, but {fault}.\n", cast.name(*by))
            }
            PlayNotice::NoMove => "The engine has found no move.\n".to_owned(),
            PlayNotice::EngineFault(text) => format!("The engine: {}.\n", printable(text)),
            // Events of openings are reported there.
            PlayNotice::Chosen { .. }
            | PlayNotice::Asked(_)
            | PlayNotice::Opened(_)
            | PlayNotice::NotOpened(_)
            | PlayNotice::Advice(_) => String::new(),
        }
    }

    /// Returns the line of the end of a game.
    pub(super) fn end(self, game: &CasualGame, end: &EndOfGame) -> String {
        let result = match end.result {
            GameResult::Win(winner) => format!("{winner} wins"),
            GameResult::Draw => "a draw".to_owned(),
        };
        let loser = match end.result {
            GameResult::Win(winner) => !winner,
            GameResult::Draw => Color::White,
        };
        let why = match (&end.reason, end.run) {
            (_, Some(run)) => {
                let stones: Vec<Point> = run.points().collect();
                let ends = [stones.first(), stones.last()]
                    .map(|point| point.map_or_else(String::new, |&point| self.cell(game, point)));
                format!(", {} in a row from {} to {}", run.len, ends[0], ends[1])
            }
            (Some(Reason::Forbidden(kind)), _) => {
                format!(", black's last move is forbidden: {}", PlayFault::of_violation(*kind))
            }
            (Some(Reason::FullBoard), _) => ", nobody can win any more".to_owned(),
            (Some(Reason::Resignation), _) => format!(", {loser} resigns"),
            (Some(Reason::Time), _) => format!(", {loser} has run out of time"),
            (Some(Reason::Other(words)), _) => {
                format!(" ({})", printable(words))
            }
            (Some(reason), _) => format!(" ({})", reason.name()),
            (None, _) => String::new(),
        };
        format!("Game over: {result}{why}.\n")
    }

    fn hint(self, game: &CasualGame, hint: &Hint) -> String {
        let origin = self.origin(game);
        let why = self.why(game, hint.point);
        let why = if why.is_empty() { why } else { format!(", which {why}") };
        let mut text = format!("Hint: {}{why}.", self.cell(game, hint.point));
        if let Some(judgement) = hint.judgement {
            let plies = |plies: u16| counted(plies.into(), "ply");
            text += &match judgement.score.kind() {
                ScoreKind::Win(n) => format!(" {} wins in {}.", capital(hint.color), plies(n)),
                ScoreKind::Loss(n) => format!(" {} loses in {}.", capital(hint.color), plies(n)),
                ScoreKind::Value(_) => {
                    let percent = |chance: f64| (chance * 100.0).round();
                    let chances = judgement.chances;
                    let draw = match percent(chances.draw) {
                        0.0 => String::new(),
                        draw => format!(", to draw {draw} percent"),
                    };
                    format!(
                        " {}'s chance to win {} percent{draw}.",
                        capital(hint.color),
                        percent(chances.win)
                    )
                }
            };
        }
        text += &format!(" Expected: {}.\n", cells(&hint.line, game.size(), origin));
        text
    }

    /// Returns what is good about a move of the side to move, as in `makes a four and stops the
    /// open four at h8`, or nothing.
    fn why(self, game: &CasualGame, point: Point) -> String {
        if !game.board().is_empty(point) {
            return String::new();
        }
        let origin = self.origin(game);
        let good = game.remarks(point).into_iter().filter(|remark| !remark.is_fault());
        let words = |remark: Remark| remark.seen_from(origin, game.size()).to_string();
        good.map(words).collect::<Vec<_>>().join(" and ")
    }

    /// Returns the lines of a win that is shown from now on.
    pub(super) fn win(self, shown: &ShownWin, ahead: WinAhead) -> String {
        let (attacker, game) = (shown.attacker(), shown.game());
        let mut text = format!("{} wins {ahead}.\n", capital(attacker));
        let first = game.moves().last().map(|m| self.played(game, m));
        text += &format!("{} {}. ", capital(attacker), first.unwrap_or_default());
        text += &match shown.end() {
            Some(end) => self.end(game, end),
            None => format!("Defend with {} as you like.\n", !attacker),
        };
        text += "undo tries another defence, back returns to the game.\n";
        text
    }

    /// Returns the line of a defence against a win that is shown, and the answer.
    pub(super) fn defended(self, shown: &ShownWin, reply: Point, answer: Option<Point>) -> String {
        let (attacker, game) = (shown.attacker(), shown.game());
        let answer = answer
            .map_or_else(String::new, |answer| format!(", {attacker} {}", self.cell(game, answer)));
        let mut text = format!("{} {}{answer}.\n", capital(!attacker), self.cell(game, reply));
        if let Some(end) = shown.end() {
            text += &self.end(game, end);
        }
        text
    }

    /// Returns the warning of a move after which this side wins.
    pub(super) fn warning(
        self,
        game: &CasualGame,
        point: Point,
        winner: Color,
        ahead: WinAhead,
    ) -> String {
        self.warned(game, point, |cell| format!("{cell} lets {winner} win {ahead}"))
    }

    /// Returns the warning of a move before which its own side wins.
    pub(super) fn missed_win(
        self,
        game: &CasualGame,
        point: Point,
        winner: Color,
        ahead: WinAhead,
    ) -> String {
        let told = |cell: &str| format!("{winner} wins {ahead}, which {cell} throws away");
        self.warned(game, point, told)
    }

    fn warned(self, game: &CasualGame, point: Point, told: impl Fn(&str) -> String) -> String {
        let cell = self.cell(game, point);
        format!("Warning: {}. yes plays it, and so does {cell} again.\n", told(&cell))
    }

    /// Returns the question whether a move is meant that does this.
    pub(super) fn sure(self, game: &CasualGame, point: Point, does: &str) -> String {
        format!("{} {does}. Play it all the same?", self.cell(game, point))
    }

    /// Returns what both sides threaten, and what has to be answered.
    pub(super) fn threats(self, game: &CasualGame) -> String {
        let Some(map) = ThreatMap::of(game) else { return self.turn(game) };
        let origin = self.origin(game);
        let mut text = self.urgency(game, &map);
        for color in [game.to_move(), !game.to_move()] {
            for &kind in Threat::ALL.iter().rev() {
                let made = map.makes[color].iter().filter(|(_, threat)| *threat == kind);
                let points: Vec<Point> = made.map(|&(point, _)| point).collect();
                if !points.is_empty() {
                    let list = cells(&points, game.size(), origin);
                    text += &format!("{}, {kind}: {list}.\n", capital(color));
                }
            }
        }
        if !map.forbidden.is_empty() {
            let points: Vec<Point> = map.forbidden.iter().map(|&(point, _)| point).collect();
            text += &format!("Forbidden: {}.\n", cells(&points, game.size(), origin));
        }
        if text.is_empty() { "Nothing is threatened.\n".to_owned() } else { text }
    }

    /// Returns the line about what has to be answered now, or nothing.
    pub(super) fn urgency(self, game: &CasualGame, map: &ThreatMap) -> String {
        let color = capital(game.to_move());
        let plies = |plies: u16| counted(plies.into(), "ply");
        let only =
            |set: PointSet| cells(&set.iter().collect::<Vec<_>>(), game.size(), self.origin(game));
        match map.check {
            ThreatCheck::Win(n) => format!("{color} can win in {}.\n", plies(n)),
            ThreatCheck::Loss(n) => format!("{color} loses in {}.\n", plies(n)),
            ThreatCheck::Open(Replies::All) => String::new(),
            ThreatCheck::Open(Replies::Forced(point)) => {
                format!("{color} has to stop a five at {}.\n", self.cell(game, point))
            }
            ThreatCheck::Open(Replies::StopFive(set)) => {
                format!("{color} has to stop a five: {}.\n", only(set))
            }
            ThreatCheck::Open(Replies::StopFour(set)) => {
                format!("{color} has to stop an open four or make fours: {}.\n", only(set))
            }
            ThreatCheck::Open(Replies::StopFourThree(set)) => {
                format!("{color} has to stop a four-three or make fours: {}.\n", only(set))
            }
        }
    }

    /// Returns the line that says what is played, and by whom.
    pub(super) fn heading(self, game: &CasualGame, cast: Cast<'_>) -> String {
        let rows = match self.origin(game) {
            Origin::Top => "",
            Origin::Bottom => ", rows from the bottom",
        };
        format!(
            "{} {}, black is {}, white is {}{rows}.\n",
            game.rule(),
            game.size(),
            cast.side(Color::Black),
            cast.side(Color::White)
        )
    }

    /// Returns the line that says who is to move.
    pub(super) fn turn(self, game: &CasualGame) -> String {
        if let Some(end) = game.end() {
            return self.end(game, end);
        }
        match game.moves().len() {
            0 => format!("{} to move.\n", capital(game.to_move())),
            number => format!("{} to move after move {number}.\n", capital(game.to_move())),
        }
    }

    /// Returns a move of a game: its cell, or that it has none.
    pub(super) fn played(self, game: &CasualGame, m: &Move) -> String {
        move_name(m, game.size(), self.origin(game))
    }

    /// Returns the board.
    pub(super) fn board(self, game: &CasualGame) -> String {
        let last = game.moves()[game.opening()..].last().and_then(Move::point);
        let (board, origin) = (game.board(), self.origin(game));
        Diagram { board, last, origin, glyphs: self.glyphs }.to_string()
    }

    /// Returns the moves, a few on each line, and those that can be played again.
    pub(super) fn moves(self, game: &CasualGame) -> String {
        let mut text = String::new();
        if game.set_up_stones() > 0 {
            text += &format!("{} set up.\n", counted_stones(game.set_up_stones()));
        }
        if game.opening() > 0 {
            text += &format!("The first {} were given.\n", counted_stones(game.opening()));
        }
        let numbered: Vec<(usize, String)> =
            (1..).zip(game.moves().iter().map(|m| self.played(game, m))).collect();
        for line in numbered.chunks(MOVES_PER_LINE) {
            let words: Vec<String> = line.iter().map(|(n, cell)| format!("{n}. {cell}")).collect();
            text += &(words.join(" ") + "\n");
        }
        if !game.undone().is_empty() {
            let undone = game.undone().iter().rev().map(|m| self.played(game, m));
            text += &format!("Taken back: {}.\n", undone.collect::<Vec<_>>().join(" "));
        }
        if !game.walls().is_empty() {
            let walls = cells(game.walls(), game.size(), self.origin(game));
            text += &format!("Blocked: {walls}.\n");
        }
        if text.is_empty() { "There are no moves.\n".to_owned() } else { text }
    }

    /// Returns the cells that are forbidden, each with the reason.
    pub(super) fn forbidden(self, game: &CasualGame) -> String {
        let line = |(point, kind)| {
            format!("{}: {}.\n", self.cell(game, point), PlayFault::of_violation(kind))
        };
        let text: String = game.forbidden().into_iter().map(line).collect();
        if text.is_empty() { "Nothing is forbidden.\n".to_owned() } else { text }
    }
}

fn counted_stones(stones: usize) -> String {
    counted(stones as u64, "stone")
}

/// Returns the line about the levels of the engines; of both sides, if none of them plays yet.
pub(super) fn levels(terms: &PlayTerms) -> String {
    let is_engine = |color: &Color| terms.sides[*color] == Controller::Engine;
    let engines: Vec<Color> = Color::ALL.into_iter().filter(is_engine).collect();
    let named = if engines.is_empty() { Color::ALL.to_vec() } else { engines };
    let level = |color: &Color| format!("{color} at level {}", terms.skills[*color].level);
    let levels: Vec<String> = named.iter().map(level).collect();
    format!("The engine plays {}.\n", levels.join(" and "))
}

/// Returns the line of a clock after this time of the turn.
pub(super) fn clock(color: Color, clock: &SideClock, used: Duration) -> String {
    let mut parts = Vec::new();
    let (left, periods) = (clock.left(), clock.periods());
    let is_over = periods > 0 && left.is_some_and(|left| left <= used);
    if let Some((rest, after)) = clock.running(used).filter(|_| is_over) {
        let more = counted(after.into(), "period");
        parts.push(format!("{} left of a period, {more} more", spoken_time(rest)));
    } else {
        parts.extend(left.map(|left| format!("{} left", spoken_time(left.saturating_sub(used)))));
        parts.extend((periods > 0).then(|| counted(periods.into(), "period")));
    }
    if let Some(limit) = clock.limit() {
        parts.push(format!("{} for this move", spoken_time(limit.saturating_sub(used))));
    }
    let words = if parts.is_empty() { "no clock".to_owned() } else { parts.join(", ") };
    format!("{}: {words}.\n", capital(color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_people::play::{Byoyomi, ClockControl};

    #[test]
    fn clocks_say_what_is_left() {
        let s = Duration::from_secs;
        let said = |control, used| clock(Color::Black, &SideClock::new(control), used);
        assert_eq!(said(ClockControl::default(), s(5)), "Black: no clock.\n");
        let game = ClockControl { game: Some(s(600)), ..ClockControl::default() };
        assert_eq!(
            said(game, s(61)),
            "Black: 8 minutes 59 seconds left, 8 minutes 59 seconds for this move.\n"
        );
        let byoyomi = Some(Byoyomi { periods: 3, length: s(30) });
        let both = ClockControl { byoyomi, ..game };
        assert_eq!(
            said(both, Duration::from_millis(599_001)),
            "Black: 1 second left, 3 periods, 1 minute 31 seconds for this move.\n"
        );
        assert_eq!(
            said(both, s(635)),
            "Black: 25 seconds left of a period, 1 period more, 55 seconds for this move.\n"
        );
    }
}
