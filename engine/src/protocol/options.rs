//! Everything that `INFO` sets, and what follows from it.

use std::time::Instant;

use super::clock::{ClockSettings, UsedTime};
use super::info::{Coordinates, Info};
use crate::engine::{
    LEAST_MEMORY, Level, Scope, Settings, Skill, Task, evaluator_within, threads_within,
};
use tengen_core::rules::Rule;
use tengen_core::search::Limits;

const MIB: u64 = 1 << 20;

/// The largest number of threads that is accepted.
const MAX_THREADS: usize = 256;

/// The sum of all parts of a rule that have a meaning.
const KNOWN_RULES: i64 = 15;

/// The `caution_factor` from which every empty cell is considered.
const WHOLE_BOARD: i64 = 5;

/// The depth from which none is meant: boards that always send one send 100, or the number of cells.
const NO_DEPTH: u32 = 100;

/// The number of nodes that boards send where none is meant.
const NO_NODES: i64 = 1_000_000_000;

/// The settings as received, the problems with them that are not reported yet, and the signs of the
/// manager's family.
#[derive(Clone, Debug)]
pub(super) struct SessionOptions {
    clock: ClockSettings,
    max_depth: Option<u32>,
    max_nodes: Option<u64>,
    settings: Settings,
    mask: i64,
    show_detail: u8,
    /// True once a word of the Yixin dialect was received: `rule 2` is renju then.
    yixin: bool,
    /// True once a key of web managers was received: the rules 5 and 6 are freestyle then.
    web: bool,
    /// True once a question of boards that count rows from below was received.
    shows_info: bool,
    coordinates: Option<Coordinates>,
    swapable: bool,
    /// The level of `strength`.
    level: Level,
    /// The skill of the command line.
    own: Skill,
    pondering: bool,
    whole_board: bool,
    merge_symmetric: bool,
    start_depth: u32,
    unreported_rule: bool,
    unreported_room: bool,
    note: Option<String>,
}

impl SessionOptions {
    /// Returns what holds before any `INFO`.
    pub(super) fn new() -> SessionOptions {
        SessionOptions {
            clock: ClockSettings::default(),
            max_depth: None,
            max_nodes: None,
            settings: Settings::default(),
            mask: 0,
            show_detail: 0,
            yixin: false,
            web: false,
            shows_info: false,
            coordinates: None,
            swapable: false,
            level: Level::FULL,
            own: Skill::default(),
            pondering: false,
            whole_board: false,
            merge_symmetric: false,
            start_depth: 1,
            unreported_rule: false,
            unreported_room: false,
            note: None,
        }
    }

    /// Takes one `INFO`; values out of range are clamped.
    pub(super) fn set(&mut self, info: &Info) {
        match *info {
            Info::TimeoutTurn(ms) => self.clock.timeout_turn = Some(ms),
            Info::TimeoutMatch(ms) => self.clock.timeout_match = Some(ms),
            Info::TimeLeft(ms) => self.clock.time_left = Some(ms),
            Info::TimeIncrement(ms) => self.clock.increment = Some(ms),
            Info::MaxMemory(bytes) => self.set_memory(bytes),
            Info::Rule(mask) => {
                self.mask = mask;
                self.unreported_rule = true;
            }
            Info::MaxDepth(plies) => {
                self.max_depth =
                    u32::try_from(plies).ok().filter(|plies| (1..NO_DEPTH).contains(plies));
            }
            Info::MaxNode(nodes) => {
                let limited = nodes > 0 && nodes < i64::MAX && nodes != NO_NODES;
                self.max_nodes = u64::try_from(nodes).ok().filter(|_| limited);
            }
            Info::HashSize(kib) => {
                self.settings.knows_memory = true;
                self.settings.hash_size =
                    u64::try_from(kib).ok().map(|kib| kib.saturating_mul(1024));
            }
            Info::ThreadNum(threads) => {
                let threads = usize::try_from(threads).unwrap_or(1);
                self.settings.threads = threads.clamp(1, MAX_THREADS);
                self.unreported_room = true;
            }
            Info::Evaluator(kind) => {
                self.settings.evaluator = kind;
                self.unreported_room = true;
            }
            Info::ShowDetail(level) => {
                self.show_detail = u8::try_from(level.clamp(0, 3)).unwrap_or(0);
            }
            Info::Swapable(value) => {
                self.web = true;
                self.swapable = value != 0;
            }
            Info::Strength(percent) => {
                self.web = true;
                self.level = Level::from_strength(percent);
            }
            Info::Pondering(value) => self.pondering = value != 0,
            Info::CautionFactor(factor) => self.whole_board = factor >= WHOLE_BOARD,
            Info::NBestSym(value) => self.merge_symmetric = value != 0,
            Info::StartDepth(plies) => {
                self.start_depth = u32::try_from(plies.clamp(1, 100)).unwrap_or(1);
            }
            Info::Coordinates(coordinates) => self.coordinates = Some(coordinates),
            Info::GameType(_)
            | Info::Folder(_)
            | Info::Book(_)
            | Info::UseDatabase(_)
            | Info::DatabaseReadonly(_)
            | Info::Dialect(_)
            | Info::Ignored => {}
        }
    }

    fn set_memory(&mut self, bytes: i64) {
        // The later of the two commands decides about the size of the table.
        self.settings.hash_size = None;
        self.settings.knows_memory = true;
        self.note = None;
        self.unreported_room = true;
        self.settings.max_memory = match u64::try_from(bytes) {
            Ok(0) => None,
            Ok(bytes) if bytes < LEAST_MEMORY => {
                let least = LEAST_MEMORY / MIB;
                self.note =
                    Some(format!("max_memory is taken as {least} MiB, the least that works"));
                // That says enough about memory.
                self.unreported_room = false;
                Some(LEAST_MEMORY)
            }
            Ok(bytes) => Some(bytes),
            // A number of bytes that has overflowed somewhere on its way.
            Err(_) => Settings::default().max_memory,
        };
    }

    /// Notes that the manager speaks the Yixin dialect.
    pub(super) fn note_dialect(&mut self) {
        self.yixin = true;
    }

    /// Notes that the manager asked for what Yixin-Board asks for at its start.
    pub(super) fn note_show_info(&mut self) {
        self.shows_info = true;
    }

    /// Returns whether the manager has asked for what Yixin-Board asks for at its start.
    pub(super) fn shows_info(&self) -> bool {
        self.shows_info
    }

    /// Returns the order of the two numbers of a cell, as far as the traffic shows it.
    pub(super) fn coordinates(&self) -> Coordinates {
        let usual = if self.shows_info { Coordinates::RowColumn } else { Coordinates::ColumnRow };
        self.coordinates.unwrap_or(usual)
    }

    /// Sets the skill that the command line asks for.
    pub(super) fn set_skill(&mut self, skill: Skill) {
        self.own = skill;
    }

    /// Returns how well to play: not better than the command line allows, since managers send a
    /// `strength` of 100 unasked.
    pub(super) fn skill(&self) -> Skill {
        Skill { level: self.level.min(self.own.level), ..self.own }
    }

    /// Returns whether to think on the opponent's time.
    pub(super) fn pondering(&self) -> bool {
        self.pondering
    }

    /// Returns what a request for a move asks for: under swap1 the answer can be another.
    pub(super) fn task(&self) -> Task {
        if self.web && self.swapable && self.mask == 5 { Task::Swap1 } else { Task::Move }
    }

    /// Returns what is searched for `lines` best lines.
    pub(super) fn scope(&self, lines: usize) -> Scope {
        Scope {
            lines,
            merge_symmetric: self.merge_symmetric && lines > 1,
            whole_board: self.whole_board,
            start_depth: self.start_depth,
            marks: self.show_detail & 1 != 0,
            book: true,
            ..Scope::default()
        }
    }

    /// Returns the real-time lines that are wanted: 0 to 3, bit 0 `REALTIME`, bit 1 `INFO`.
    pub(super) fn show_detail(&self) -> u8 {
        self.show_detail
    }

    /// Returns the settings for the engine.
    pub(super) fn settings(&self) -> Settings {
        self.settings
    }

    /// Returns the rule that the mask means. Where parts of it mean nothing, the others decide.
    pub(super) fn rule(&self) -> Rule {
        let supported = |mask: &i64| *mask > 0;
        let nearest = || Rule::from_mask(Some(self.mask).filter(supported)? & KNOWN_RULES);
        let nearest = || nearest().map(|(rule, _continuous)| rule);
        self.known_rule().or_else(nearest).unwrap_or(Rule::Freestyle)
    }

    fn known_rule(&self) -> Option<Rule> {
        match self.mask {
            2 if self.yixin => Some(Rule::Renju),
            5 | 6 if self.web => Some(Rule::Freestyle),
            mask => Rule::from_mask(mask).map(|(rule, _continuous)| rule),
        }
    }

    /// Returns a remark about an `INFO` that was not made yet; each is made once.
    pub(super) fn take_note(&mut self) -> Option<String> {
        if std::mem::take(&mut self.unreported_rule) && self.known_rule().is_none() {
            return Some(format!("rule {} is not supported, {} is played", self.mask, self.rule()));
        }
        let unreported = std::mem::take(&mut self.unreported_room);
        let threads = threads_within(&self.settings);
        self.note.take().or_else(|| {
            let fewer = threads < self.settings.threads;
            let tables = evaluator_within(&self.settings) != self.settings.evaluator;
            let lacks = match (fewer, tables) {
                (false, false) => return None,
                (true, false) => format!("for {threads} of the threads"),
                (false, true) => "for the tables, not for the network".to_owned(),
                (true, true) => format!("for {threads} of the threads and not for the network"),
            };
            unreported.then(|| format!("max_memory leaves room {lacks}"))
        })
    }

    /// Returns the limits of a search that was asked for at `start`, after `used` of the match.
    pub(super) fn limits(&self, start: Instant, used: UsedTime, analysis: bool) -> Limits {
        let &SessionOptions { max_depth, max_nodes, .. } = self;
        let bounds = Limits { max_depth, max_nodes, ..Limits::none(start) };
        self.with_clock(bounds, used, analysis)
    }

    /// Returns the limits of a study, which has no depth.
    pub(super) fn limits_of_study(&self, start: Instant, used: UsedTime) -> Limits {
        let bounds = Limits { max_nodes: self.max_nodes, ..Limits::none(start) };
        self.with_clock(bounds, used, true)
    }

    /// Returns limits with the time that the clock now gives them.
    pub(super) fn with_clock(&self, limits: Limits, used: UsedTime, analysis: bool) -> Limits {
        let clock = self.clock.with_time_left(used);
        Limits { time: clock.control(limits.is_bounded(), analysis), ..limits }
    }

    /// Returns whether an analysis is one for the engine as well. Boards play games by the commands of
    /// analysis too, and then a move has a limit.
    pub(super) fn analyses(&self) -> bool {
        self.clock.has_no_turn()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::eval::EvaluatorKind;

    fn options(infos: &[Info]) -> SessionOptions {
        let mut options = SessionOptions::new();
        infos.iter().for_each(|info| options.set(info));
        options
    }

    #[test]
    fn masks_mean_what_the_family_of_the_manager_means() {
        let rule = |mask| options(&[Info::Rule(mask)]).known_rule();
        let rules = [
            (0, Some(Rule::Freestyle)),
            (1, Some(Rule::Standard)),
            (2, Some(Rule::Freestyle)),
            (3, Some(Rule::Standard)),
            (4, Some(Rule::Renju)),
            (5, Some(Rule::Renju)),
            (6, Some(Rule::Renju)),
            (8, Some(Rule::Caro)),
            (9, Some(Rule::CaroExact)),
            (10, Some(Rule::Caro)),
            (11, Some(Rule::CaroExact)),
            (16, None),
            (-1, None),
            (i64::MAX, None),
        ];
        for (mask, expected) in rules {
            assert_eq!(rule(mask), expected, "{mask}");
        }
        let nearest = [(16, Rule::Freestyle), (17, Rule::Standard), (77, Rule::Renju)];
        let others = [(-1, Rule::Freestyle), (i64::MIN, Rule::Freestyle), (24, Rule::Caro)];
        for (mask, expected) in nearest.into_iter().chain(others) {
            assert_eq!(options(&[Info::Rule(mask)]).rule(), expected, "{mask}");
        }
        let mut yixin = options(&[Info::Rule(2)]);
        yixin.note_dialect();
        assert_eq!(yixin.rule(), Rule::Renju);
        for mask in [5, 6] {
            let web = options(&[Info::Swapable(1), Info::Rule(mask)]);
            assert_eq!(web.rule(), Rule::Freestyle, "{mask}");
        }
    }

    #[test]
    fn problems_are_reported_once_and_only_if_they_are_still_there() {
        let mut options = options(&[Info::Rule(16)]);
        let note = "rule 16 is not supported, freestyle is played";
        assert_eq!(options.take_note().as_deref(), Some(note));
        assert_eq!(options.take_note(), None);
        assert_eq!(options.rule(), Rule::Freestyle);
        options.set(&Info::Rule(16));
        options.set(&Info::Rule(4));
        assert_eq!(options.take_note(), None);
        options.set(&Info::MaxMemory(2 << 20));
        assert_eq!(options.settings().max_memory, Some(LEAST_MEMORY));
        assert!(options.take_note().is_some());
        assert_eq!(options.take_note(), None);
        options.set(&Info::MaxMemory(2 << 20));
        options.set(&Info::MaxMemory(1 << 30));
        assert_eq!(options.take_note(), None);
    }

    #[test]
    fn memory_is_unlimited_default_or_at_least_the_minimum() {
        let memory = |bytes| {
            let mut options = options(&[Info::MaxMemory(bytes)]);
            (options.settings().max_memory, options.take_note().is_some())
        };
        assert_eq!(memory(0), (None, false));
        for too_little in [1, MIB as i64, LEAST_MEMORY as i64 - 1] {
            assert_eq!(memory(too_little), (Some(LEAST_MEMORY), true));
        }
        assert_eq!(memory(83_886_080), (Some(83_886_080), false));
        assert_eq!(memory(-5), (Settings::default().max_memory, false));
    }

    #[test]
    fn threads_that_memory_has_no_room_for_are_told_once() {
        let mut many = options(&[Info::ThreadNum(64), Info::MaxMemory(24 << 20)]);
        let note = Some("max_memory leaves room for 1 of the threads".to_owned());
        assert_eq!(many.take_note(), note);
        assert_eq!(many.take_note(), None);
        assert_eq!(options(&[Info::ThreadNum(32)]).take_note(), None);
    }

    #[test]
    fn where_memory_has_no_room_for_a_network_the_tables_evaluate() {
        let note = |infos: &[Info]| options(infos).take_note();
        let small = Info::MaxMemory(16 << 20);
        let lacks = |what: &str| Some(format!("max_memory leaves room for {what}"));
        assert_eq!(note(std::slice::from_ref(&small)), lacks("the tables, not for the network"));
        assert_eq!(
            note(&[Info::ThreadNum(64), small.clone()]),
            lacks("1 of the threads and not for the network")
        );
        assert_eq!(note(&[Info::Evaluator(EvaluatorKind::Patterns), small.clone()]), None);
        let mut asked = options(&[small]);
        assert!(asked.take_note().is_some());
        asked.set(&Info::Evaluator(EvaluatorKind::Network));
        assert_eq!(asked.take_note(), lacks("the tables, not for the network"));
        assert_eq!(note(&[Info::MaxMemory(24 << 20)]), None);
    }

    #[test]
    fn a_strength_lowers_the_level_of_the_command_line_but_never_raises_it() {
        let level = |number| Level::new(number).unwrap();
        for (own, strength, expected) in [(3, 100, 3), (3, 0, 1), (10, 50, 5), (10, 100, 10)] {
            let mut options = SessionOptions::new();
            options.set_skill(Skill { level: level(own), seed: Some(4) });
            options.set(&Info::Strength(strength));
            assert_eq!(options.skill(), Skill { level: level(expected), seed: Some(4) });
        }
    }

    #[test]
    fn sizes_and_counts_out_of_range_are_clamped() {
        let some = options(&[
            Info::ThreadNum(0),
            Info::MaxNode(-1),
            Info::MaxDepth(i64::MAX),
            Info::ShowDetail(9),
            Info::HashSize(i64::MAX),
        ]);
        assert_eq!(some.settings().threads, 1);
        assert_eq!(some.settings().hash_size, Some(u64::MAX));
        assert_eq!(some.show_detail(), 3);
        let limits = some.limits(Instant::now(), UsedTime::default(), false);
        assert_eq!(limits.max_nodes, None);
        assert_eq!(limits.max_depth, None);
        assert_eq!(options(&[Info::ThreadNum(1_000_000)]).settings().threads, MAX_THREADS);
    }

    #[test]
    fn the_later_of_hash_size_and_max_memory_sizes_the_table() {
        let hash = Info::HashSize(1024);
        let memory = Info::MaxMemory(1 << 28);
        assert_eq!(options(&[memory.clone(), hash.clone()]).settings().hash_size, Some(MIB));
        assert_eq!(options(&[hash, memory]).settings().hash_size, None);
    }
}
