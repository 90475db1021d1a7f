//! The results of a bench as text, for people and for programs.

use std::fmt::{self, Write};
use std::time::Duration;

use super::{BenchResult, HASH_BYTES, per_second};

impl BenchResult {
    /// Returns the result as one JSON object on one line, without a line end.
    ///
    /// Times are in seconds. `signature` is null if more than one thread searched, `rule` if all
    /// rules were measured. `params` holds the parameters that differ from the defaults.
    #[must_use]
    pub fn to_json(&self) -> String {
        let tables = self.tables.iter().map(|b| (b.rule.name(), seconds(b.elapsed)));
        let speeds =
            self.played.iter().map(|p| (p.rule.name(), number(per_second(p.pairs, p.elapsed))));
        let searched = self.searched.iter().map(|s| {
            object([
                ("rule", string(s.record.rule.name())),
                ("size", string(&s.record.size().to_string())),
                ("stones", s.record.moves().len().to_string()),
                ("depth", s.depth.to_string()),
                ("nodes", s.nodes.to_string()),
                ("seconds", seconds(s.elapsed)),
                ("best", string(&s.best.to_string())),
                ("score", string(&s.score.to_string())),
            ])
        });
        let searched: Vec<String> = searched.collect();
        let changed = self.options.params.changed();
        let changed = changed.map(|a| (a.param().name, a.value().to_string()));
        let mut members = vec![
            ("version", string(env!("CARGO_PKG_VERSION"))),
            ("threads", self.options.threads.max(1).to_string()),
            ("rule", self.options.rule.map_or_else(null, |rule| string(rule.name()))),
            ("depth", self.options.depth.to_string()),
            ("hash_bytes", HASH_BYTES.to_string()),
            ("place_undo_per_second", number(self.place_undo_per_second)),
            ("place_undo_per_second_by_rule", object(speeds)),
            ("nodes", self.nodes.to_string()),
            ("nodes_per_second", number(self.nodes_per_second)),
            ("signature", self.signature.map_or_else(null, |n| n.to_string())),
            ("table_build_seconds", object(tables)),
            ("params", object(changed)),
            ("positions", format!("[{}]", searched.join(","))),
        ];
        if !self.counts.is_empty() {
            let counts = self.counts.iter().map(|&(words, count)| (words, count.to_string()));
            members.push(("counts", object(counts)));
        }
        object(members)
    }
}

impl fmt::Display for BenchResult {
    /// Writes tables for people; every line ends with a newline.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "Place and undo\n{:<12}{:>7}{:>12}{:>14}",
            "rule", "games", "pairs", "pairs/s"
        )?;
        for played in &self.played {
            let speed = per_second(played.pairs, played.elapsed);
            let (rule, games, pairs) = (played.rule, played.games, played.pairs);
            writeln!(f, "{rule:<12}{games:>7}{pairs:>12}{speed:>14.0}")?;
        }

        let (depth, threads) = (self.options.depth, self.options.threads.max(1));
        write!(f, "\nSearch, depth {depth}, threads {threads}")?;
        for assignment in self.options.params.changed() {
            write!(f, ", {assignment}")?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "{:<12}{:>6}{:>8}{:>7}{:>12}{:>12}{:>6}{:>8}",
            "rule", "size", "stones", "depth", "nodes", "nodes/s", "best", "score"
        )?;
        for searched in &self.searched {
            let (record, nodes) = (&searched.record, searched.nodes);
            let speed = per_second(nodes, searched.elapsed);
            let size = record.size().to_string();
            let (best, score) = (searched.best.to_string(), searched.score.to_string());
            writeln!(
                f,
                "{:<12}{size:>6}{:>8}{:>7}{nodes:>12}{speed:>12.0}{best:>6}{score:>8}",
                record.rule,
                record.moves().len(),
                searched.depth,
            )?;
        }

        writeln!(f, "\nPattern tables")?;
        for built in &self.tables {
            let millis = built.elapsed.as_secs_f64() * 1e3;
            writeln!(f, "{:<12}{millis:>10.1} ms", built.rule)?;
        }

        writeln!(f, "\nPlace and undo    {:.0} pairs/s", self.place_undo_per_second)?;
        writeln!(f, "Nodes             {}", self.nodes)?;
        writeln!(f, "Nodes per second  {:.0}", self.nodes_per_second)?;
        match self.signature {
            Some(signature) => writeln!(f, "Signature         {signature}")?,
            None => writeln!(f, "Signature         none with more than one thread")?,
        }

        if !self.counts.is_empty() {
            writeln!(f, "\nOf all searches")?;
        }
        for (words, count) in &self.counts {
            writeln!(f, "{count:>14}  {words}")?;
        }
        Ok(())
    }
}

fn null() -> String {
    "null".to_owned()
}

fn number(value: f64) -> String {
    format!("{value:.1}")
}

fn seconds(elapsed: Duration) -> String {
    format!("{:.6}", elapsed.as_secs_f64())
}

/// Returns a JSON string.
fn string(text: &str) -> String {
    let mut json = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            c if c.is_control() => {
                // Writing to a string does not fail.
                let _ = write!(json, "\\u{:04x}", u32::from(c));
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

/// Returns a JSON object of values that are already JSON.
fn object<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> =
        members.into_iter().map(|(name, value)| format!("{}:{value}", string(name))).collect();
    format!("{{{}}}", members.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::positions::POSITIONS;
    use crate::bench::{BenchOptions, Built, PlayedMoves, Searched};
    use tengen_core::rules::Rule;
    use tengen_core::types::Score;

    fn result() -> BenchResult {
        let record = POSITIONS[0];
        let searched = Searched {
            record,
            nodes: 1000,
            elapsed: Duration::from_millis(500),
            best: record.size().center(),
            score: Score::eval(12),
            depth: 9,
        };
        BenchResult {
            options: BenchOptions { depth: 9, rounds: 1, ..BenchOptions::default() },
            tables: vec![Built { rule: Rule::Caro, elapsed: Duration::from_millis(5) }],
            played: vec![PlayedMoves {
                rule: Rule::Caro,
                games: 4,
                pairs: 50,
                elapsed: Duration::from_secs(2),
            }],
            searched: vec![searched],
            place_undo_per_second: 25.0,
            nodes: 1000,
            nodes_per_second: 2000.0,
            signature: Some(1000),
            counts: Vec::new(),
        }
    }

    #[test]
    fn json_is_one_flat_line_with_the_figures() {
        let json = result().to_json();
        for part in [
            "\"place_undo_per_second\":25.0,",
            "\"nodes\":1000,",
            "\"nodes_per_second\":2000.0,",
            "\"signature\":1000,",
            "\"rule\":null,",
            "\"place_undo_per_second_by_rule\":{\"caro\":25.0}",
            "\"table_build_seconds\":{\"caro\":0.005000}",
        ] {
            assert!(json.contains(part), "{part} is missing in {json}");
        }
        assert!(json.starts_with('{') && json.ends_with('}') && !json.contains('\n'));
        let count = |c| json.matches(c).count();
        assert_eq!((count('{'), count('[')), (count('}'), count(']')));
    }

    #[test]
    fn there_is_no_signature_to_show_with_several_threads() {
        let several = BenchResult { signature: None, ..result() };
        assert!(several.to_json().contains("\"signature\":null"));
        assert!(several.to_string().contains("none with more"));
        assert!(result().to_string().contains("Signature         1000\n"));
    }

    #[test]
    fn parameters_are_shown_if_they_are_not_as_usual() {
        let mut result = result();
        assert!(result.to_json().contains("\"params\":{},"));
        assert!(result.to_string().contains("depth 9, threads 1\n"));
        result.options.params.set("aspiration", 30).unwrap();
        assert!(result.to_json().contains("\"params\":{\"aspiration\":30},"));
        assert!(result.to_string().contains("depth 9, threads 1, aspiration=30\n"));
    }

    #[test]
    fn what_was_counted_is_shown_if_anything_was() {
        assert!(!result().to_json().contains("counts") && !result().to_string().contains("Of all"));
        let counted = BenchResult { counts: vec![("moves searched", 7)], ..result() };
        assert!(counted.to_json().ends_with(",\"counts\":{\"moves searched\":7}}"));
        assert!(
            counted.to_string().ends_with("\nOf all searches\n             7  moves searched\n")
        );
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
    }
}
