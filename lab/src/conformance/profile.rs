//! The importance of transcripts for each manager.

use std::fmt;
use std::str::FromStr;

/// The importance of a feature for a manager.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FeatureLevel {
    /// Without it, games are lost, or the manager waits for ever or is out of step.
    Must,
    /// Without it, games go on, but something that the manager does or the protocol says is lost.
    Should,
    /// Beyond the protocol, or a service of the manager that an engine may do without.
    Extension,
}

impl FeatureLevel {
    /// All levels, the strictest first.
    pub const ALL: [FeatureLevel; 3] =
        [FeatureLevel::Must, FeatureLevel::Should, FeatureLevel::Extension];

    /// Returns the word for the level in transcripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FeatureLevel::Must => "must",
            FeatureLevel::Should => "should",
            FeatureLevel::Extension => "extension",
        }
    }
}

impl fmt::Display for FeatureLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A program that engines are run by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Manager {
    /// GomocupJudge, which runs the Gomocup tournaments.
    Gomocup,
    /// Piskvork.
    Piskvork,
    /// Yixin-Board, the original and its fork.
    YixinBoard,
    /// QPiskvork.
    QPiskvork,
    /// c-gomoku-cli.
    CGomokuCli,
    /// Gomocalc, and other pages of its kind.
    Gomocalc,
    /// pygomo-lib.
    PyGomo,
    /// GomocupJudgeLocal.
    JudgeLocal,
    /// Cute Gomoku.
    Cute,
}

impl Manager {
    /// All managers.
    pub const ALL: [Manager; 9] = [
        Manager::Gomocup,
        Manager::Piskvork,
        Manager::YixinBoard,
        Manager::QPiskvork,
        Manager::CGomokuCli,
        Manager::Gomocalc,
        Manager::PyGomo,
        Manager::JudgeLocal,
        Manager::Cute,
    ];

    /// Returns the word for the manager in transcripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Manager::Gomocup => "gomocup",
            Manager::Piskvork => "piskvork",
            Manager::YixinBoard => "yixin-board",
            Manager::QPiskvork => "qpiskvork",
            Manager::CGomokuCli => "c-gomoku-cli",
            Manager::Gomocalc => "gomocalc",
            Manager::PyGomo => "pygomo",
            Manager::JudgeLocal => "judge-local",
            Manager::Cute => "cute",
        }
    }
}

impl fmt::Display for Manager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Manager {
    type Err = String;

    fn from_str(text: &str) -> Result<Manager, String> {
        let found = Manager::ALL.into_iter().find(|manager| manager.name() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = Manager::ALL.iter().map(|manager| manager.name()).collect();
            format!("`{text}` is not a manager: they are {}", names.join(", "))
        })
    }
}

/// The managers that depend on a transcript, and how much.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Importance {
    /// True if anything is said of it. A transcript of which nothing is said is a must for all.
    is_said: bool,
    levels: Vec<(Manager, FeatureLevel)>,
}

impl Importance {
    /// Adds the managers after a level; `all` is all of them, and none is none.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is not a manager, or one that has a level already.
    pub(super) fn add(&mut self, level: FeatureLevel, managers: &str) -> Result<(), String> {
        self.is_said = true;
        for word in managers.split_whitespace() {
            if word == "all" {
                let others = Manager::ALL.into_iter().filter(|&it| self.level_for(it).is_none());
                let others: Vec<_> = others.map(|manager| (manager, level)).collect();
                self.levels.extend(others);
                continue;
            }
            let manager: Manager = word.parse()?;
            if self.level_for(manager).is_some() {
                return Err(format!("{manager} has a level already"));
            }
            self.levels.push((manager, level));
        }
        Ok(())
    }

    /// Returns whether the transcript says who depends on it.
    #[must_use]
    pub const fn is_said(&self) -> bool {
        self.is_said
    }

    /// Returns how much a manager depends on the transcript, if it does at all.
    #[must_use]
    pub fn level_for(&self, manager: Manager) -> Option<FeatureLevel> {
        if !self.is_said {
            return Some(FeatureLevel::Must);
        }
        self.levels.iter().find(|(it, _)| *it == manager).map(|&(_, level)| level)
    }

    /// Returns how much the transcript is worth where one profile is played, or all: to whoever
    /// depends on it most.
    #[must_use]
    pub fn level_in(&self, profile: Option<Manager>) -> Option<FeatureLevel> {
        match profile {
            Some(manager) => self.level_for(manager),
            None if !self.is_said => Some(FeatureLevel::Must),
            None => {
                let most = self.levels.iter().map(|&(_, level)| level).min();
                Some(most.unwrap_or(FeatureLevel::Extension))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_worth_most_to_whoever_depends_on_it_most() {
        let mut importance = Importance::default();
        assert_eq!(importance.level_in(None), Some(FeatureLevel::Must));
        assert_eq!(importance.level_in(Some(Manager::Cute)), Some(FeatureLevel::Must));
        importance.add(FeatureLevel::Extension, "").unwrap();
        assert_eq!(importance.level_in(None), Some(FeatureLevel::Extension));
        assert_eq!(importance.level_in(Some(Manager::Cute)), None);
        importance.add(FeatureLevel::Should, "piskvork  yixin-board").unwrap();
        assert_eq!(importance.level_in(None), Some(FeatureLevel::Should));
        assert_eq!(importance.level_for(Manager::YixinBoard), Some(FeatureLevel::Should));
        importance.add(FeatureLevel::Must, "gomocup").unwrap();
        importance.add(FeatureLevel::Extension, "all").unwrap();
        assert_eq!(importance.level_for(Manager::Piskvork), Some(FeatureLevel::Should));
        assert_eq!(importance.level_for(Manager::Cute), Some(FeatureLevel::Extension));
        assert_eq!(importance.level_in(None), Some(FeatureLevel::Must));
        assert!(importance.add(FeatureLevel::Must, "cute").is_err());
        let fault = importance.add(FeatureLevel::Must, "arena").unwrap_err();
        assert!(fault.starts_with("`arena` is not a manager: they are gomocup, "), "{fault}");
    }

    #[test]
    fn managers_have_their_names() {
        for manager in Manager::ALL {
            assert_eq!(manager.name().parse(), Ok(manager));
        }
    }
}
