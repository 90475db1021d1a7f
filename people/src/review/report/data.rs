//! The data of a game for the scripts of a page.

use serde::Serialize;

use super::ReviewedGame;
use crate::explain::{Remark, WinMeans, remarks};
use crate::review::{Assessment, MoveReview, Proven};
use tengen_core::notation::Origin;
use tengen_core::position::Position;
use tengen_core::prover::Attack;
use tengen_core::types::{Cell, Color, Point};
use tengen_files::page::point_letters;
use tengen_files::records::{GameResult, Move};

/// The bytes that all attacks of a game may take together. So a page has at most 400 kB for a game
/// however long its proofs are.
const MOST_OF_ATTACKS: usize = 200_000;

/// The moves of a line that are shown; the rest of it is a guess.
const MOST_OF_LINE: usize = 40;

/// A game in few letters. Points are two letters each, column and row from `a`, rows from the top;
/// chances are expected points in parts of ten thousand.
#[derive(Serialize)]
pub(super) struct GameData<'a> {
    /// The number over all files, from 1.
    number: usize,
    file: &'a str,
    /// The number in the file, if that has others.
    place: Option<usize>,
    size: [u8; 2],
    rule: &'static str,
    /// The name of renju's opening.
    opening: Option<String>,
    /// True if rows count from the bottom.
    bottom: bool,
    pub(super) names: [&'a str; 2],
    event: &'a str,
    round: &'a str,
    date: &'a str,
    comment: &'a str,
    /// `b`, `w`, `d` or `?`.
    pub(super) result: char,
    reason: Option<&'a str>,
    /// The stones that the game begins with, of black and of white.
    start: [String; 2],
    /// The side that moves first.
    first: u8,
    /// The number of moves of the record before that.
    earlier: usize,
    moves: String,
    /// The comments on moves; empty if there are none.
    comments: Vec<&'a str>,
    /// The number of first moves that were not reviewed.
    skipped: usize,
    /// Black's chances in each position from there.
    black: Vec<u32>,
    accuracy: [Option<f64>; 2],
    /// The index of the turning point among the reviewed moves.
    turning: Option<usize>,
    /// The loser, and the number of moves after which all was lost.
    lost: Option<(u8, usize)>,
    reviews: Vec<MoveData>,
    positions: Vec<PositionData>,
}

/// A move that was reviewed.
#[derive(Serialize)]
struct MoveData {
    class: &'static str,
    /// Its effects: what it makes, stops, leaves, misses and allows.
    why: Vec<RemarkData>,
    /// The effect of the best move.
    better: Vec<RemarkData>,
    /// The mover's chances before and after it.
    chances: [u32; 2],
}

/// The words of a remark, and the cell that they name.
#[derive(Serialize)]
struct RemarkData(String, String);

/// Knowledge about a position.
#[derive(Serialize)]
struct PositionData {
    #[serde(skip_serializing_if = "String::is_empty")]
    line: String,
    value: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<ProvenData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<RemarkData>,
    /// The value of the best move where that is not known to win as the position is.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<OtherData>,
    /// The attack of the side to move; see [`attack_text`].
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<String>,
    /// True if there is an attack that the page had no room for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    too_long: bool,
}

/// Another move.
#[derive(Serialize)]
struct OtherData {
    line: String,
    value: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<ProvenData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    words: Vec<RemarkData>,
}

/// The winner of a proof, the plies, and the words for its means.
#[derive(Serialize)]
struct ProvenData(u8, u16, &'static str);

impl<'a> GameData<'a> {
    pub(super) fn new(game: &ReviewedGame<'a>) -> GameData<'a> {
        let &ReviewedGame { record, review, task, .. } = game;
        let size = task.size();
        let own = record.moves.iter().skip(task.earlier()).take(task.moves().len());
        let comments: Vec<&str> = own.map(Move::comment).collect();
        let is_commented = comments.iter().any(|comment| !comment.is_empty());
        let (reviews, positions) = parts(game);
        GameData {
            number: game.number,
            file: game.file,
            place: game.place,
            size: [size.width(), size.height()],
            rule: task.rule().name(),
            opening: task.opening().map(|opening| opening.to_string()),
            bottom: game.origin == Origin::Bottom,
            names: Color::ALL.map(|color| record.players[color].as_str()),
            event: &record.event,
            round: &record.round,
            date: &record.date,
            comment: &record.comment,
            result: match record.result {
                None => '?',
                Some(GameResult::Draw) => 'd',
                Some(GameResult::Win(Color::Black)) => 'b',
                Some(GameResult::Win(Color::White)) => 'w',
            },
            reason: record.reason.as_ref().map(|reason| reason.name()),
            start: Color::ALL.map(|color| {
                let is_own = |&point: &Point| task.start().cell(point) == Cell::Stone(color);
                point_letters(size.points().filter(is_own))
            }),
            first: side(task.to_move_after(0)),
            earlier: task.earlier(),
            moves: point_letters(task.moves().iter().copied()),
            comments: if is_commented { comments } else { Vec::new() },
            skipped: review.skipped,
            black: review.black.iter().map(|&share| value(share)).collect(),
            accuracy: Color::ALL.map(|color| review.accuracy[color]),
            turning: review.turning_point,
            lost: review.lost.map(|lost| (side(lost.loser), lost.after)),
            reviews,
            positions,
        }
    }
}

/// Returns what there is to say of the moves and the positions.
fn parts(game: &ReviewedGame<'_>) -> (Vec<MoveData>, Vec<PositionData>) {
    let &ReviewedGame { review, task, .. } = game;
    let mut position = task.position_after(review.skipped);
    let mut reviews = Vec::new();
    let mut positions = Vec::new();
    for (i, assessment) in review.positions.iter().enumerate() {
        positions.push(of_position(game, assessment, &mut position));
        if let Some(m) = review.moves.get(i) {
            reviews.push(of_move(game, m));
            position.play_unchecked(m.point);
        }
    }
    add_attacks(game, &mut positions);
    (reviews, positions)
}

fn of_move(game: &ReviewedGame<'_>, m: &MoveReview) -> MoveData {
    MoveData {
        class: m.class.name(),
        why: m.remarks.iter().map(|&remark| words(game, remark)).collect(),
        better: m.better.iter().map(|&remark| words(game, remark)).collect(),
        chances: [m.before, m.after].map(|chances| value(chances.points())),
    }
}

fn of_position(
    game: &ReviewedGame<'_>,
    assessment: &Assessment,
    position: &mut Position,
) -> PositionData {
    let mut promises = |point: Point| -> Vec<RemarkData> {
        let said = remarks(position, point);
        said.into_iter()
            .filter(|remark| !remark.is_fault())
            .map(|remark| words(game, remark))
            .collect()
    };
    PositionData {
        line: line(&assessment.line),
        value: value(assessment.chances.points()),
        proven: assessment.proven.map(proven),
        words: assessment.best().map(&mut promises).unwrap_or_default(),
        best: assessment.line_chances.map(|chances| value(chances.points())),
        others: Vec::from_iter(assessment.candidates.iter().map(|candidate| OtherData {
            line: line(&candidate.line),
            value: value(candidate.chances.points()),
            proven: candidate.proven.map(proven),
            words: promises(candidate.point()),
        })),
        attack: None,
        too_long: false,
    }
}

/// Adds the attacks that there is room for: those before and after mistakes first.
fn add_attacks(game: &ReviewedGame<'_>, positions: &mut [PositionData]) {
    let review = game.review;
    let mut order: Vec<usize> = (0..positions.len()).collect();
    let is_fault = |i: usize| review.moves.get(i).is_some_and(|m| m.class.is_fault());
    order.sort_by_key(|&i| !is_fault(i) && (i == 0 || !is_fault(i - 1)));
    let mut room = MOST_OF_ATTACKS;
    for i in order {
        let Some(attack) = &review.positions[i].attack else { continue };
        let text = attack_text(attack);
        if let Some(rest) = room.checked_sub(text.len()) {
            room = rest;
            positions[i].attack = Some(text);
        } else {
            positions[i].too_long = true;
        }
    }
}

/// Writes an attack: its move; then a full stop if that wins, or in parentheses the attack after
/// any reply that is not listed, and each reply with the attack after it.
fn attack_text(attack: &Attack) -> String {
    let mut text = String::new();
    push_attack(&mut text, attack);
    text
}

/// Adds an attack to a text. It is at most half as deep as the board has cells.
fn push_attack(text: &mut String, attack: &Attack) {
    text.push_str(&point_letters([attack.play]));
    let Some(otherwise) = attack.otherwise.as_deref() else {
        text.push('.');
        return;
    };
    text.push('(');
    push_attack(text, otherwise);
    for (reply, next) in &attack.replies {
        text.push_str(&point_letters([*reply]));
        push_attack(text, next);
    }
    text.push(')');
}

fn line(points: &[Point]) -> String {
    point_letters(points.iter().copied().take(MOST_OF_LINE))
}

fn words(game: &ReviewedGame<'_>, remark: Remark) -> RemarkData {
    let cell = remark.cell().map_or_else(String::new, |point| point_letters([point]));
    RemarkData(remark.seen_from(game.origin, game.task.size()).to_string(), cell)
}

fn value(share: f64) -> u32 {
    // Shares are from 0 to 1.
    (share * 1e4).round() as u32
}

fn side(color: Color) -> u8 {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

fn proven(proven: Proven) -> ProvenData {
    let means = match proven.means {
        WinMeans::Fours => "by fours",
        WinMeans::Threats => "by threats",
        WinMeans::Any => "",
    };
    ProvenData(side(proven.winner), proven.plies, means)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::double::points;

    #[test]
    fn attacks_are_written_with_all_their_parts() {
        let [play, reply, one, other] = points("a1b2c3o15")[..] else { panic!("four cells") };
        let replies = vec![(reply, Attack::winning(one))];
        let attack = Attack { play, replies, otherwise: Some(Box::new(Attack::winning(other))) };
        assert_eq!(attack_text(&attack), "aa(oo.bbcc.)");
    }
}
