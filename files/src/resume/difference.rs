//! The differences between the options of a file and those of a run.

use std::collections::BTreeSet;
use std::fmt;

/// Stands for something that is not set.
const NOT_SET: &str = "none";

/// An option that a file was begun with and that is another now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The name of the option.
    pub name: String,
    /// The value that the file was begun with.
    pub begun: String,
    /// The value now.
    pub now: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |value: &str| if value.is_empty() { NOT_SET } else { value }.to_owned();
        write!(f, "{} {} (now {})", self.name, or_none(&self.begun), or_none(&self.now))
    }
}

/// All options that differ, in the order in which they were compared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Differences(pub Vec<Difference>);

impl Differences {
    /// Compares the options of a file with those of a run, both by name. An option that one of them
    /// lacks is not set there.
    pub fn between<N: AsRef<str>>(
        begun: impl IntoIterator<Item = (N, String)>,
        now: impl IntoIterator<Item = (N, String)>,
    ) -> Differences {
        let begun: Vec<(N, String)> = begun.into_iter().collect();
        let now: Vec<(N, String)> = now.into_iter().collect();
        let value = |options: &[(N, String)], name: &str| {
            let option = options.iter().find(|(other, _)| other.as_ref() == name);
            option.map_or_else(String::new, |(_, value)| value.clone())
        };
        let mut seen = BTreeSet::new();
        let names = begun.iter().chain(&now).map(|(name, _)| name.as_ref());
        let all = names.filter(|&name| seen.insert(name)).map(|name| Difference {
            name: name.to_owned(),
            begun: value(&begun, name),
            now: value(&now, name),
        });
        Differences(all.filter(|difference| difference.begun != difference.now).collect())
    }

    /// Returns whether nothing differs.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, difference) in self.0.iter().enumerate() {
            write!(f, "{}{difference}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_that_differs_is_named_once() {
        let options = |all: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
            all.iter().map(|&(name, value)| (name, value.to_owned())).collect()
        };
        let begun = options(&[("rule", "renju"), ("seed", "0"), ("margin", "2"), ("fixed", "")]);
        let now = options(&[("seed", "5"), ("rule", "renju"), ("fixed", "a=1"), ("box", "6")]);
        let differences = Differences::between(begun.clone(), now);
        assert_eq!(
            differences.to_string(),
            "seed 0 (now 5), margin 2 (now none), fixed none (now a=1), box none (now 6)"
        );
        assert!(Differences::between(begun.clone(), begun).is_empty());
    }
}
