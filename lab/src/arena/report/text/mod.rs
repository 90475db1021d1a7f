//! A summary as a table for people.

use super::words;
use crate::arena::{HeadToHead, PairCounts, PlayerSummary, Results, Summary, Test};
use tengen_files::words::thousands;

/// The longest line.
const WIDTH: usize = 100;
/// The most columns of a name in a table.
const NAME: usize = 20;
/// The column at which facts begin after their names.
const FACTS: usize = 10;

/// Returns a summary as a table of at most 100 columns; names that are longer than 20 letters are
/// cut. Ends with an end of line.
#[must_use]
pub fn text(summary: &Summary) -> String {
    let mut text = heading(summary);
    text.push('\n');
    match &summary.duel {
        Some(duel) => {
            text.push_str(&both(summary));
            text.push('\n');
            text.push_str(&strength(duel, summary));
        }
        None => {
            text.push_str(&standings(summary));
            text.push('\n');
            text.push_str(&crosstable(summary));
        }
    }
    text.push_str(&games(summary));
    text.push('\n');
    text.push_str(&effort(summary));
    text
}

/// Says what was played.
fn heading(summary: &Summary) -> String {
    let name = |i: usize| words::name(&summary.players[i].name, 24);
    let players = summary.players.len();
    let who = match (summary.pairing, players) {
        ("best-of", 2) => format!("best of {}, {} against {}", summary.scheduled, name(0), name(1)),
        (_, 2) => format!("{} against {}", name(0), name(1)),
        ("gauntlet", 3..) => format!("{} against {} others", name(0), players - 1),
        _ => format!("round robin of {players}"),
    };
    let event = match summary.event.as_str() {
        "" => String::new(),
        event => format!("{}: ", words::name(event, 30)),
    };
    let [width, height] = summary.size;
    let played = format!("{} of {} games", summary.games, summary.scheduled);
    let mut facts = vec![format!("{} on {width}x{height}", summary.rule), played];
    let is_set = |value: &str| !matches!(value, "none" | "off" | "sequential" | "");
    for (setting, value) in summary.settings.iter().filter(|(_, value)| is_set(value)) {
        facts.push(format!("{} {}", words::name(setting, 30), words::name(value, 60)));
    }
    format!("{event}{who}\n{}", wrapped("", &facts))
}

/// Returns phrases with commas between them, in lines that begin below the end of `begin`.
fn wrapped(begin: &str, phrases: &[String]) -> String {
    let indent = begin.chars().count();
    let mut text = begin.to_owned();
    let mut column = indent;
    for (i, phrase) in phrases.iter().enumerate() {
        let comma = usize::from(i + 1 < phrases.len());
        let length = phrase.chars().count() + comma;
        if column > indent && column + 1 + length > WIDTH {
            text.push_str(&format!("\n{:indent$}", ""));
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text.push_str(phrase);
        text.push_str(&","[..comma]);
        column += length;
    }
    text.push('\n');
    text
}

/// Returns a fact under a name: phrases with commas between them.
fn fact(name: &str, phrases: &[String]) -> String {
    wrapped(&format!("{name:<FACTS$}  "), phrases)
}

fn row(first: String, results: Results) -> Vec<String> {
    let mut row = vec![first];
    row.extend([results.games, results.wins, results.draws, results.losses].map(|n| n.to_string()));
    row.push(words::points(results.points));
    row.push(words::percent(results.score));
    row
}

/// The results of two players.
fn both(summary: &Summary) -> String {
    let titles = ["", "games", "won", "drawn", "lost", "points", "score"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for player in &summary.players {
        rows.push(row(words::name(&player.name, NAME), player.all));
        rows.push(row("  black".to_owned(), player.black));
        rows.push(row("  white".to_owned(), player.white));
    }
    words::table(&rows, 1)
}

/// The difference in strength of two players.
fn strength(duel: &HeadToHead, summary: &Summary) -> String {
    let mut basis =
        format!("95 %, from {}", if duel.from_pairs { "pairs" } else { "single games" });
    if duel.nelo.is_none() && duel.elo.is_some_and(|elo| elo.error.is_finite()) {
        basis.push_str(", all alike so far");
    }
    let interval = |interval| match interval {
        None => words::interval(None),
        known => format!("{} ({basis})", words::interval(known)),
    };
    let mut text = fact("Elo", &[interval(duel.elo)]);
    text.push_str(&fact("nElo", &[interval(duel.nelo)]));
    text.push_str(&fact("LOS", &[words::likelihood(duel.los)]));
    let mut draws = vec![format!("{} of games", words::percent(duel.draw_ratio))];
    if duel.pair_draw_ratio.is_some() {
        draws.push(format!("{} of pairs even", words::percent(duel.pair_draw_ratio)));
    }
    text.push_str(&fact("Draws", &draws));
    if summary.pairing != "best-of" {
        text.push_str(&pairs(duel, summary.unpaired));
    }
    if let Some(test) = &duel.sprt {
        text.push_str(&sprt(test));
    }
    text
}

fn pairs(duel: &HeadToHead, unpaired: usize) -> String {
    let points = ["0", "0.5", "1", "1.5", "2 points"];
    let PairCounts { won, lost, even, even_by_black, even_by_white } = duel.pairs;
    let mut phrases = vec![format!("{won} won"), format!("{lost} lost")];
    phrases.push(match (even_by_black, even_by_white) {
        (0, 0) => format!("{even} even"),
        (black, white) => format!("{even} even ({black} black, {white} white)"),
    });
    let counts = duel.pentanomial.iter().zip(points);
    phrases.extend(counts.map(|(pairs, points)| format!("{pairs} x {points}")));
    match unpaired {
        0 => {}
        1 => phrases.push("1 game waits for its other".to_owned()),
        games => phrases.push(format!("{games} games wait for their other")),
    }
    fact("Pairs", &phrases)
}

fn sprt(test: &Test) -> String {
    let Test { model, elo0, elo1, alpha, beta, llr, lower, upper, accepted, .. } = test;
    let kind = if *model == "normalized" { "nElo" } else { "Elo" };
    let verdict = match accepted {
        Some("H0") => format!("H0 accepted, {elo0} rather than {elo1} {kind}"),
        Some(_) => format!("H1 accepted, {elo1} rather than {elo0} {kind}"),
        None => format!("undecided between {elo0} and {elo1} {kind}"),
    };
    let llr = format!("LLR {llr:+.2} of {lower:+.2} to {upper:+.2}");
    fact("SPRT", &[verdict, llr, format!("alpha {alpha}"), format!("beta {beta}")])
}

/// The ranking of many players.
fn standings(summary: &Summary) -> String {
    let titles =
        ["#", "", "Elo", "±", "games", "won", "drawn", "lost", "points", "score", "LOS next"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for (place, &player) in (1..).zip(&summary.ranking) {
        let player = &summary.players[player];
        let (elo, error, los) = match &player.rating {
            None => (words::unknown(), words::unknown(), words::unknown()),
            Some(rating) => (
                words::elo(rating.elo),
                format!("{:.1}", rating.error),
                words::likelihood(rating.los_next),
            ),
        };
        let mut cells = vec![place.to_string(), words::name(&player.name, NAME), elo, error];
        cells.extend(row(String::new(), player.all).into_iter().skip(1));
        cells.push(los);
        rows.push(cells);
    }
    words::table(&rows, 2)
}

/// The points of each pair of engines, in as many tables side by side as fit.
fn crosstable(summary: &Summary) -> String {
    let cell = |player: usize, opponent: usize| match summary.crosstable[player][opponent] {
        None => "*".to_owned(),
        Some(Results { games: 0, .. }) => String::new(),
        Some(results) => format!("{}/{}", words::points(results.points), results.games),
    };
    let numbered: Vec<(usize, usize)> = (1..).zip(summary.ranking.iter().copied()).collect();
    let widest = numbered.iter().flat_map(|&(_, i)| numbered.iter().map(move |&(_, j)| (i, j)));
    let widest = widest.map(|(i, j)| cell(i, j).len()).max().unwrap_or(1).max(3);
    let columns = ((WIDTH - NAME - 6) / (widest + 2)).max(1);
    let mut text = String::new();
    for opponents in numbered.chunks(columns) {
        let mut titles = vec!["#".to_owned(), String::new()];
        titles.extend(opponents.iter().map(|(place, _)| place.to_string()));
        let mut rows = vec![titles];
        for &(place, player) in &numbered {
            let name = words::name(&summary.players[player].name, NAME);
            let mut cells = vec![place.to_string(), name];
            cells.extend(opponents.iter().map(|&(_, opponent)| cell(player, opponent)));
            rows.push(cells);
        }
        text.push_str(&words::table(&rows, 2));
        text.push('\n');
    }
    text
}

/// Statistics of all games together.
fn games(summary: &Summary) -> String {
    let mut text = String::new();
    if summary.games > 0 {
        let Results { wins, draws, losses, score, .. } = summary.black;
        let counts = [(wins, "won"), (draws, "drawn"), (losses, "lost")];
        let mut phrases = vec![words::percent(score)];
        phrases.extend(counts.map(|(games, word)| format!("{games} {word}")));
        text.push_str(&fact("Black", &phrases));
    }
    if let Some(model) = &summary.rating_model {
        let first_move = format!("first move {}", words::interval(Some(model.first_move)));
        let draw_elo = format!("draw Elo {} (95 %)", words::interval(Some(model.draw_elo)));
        text.push_str(&fact("Model", &[first_move, draw_elo]));
    }
    if !summary.ends.is_empty() {
        text.push_str(&fact("Ends", &words::ends(&summary.ends)));
    }
    let faulty = summary.players.iter().filter(|player| player.faults > 0);
    for (i, player) in faulty.enumerate() {
        let faults: Vec<_> =
            player.lost_by.iter().filter(|count| count.end.is_fault()).copied().collect();
        let title = if i == 0 { "Faults" } else { "" };
        let mut phrases = words::ends(&faults);
        phrases[0].insert_str(0, &format!("{}: ", words::name(&player.name, NAME)));
        text.push_str(&fact(title, &phrases));
    }
    let lengths = &summary.lengths;
    if let (Some(min), Some(mean), Some(median), Some(max)) =
        (lengths.min, lengths.mean, lengths.median, lengths.max)
    {
        let bars = bars(&lengths.histogram.iter().map(|bin| bin.games).collect::<Vec<u64>>());
        let range = format!("{min} to {max} moves");
        let middle = format!("median {median}  {bars}");
        text.push_str(&fact("Lengths", &[range, format!("mean {mean:.1}"), middle]));
    }
    text.push_str(&fact("Thinking", &[words::time(summary.thinking_ms as f64)]));
    text
}

/// Returns a column for each number, of eight heights; nothing for nothing.
fn bars(numbers: &[u64]) -> String {
    let most = numbers.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&number: &u64| match number {
        0 => ' ',
        number => ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][((number * 8 - 1) / most) as usize],
    };
    numbers.iter().map(bar).collect()
}

/// The resources that the players used.
fn effort(summary: &Summary) -> String {
    let titles = ["", "moves", "per move", "slowest", "depth", "nodes", "nodes/s", "memory"];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    // Two stay in the order in which they were given, as above.
    let given: Vec<usize> = (0..summary.players.len()).collect();
    for &player in if summary.duel.is_some() { &given } else { &summary.ranking } {
        let player: &PlayerSummary = &summary.players[player];
        let slowest = (player.moves > 0).then_some(player.slowest_move_ms as f64);
        let memory = player.peak_memory.map(|bytes| format!("{} MiB", bytes.div_ceil(1 << 20)));
        rows.push(vec![
            words::name(&player.name, NAME),
            player.moves.to_string(),
            player.mean_move_ms.map_or_else(words::unknown, words::time),
            slowest.map_or_else(words::unknown, words::time),
            player.mean_depth.map_or_else(words::unknown, |depth| format!("{depth:.1}")),
            player.mean_nodes.map_or_else(words::unknown, thousands),
            player.nodes_per_second.map_or_else(words::unknown, thousands),
            memory.unwrap_or_else(words::unknown),
        ]);
    }
    words::table(&rows, 1)
}

#[cfg(test)]
mod tests;
