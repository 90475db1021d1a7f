//! A summary for programs.

use crate::arena::Summary;
use tengen_files::printable::printable_json;

/// Returns a summary as one JSON object on one line, without an end of line.
///
/// The fields are those of [`Summary`] and of the types in it, under the same names: times are in
/// milliseconds, memory in bytes, shares from 0 to 1, Elo with 95 % intervals. What is unknown or
/// has no finite value, as the Elo of who won every game, is `null`.
#[must_use]
pub fn json(summary: &Summary) -> String {
    let json = serde_json::to_string(summary).expect("texts and numbers are not errors");
    printable_json(&json).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::testing::{Sample, info, random_match};
    use crate::stats::PlayerResult;
    use serde_json::Value;

    #[test]
    fn programs_read_what_the_summary_says() {
        let (info, games) = random_match(1, 2, 10);
        let summary = Summary::new(&info, &games);
        let text = json(&summary);
        assert!(!text.contains('\n'));
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["games"], 20);
        assert_eq!(value["players"][1]["name"], "carbon");
        assert_eq!(value["players"][0]["all"]["wins"], summary.players[0].all.wins);
        assert_eq!(value["crosstable"][0][0], Value::Null);
        assert_eq!(value["crosstable"][1][0]["games"], 20);
        assert_eq!(value["ends"][0]["end"], "five");
        let pairs = &value["duel"]["pentanomial"];
        assert_eq!(pairs.as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 10);
        let of_pairs = |name: &str| value["duel"]["pairs"][name].as_u64().unwrap();
        assert_eq!(["won", "lost", "even"].map(of_pairs).iter().sum::<u64>(), 10);
        assert_eq!(pairs[2], of_pairs("even"));
        assert!(of_pairs("even") >= of_pairs("even_by_black") + of_pairs("even_by_white"));
        let elo = value["duel"]["elo"]["value"].as_f64().unwrap();
        assert!((elo - summary.duel.unwrap().elo.unwrap().value).abs() < 1e-9);
    }

    #[test]
    fn infinite_values_are_null() {
        let games: Vec<_> = (0..4)
            .map(|i| Sample::new(i, i / 2, [0, 1], i % 2 == 1).result(PlayerResult::Win).game())
            .collect();
        let value: Value = serde_json::from_str(&json(&Summary::new(&info(2), &games))).unwrap();
        let elo = &value["duel"]["elo"];
        assert_eq!(
            (&elo["value"], &elo["upper"], &elo["error"]),
            (&Value::Null, &Value::Null, &Value::Null)
        );
        assert!(elo["lower"].as_f64().unwrap() > -400.0);
        assert_eq!(value["duel"]["pairs_ratio"], Value::Null);
    }
}
