//! Losses in conversions of games.

use tengen_files::records::Format;

/// The names of what was lost, and in how many games.
#[derive(Default)]
pub(crate) struct Losses(Vec<(&'static str, usize)>);

impl Losses {
    pub(crate) fn add(&mut self, names: &[&'static str]) {
        for &name in names {
            match self.0.iter_mut().find(|(known, _)| *known == name) {
                Some((_, games)) => *games += 1,
                None => self.0.push((name, 1)),
            }
        }
    }

    pub(crate) fn message(&self, format: Format, games: usize) -> Option<String> {
        let part = |&(name, count): &(&str, usize)| {
            if count == games { name.to_owned() } else { format!("{name} ({count} of {games})") }
        };
        let parts: Vec<String> = self.0.iter().map(part).collect();
        (!parts.is_empty())
            .then(|| format!("Lost, as {format} cannot hold it: {}", parts.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_told_once_with_how_often_they_happened() {
        let mut lost = Losses::default();
        assert_eq!(lost.message(Format::Psq, 0), None);
        lost.add(&["the rule", "scores"]);
        lost.add(&["the rule"]);
        let message = "Lost, as psq cannot hold it: the rule, scores (1 of 2)";
        assert_eq!(lost.message(Format::Psq, 2).as_deref(), Some(message));
    }
}
