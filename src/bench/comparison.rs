//! Searches with the network beside searches without, for people and for programs.

use std::env::consts::{ARCH, OS};
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use tengen_core::simd::NetworkKernels;
use tengen_files::words::counted;
use tengen_lab::bench::comparison::{Comparison, NODES, RuleComparison, SearchSpeed};

/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns a comparison as a block of Markdown to paste, which says all that others need to repeat it, and
/// nothing that is private. Every line ends with a newline.
pub(super) fn markdown(comparison: &Comparison) -> String {
    let mut text =
        format!("**tengen {VERSION}**: nodes per second with and without the network\n\n");
    text += &row(&["rule", "positions", "with network", "without", "ratio (95 %)"]);
    text += "| :---------- | --------: | -----------: | --------: | :------------ |\n";
    for compared in &comparison.rules {
        let positions = compared.positions.len().to_string();
        let [network, tables] = [compared.network(), compared.tables()]
            .map(|speed| format!("{:.0}", speed.nodes_per_second()));
        let ratio = format!("{:.3}", compared.ratio());
        let error = compared.error().map_or_else(String::new, |error| format!(" ± {error:.3}"));
        let ratio = ratio + &error;
        text += &row(&[compared.rule.name(), &positions, &network, &tables, &ratio]);
    }
    let threads = counted(comparison.options.threads.max(1) as u64, "thread");
    let _ = write!(text, "\n* Run: {NODES} nodes a position, in turn; {threads}");
    for assignment in comparison.options.params.changed() {
        let _ = write!(text, "; `{assignment}`");
    }
    let kernels = NetworkKernels::best();
    let _ = writeln!(text, "\n* Processor: {ARCH}, kernels {}; {OS}", kernels.name());
    text += &match comparison.signatures {
        Some(pair) => format!(
            "* Signatures at depth {}: {} with the network, {} without\n",
            comparison.options.depth, pair.network, pair.tables
        ),
        None => "* Signatures: none with more than one thread\n".to_owned(),
    };
    text
}

fn row([rule, positions, network, tables, ratio]: &[&str; 5]) -> String {
    format!("| {rule:<11} | {positions:>9} | {network:>12} | {tables:>9} | {ratio:<13} |\n")
}

/// Returns a comparison as a JSON object. Times are in seconds; `ratio_error` is null with fewer than two
/// positions, `signatures` with more than one thread.
pub(super) fn object(comparison: &Comparison) -> Value {
    let speed = |speed: SearchSpeed| {
        json!({
            "nodes": speed.nodes,
            "seconds": speed.elapsed.as_secs_f64(),
            "nodes_per_second": speed.nodes_per_second(),
        })
    };
    let rule = |compared: &RuleComparison| {
        json!({
            "rule": compared.rule.name(),
            "positions": compared.positions.len(),
            "network": speed(compared.network()),
            "tables": speed(compared.tables()),
            "ratio": compared.ratio(),
            "ratio_error": compared.error(),
        })
    };
    let signatures =
        comparison.signatures.map(|pair| json!({ "network": pair.network, "tables": pair.tables }));
    let options = &comparison.options;
    let changed = options.params.changed();
    let params: Map<String, Value> =
        changed.map(|a| (a.param().name.to_owned(), a.value().into())).collect();
    json!({
        "version": VERSION,
        "threads": options.threads.max(1),
        "kernels": NetworkKernels::best().name(),
        "nodes_per_search": NODES,
        "depth": options.depth,
        "signatures": signatures,
        "params": params,
        "rules": comparison.rules.iter().map(rule).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use tengen_core::rules::Rule;
    use tengen_lab::bench::BenchOptions;
    use tengen_lab::bench::comparison::{PositionSpeeds, SignaturePair};

    fn compared() -> Comparison {
        let speed = |nodes| SearchSpeed { nodes, elapsed: Duration::from_millis(500) };
        let position = |network| PositionSpeeds { network: speed(network), tables: speed(1000) };
        let rules =
            vec![RuleComparison { rule: Rule::Caro, positions: [500, 600].map(position).to_vec() }];
        let signatures = Some(SignaturePair { network: 12, tables: 34 });
        let mut options = BenchOptions::default();
        options.params.set("aspiration", 30).unwrap();
        Comparison { options, rules, signatures }
    }

    #[test]
    fn the_block_says_what_was_run_where_and_by_which_search() {
        let mut comparison = compared();
        let expected = format!(
            "**tengen {VERSION}**: nodes per second with and without the network\n\n\
             | rule        | positions | with network |   without | ratio (95 %)  |\n\
             | :---------- | --------: | -----------: | --------: | :------------ |\n\
             | caro        |         2 |         1100 |      2000 | 0.550 ± 0.098 |\n\n\
             * Run: 20000 nodes a position, in turn; 1 thread; `aspiration=30`\n\
             * Processor: {ARCH}, kernels {}; {OS}\n\
             * Signatures at depth 12: 12 with the network, 34 without\n",
            NetworkKernels::best().name(),
        );
        assert_eq!(markdown(&comparison), expected);
        comparison.signatures = None;
        let none = "* Signatures: none with more than one thread\n";
        assert!(markdown(&comparison).ends_with(none));
        assert_eq!(object(&comparison)["signatures"], Value::Null);
    }

    #[test]
    fn programs_get_the_same_figures() {
        let json = object(&compared());
        assert_eq!(json["signatures"], json!({ "network": 12, "tables": 34 }));
        assert_eq!(json["params"], json!({ "aspiration": 30 }));
        let rule = &json["rules"][0];
        assert_eq!((&rule["rule"], &rule["positions"]), (&"caro".into(), &2.into()));
        assert_eq!(rule["network"]["nodes_per_second"], 1100.0);
        assert!((rule["ratio"].as_f64().unwrap() - 0.55).abs() < 1e-9);
    }
}
