//! Requests to the engine in an opening, and the use of the answers.

use tengen_core::rules::{Opening, OpeningChoice, OpeningQuestion, OpeningRule, Rule};
use tengen_core::search::{BalanceStones, BalanceTask};
use tengen_core::types::{Color, Point};
use tengen_engine::engine::{Answer, OpeningStep, Scope, Setup, Task};

/// Two more moves, or one, that leave neither side better off.
const fn even(stones: BalanceStones) -> Task {
    Task::Balance(BalanceTask { stones, bias: 0 })
}

/// Returns the job of the player who is asked: the position, the task and its scope. Nothing if
/// there is no choice, or if the opening is finished.
pub(super) fn opening_job(opening: &Opening, rule: Rule) -> Option<(Setup, Task, Scope)> {
    let (_, question) = opening.asked()?;
    let placed = opening.stones().len();
    let mut scope = Scope::default();
    let task = match question {
        OpeningQuestion::Stone { reach: Some(0), .. }
            if opening.rule() == OpeningRule::Taraguchi10 =>
        {
            return None;
        }
        OpeningQuestion::Stone { reach: Some(_), .. } if placed == 0 => {
            Task::Opening(OpeningStep::Open)
        }
        OpeningQuestion::Stone { .. } if placed == 0 => Task::Swap2,
        OpeningQuestion::Stone { number, reach } => {
            let is_allowed = |point| opening.check(OpeningChoice::Cell(point)).is_ok();
            scope.blocked = opening.size().points().filter(|&point| !is_allowed(point)).collect();
            match (opening.rule(), number, reach) {
                // White plays it for itself: the colours are settled.
                (OpeningRule::Rif | OpeningRule::Yamaguchi, 4, _) => {
                    scope.blocked.clear();
                    Task::Opening(OpeningStep::FourthOwed { fifths: opening.owed_fifths() })
                }
                (OpeningRule::Soosorv8, 4, _) => {
                    scope.blocked.clear();
                    Task::Opening(OpeningStep::Fourth)
                }
                // Somebody else may take the colour afterwards.
                (OpeningRule::Swap | OpeningRule::Swap2, 2 | 4, _) => even(BalanceStones::Two),
                _ => even(BalanceStones::One),
            }
        }
        OpeningQuestion::Colors { .. } => match (opening.rule(), placed) {
            (OpeningRule::Swap | OpeningRule::Swap2, _) => Task::Swap2,
            (OpeningRule::Rif | OpeningRule::Yamaguchi, _) => {
                Task::Opening(OpeningStep::SwapOwed { fifths: opening.owed_fifths() })
            }
            (OpeningRule::Soosorv8, 4) => {
                Task::Opening(OpeningStep::SwapFourth { fifths: opening.owed_fifths() })
            }
            (OpeningRule::Taraguchi10, 4) => {
                let mut ten = opening.clone();
                let fifths = ten.choose(OpeningChoice::TenFifths).map_or(1, |()| ten.owed_fifths());
                Task::Opening(OpeningStep::SwapFourth { fifths })
            }
            _ => Task::Opening(OpeningStep::SwapFirst),
        },
        OpeningQuestion::Number { most } => Task::Opening(OpeningStep::Number { most }),
        OpeningQuestion::Fifth { of, .. } => Task::Opening(OpeningStep::Fifths { fifths: of }),
        OpeningQuestion::Keep => Task::Opening(OpeningStep::Choose),
    };
    Some((setup(opening, rule, question), task, scope))
}

/// Returns the position of an opening; where one of the fifth stones has to be chosen, all of them
/// are on the board after the others.
fn setup(opening: &Opening, rule: Rule, question: OpeningQuestion) -> Setup {
    let numbered = opening.stones().iter().enumerate();
    let mut stones: Vec<(Point, Color)> =
        numbered.map(|(i, &point)| (point, Color::to_move_after(i))).collect();
    let to_move = Color::to_move_after(stones.len());
    if question == OpeningQuestion::Keep {
        stones.extend(opening.fifths().iter().map(|&point| (point, Color::Black)));
    }
    Setup { size: opening.size(), rule, stones, walls: Vec::new(), to_move }
}

/// Returns the choices that an answer amounts to, up to the first that another player or another
/// job has to make. What an answer does not say, or not as it is allowed, is made up for by the
/// allowed choice nearest to the centre, so there is always one at least.
pub(super) fn choices_of(opening: &Opening, answer: &Answer) -> Vec<OpeningChoice> {
    let Some((asked, question)) = opening.asked() else { return Vec::new() };
    let wanted: Vec<OpeningChoice> = match (question, answer) {
        (OpeningQuestion::Colors { other: Some(OpeningChoice::TenFifths) }, Answer::Stay) => {
            vec![OpeningChoice::TenFifths]
        }
        // A move of swap2 is the next one of the colour that the engine has.
        (OpeningQuestion::Colors { .. }, Answer::Stay | Answer::Moves(_)) => {
            vec![OpeningChoice::Stay]
        }
        (OpeningQuestion::Colors { .. }, Answer::Swap) => vec![OpeningChoice::Swap],
        (_, Answer::Moves(points)) => points.iter().copied().map(OpeningChoice::Cell).collect(),
        (_, Answer::Offer(point, fifths)) => {
            vec![OpeningChoice::Cell(*point), OpeningChoice::Number(*fifths)]
        }
        (_, Answer::Number(number)) => vec![OpeningChoice::Number(*number)],
        (_, Answer::Swap | Answer::Stay | Answer::NoMove) => Vec::new(),
    };
    let mut after = opening.clone();
    let mut choices = Vec::new();
    for choice in wanted {
        let is_own = after.asked().is_some_and(|(seat, _)| seat == asked);
        if is_own && after.choose(choice).is_ok() {
            choices.push(choice);
        }
    }
    // All fifths are one answer; whatever else follows is asked again.
    let are_fifths = matches!(question, OpeningQuestion::Fifth { .. });
    let owes = |after: &Opening| {
        are_fifths && matches!(after.asked(), Some((_, OpeningQuestion::Fifth { .. })))
    };
    while choices.is_empty() || owes(&after) {
        let Some(choice) = plain_choice(&after) else { break };
        if after.choose(choice).is_err() {
            break;
        }
        choices.push(choice);
    }
    choices
}

/// Returns the choices that an answer of a program to a question of swap2 amounts to; none if it is none.
pub(super) fn program_choices(opening: &Opening, answer: &Answer) -> Vec<OpeningChoice> {
    let cells = |points: &[Point]| points.iter().copied().map(OpeningChoice::Cell).collect();
    match (opening.asked(), answer) {
        (Some((_, OpeningQuestion::Colors { .. })), Answer::Swap) => vec![OpeningChoice::Swap],
        (Some((_, OpeningQuestion::Colors { .. })), Answer::Stay) => vec![OpeningChoice::Stay],
        // The move that follows is asked for again.
        (Some((_, OpeningQuestion::Colors { .. })), Answer::Moves(points)) if points.len() == 1 => {
            vec![OpeningChoice::Stay]
        }
        (Some((_, OpeningQuestion::Colors { .. })), Answer::Moves(points)) => {
            let two: Vec<OpeningChoice> = cells(points);
            [&[OpeningChoice::TwoMore], &two[..]].concat()
        }
        (Some((_, OpeningQuestion::Stone { .. })), Answer::Moves(points)) => cells(points),
        _ => Vec::new(),
    }
}

/// Returns the allowed choice that needs no thought: to stay, one fifth stone, or the cell nearest
/// to the centre.
fn plain_choice(opening: &Opening) -> Option<OpeningChoice> {
    let center = opening.size().center();
    opening.allowed().into_iter().min_by_key(|choice| match choice {
        OpeningChoice::Stay => 0,
        OpeningChoice::Cell(point) => usize::from(point.distance(center)),
        OpeningChoice::Number(number) => *number,
        OpeningChoice::Swap | OpeningChoice::TwoMore | OpeningChoice::TenFifths => usize::MAX,
    })
}
