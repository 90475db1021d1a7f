//! The writer.

use super::VERSION;
use crate::records::Setting;
use tengen_core::notation::Moves;
use tengen_core::prover::Attack;
use tengen_core::rules::Game;

/// Writes a proof that the side to move wins, a node a line.
#[must_use]
pub fn write(game: &Game, attack: &Attack) -> String {
    let size = game.board().size();
    // Texts always have a form.
    let object = |set_up| serde_json::to_string(&set_up).unwrap_or_default();
    let start = Setting::of_game(game).map(object);
    let start = start.map_or_else(String::new, |object| format!("\"setup\":{object},"));
    format!(
        "{{\"tengen_certificate\":{VERSION},\"size\":[{},{}],\"rule\":\"{}\",{start}\"moves\":\"{}\",\
         \"attacker\":\"{}\",\"tree\":{}}}\n",
        size.width(),
        size.height(),
        game.rule(),
        Moves(game.moves()),
        game.to_move(),
        tree(attack, "\n"),
    )
}

/// Writes an attack alone, without the position that it is for, as a list of nodes on one line.
#[must_use]
pub fn write_attack(attack: &Attack) -> String {
    tree(attack, "")
}

/// Writes the list of nodes, with `gap` before each and after the last.
fn tree(attack: &Attack, gap: &str) -> String {
    let mut text = "[".to_owned();
    // Each node adds those that it refers to, which gives them their numbers.
    let mut nodes = vec![attack];
    let mut number = 0;
    while let Some(&node) = nodes.get(number) {
        text.push_str(if number == 0 { "" } else { "," });
        text.push_str(gap);
        text.push_str(&format!("[\"{}\"", node.play));
        // Without it the move wins, and there are no replies.
        if let Some(otherwise) = node.otherwise.as_deref() {
            text.push_str(&format!(",{}", nodes.len()));
            nodes.push(otherwise);
            for (reply, next) in &node.replies {
                text.push_str(&format!(",\"{reply}\",{}", nodes.len()));
                nodes.push(next);
            }
        }
        text.push(']');
        number += 1;
    }
    text.push_str(gap);
    text.push(']');
    text
}
