use tempfile::TempDir;

use super::*;
use crate::database::{Access, EntryLabel};
use tengen_core::notation::parse_moves;
use tengen_core::rules::Rule;
use tengen_core::search::BalanceTask;
use tengen_core::types::Size;

const SIZE: Size = Size::DEFAULT;

/// A book in a folder of its own.
struct Shelf {
    _folder: TempDir,
    book: OpeningBook,
}

/// A thing that a book knows of the position after moves.
enum Fact {
    Value(i32, i16, Option<Bound>),
    Best(&'static str),
    Result(ProvenResult),
    Label(&'static str),
}

use Fact::{Best, Label, Result as Proven, Value};

const EXACT: Option<Bound> = Some(Bound::Exact);

fn cells(text: &str) -> Vec<Point> {
    parse_moves(text, SIZE).unwrap()
}

fn shelf(rule: Rule, facts: &[(&str, Fact)]) -> Shelf {
    let folder = TempDir::with_prefix("tengen-book-").unwrap();
    let path = folder.path().join("a.tdb");
    let database = PositionDatabase::open(&path, Access::Create).unwrap();
    let put = |(moves, fact): &(&str, Fact)| {
        let placement = Placement::of_moves(rule, SIZE, &cells(moves)).unwrap();
        database.write(|writer| {
            let mut entry = writer.get(&placement)?.unwrap_or_default();
            match fact {
                &Value(score, depth, bound) => {
                    let score = Score::from_raw(score);
                    entry.evaluation = Some(Evaluation { score, depth, bound });
                }
                Best(cell) => entry.best = Some(cells(cell)[0]),
                Proven(result) => entry.result = Some(*result),
                Label(text) => entry.label = Some(EntryLabel::new(text).unwrap()),
            }
            writer.put(&placement, entry)
        })
    };
    facts.iter().try_for_each(put).unwrap();
    drop(database);
    let database = PositionDatabase::open(&path, Access::Read).unwrap();
    Shelf { _folder: folder, book: OpeningBook::new(Arc::new(database)) }
}

impl Shelf {
    /// Asks the book about a position; without a seed there is no chance.
    fn ask(
        &self,
        rule: Rule,
        moves: &str,
        task: Task,
        seed: Option<u64>,
    ) -> Option<(Answer, BookAnswer)> {
        let mut position = Position::new(rule, SIZE);
        let mut stones = Vec::new();
        for point in cells(moves) {
            stones.push((point, position.to_move()));
            position.play_unchecked(point);
        }
        let to_move = position.to_move();
        let setup = crate::engine::Setup { size: SIZE, rule, stones, walls: Vec::new(), to_move };
        let job = Job {
            id: 1,
            setup,
            task,
            analysis: false,
            limits: tengen_core::search::Limits::none(std::time::Instant::now()),
            scope: crate::engine::Scope::default(),
            skill: crate::engine::Skill::default(),
        };
        self.book.answer(&job, &mut position, seed.map(SplitMix64::new)).unwrap()
    }

    /// Returns the move after moves of a freestyle game.
    fn choice(&self, moves: &str) -> Option<String> {
        let (_, told) = self.ask(Rule::Freestyle, moves, Task::Move, None)?;
        Some(told.moves[0].to_string())
    }
}

fn freestyle(facts: &[(&str, Fact)]) -> Shelf {
    shelf(Rule::Freestyle, facts)
}

#[test]
fn the_shortest_win_is_played_unless_somebody_marked_another_move() {
    let win = |moves, plies| (moves, Proven(ProvenResult::Loss(plies)));
    let facts = || vec![win("h8i9a1", None), win("h8i9b2", Some(8)), win("h8i9c3", Some(12))];
    assert_eq!(freestyle(&facts()).choice("h8i9").as_deref(), Some("b2"));
    let mut marked = facts();
    marked.push(("h8i9d4", Label("!")));
    let (_, told) = freestyle(&marked).ask(Rule::Freestyle, "h8i9", Task::Move, None).unwrap();
    assert_eq!((told.moves, told.value), (cells("d4"), None));
    // The best move of a position that is won.
    let own = freestyle(&[("h8i9", Proven(ProvenResult::Win(Some(9)))), ("h8i9", Best("g7"))]);
    assert_eq!(own.choice("h8i9").as_deref(), Some("g7"));
}

#[test]
fn a_move_near_the_best_is_drawn_and_the_others_never_are() {
    let value = |moves, score| (moves, Value(score, 12, EXACT));
    let shelf = freestyle(&[
        value("h8i9a1", -50),
        value("h8i9b2", -50 + MARGIN),
        value("h8i9c3", -50 + MARGIN + 1),
        value("h8i9d4", -90),
        ("h8i9d4", Label("x")),
        ("h8i9e5", Proven(ProvenResult::Win(None))),
    ]);
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let told = shelf.ask(Rule::Freestyle, "h8i9", Task::Move, Some(seed)).unwrap().1;
        let again = shelf.ask(Rule::Freestyle, "h8i9", Task::Move, Some(seed)).unwrap().1;
        assert_eq!(told, again, "a seed decides");
        seen.insert(told.moves[0].to_string());
        assert_eq!(told.choices, 2);
    }
    // The position is its own image about a diagonal on which all of these cells are.
    assert_eq!(Vec::from_iter(seen), ["a1", "b2"]);
    assert_eq!(shelf.choice("h8i9").as_deref(), Some("a1"), "the best without chance");
    let told = shelf.ask(Rule::Freestyle, "h8i9", Task::Move, None).unwrap().1;
    assert_eq!(told.value, Some(BookValue { score: Score::eval(50), depth: 12 }));
}

#[test]
fn every_image_of_a_move_can_be_drawn() {
    let shelf = freestyle(&[
        ("h8h9", Value(5, 10, EXACT)),
        ("h8", Value(5, 11, EXACT)),
        ("h8i9", Value(200, 10, EXACT)),
    ]);
    let of = |seed| shelf.ask(Rule::Freestyle, "h8", Task::Move, Some(seed)).unwrap().1;
    let drawn: std::collections::BTreeSet<Point> = (0..60).map(|seed| of(seed).moves[0]).collect();
    assert_eq!(drawn, cells("h9h7g8i8").into_iter().collect());
    assert_eq!(of(1).choices, 4);
}

#[test]
fn thin_knowledge_is_not_used() {
    let value = |moves, score, depth, bound| (moves, Value(score, depth, bound));
    let nothing: [&[(&str, Fact)]; 8] = [
        &[],
        // One line.
        &[value("h8i9a1", -50, 12, EXACT)],
        // Its image is the same line.
        &[value("h8i9a2", -50, 12, EXACT)],
        // Not deep enough.
        &[value("h8i9a1", -50, 12, EXACT), value("h8i9b2", -50, ENOUGH_DEPTH - 1, EXACT)],
        // The move is worth at most this.
        &[
            value("h8i9a1", -50, 12, Some(Bound::Lower)),
            value("h8i9b2", -50, 12, Some(Bound::Lower)),
        ],
        // The position is worth more than its known moves.
        &[value("h8i9", 80, 12, EXACT), value("h8i9a1", -50, 12, EXACT)],
        // All known moves lose.
        &[
            ("h8i9a1", Proven(ProvenResult::Win(None))),
            ("h8i9b2", Proven(ProvenResult::Win(Some(3)))),
            ("h8i9", Proven(ProvenResult::Loss(None))),
            ("h8i9", Best("a1")),
        ],
        // The best move is left out.
        &[("h8i9", Best("b2")), value("h8i9", 80, 12, EXACT), ("h8i9b2", Label("x"))],
    ];
    for (number, facts) in nothing.into_iter().enumerate() {
        assert_eq!(freestyle(facts).choice("h8i9"), None, "{number}");
    }
    let enough: [&[(&str, Fact)]; 3] = [
        &[value("h8i9b2", -50, 12, EXACT), value("h8i9a1", -20, 12, EXACT)],
        &[value("h8i9b2", -50, 12, None), value("h8i9", 55, 12, EXACT)],
        &[("h8i9", Best("b2")), value("h8i9", 55, 12, EXACT)],
    ];
    for (number, facts) in enough.into_iter().enumerate() {
        assert_eq!(freestyle(facts).choice("h8i9").as_deref(), Some("b2"), "{number}");
    }
}

#[test]
fn a_forbidden_move_is_none_whatever_the_book_says() {
    // A double three at h8.
    let before = "f8a1g8a15h6o1h7o15";
    let facts = || {
        [
            (concat!("f8a1g8a15h6o1h7o15", "h8"), Label("!")),
            (concat!("f8a1g8a15h6o1h7o15", "b5"), Value(-10, 9, EXACT)),
            (concat!("f8a1g8a15h6o1h7o15", "b6"), Value(-5, 9, EXACT)),
        ]
    };
    let told = |rule| shelf(rule, &facts()).ask(rule, before, Task::Move, None).unwrap().1;
    // The stones are the same on both sides of the diagonal.
    assert!(["b5", "e2"].map(cells).contains(&told(Rule::Renju).moves));
    assert_eq!(told(Rule::Freestyle).moves, cells("h8"));
}

#[test]
fn swap2_begins_with_a_balanced_opening_and_takes_the_better_colour() {
    let shelf = freestyle(&[
        ("h8i9j7", Value(BALANCED + 1, 12, EXACT)),
        ("c3d4e3", Value(-BALANCED, 12, EXACT)),
        ("c3d4e5", Value(0, 3, EXACT)),
        ("c3d4f3", Value(0, 12, Some(Bound::Upper))),
        ("c3d4f7", Label("x")),
        ("c3d4f7", Value(0, 12, EXACT)),
    ]);
    for seed in 0..20 {
        let (answer, told) = shelf.ask(Rule::Freestyle, "", Task::Swap2, Some(seed)).unwrap();
        assert_eq!(answer, Answer::Moves(told.moves.clone()));
        let proposed = Placement::of_moves(Rule::Freestyle, SIZE, &told.moves).unwrap();
        let known = Placement::of_moves(Rule::Freestyle, SIZE, &cells("c3d4e3")).unwrap();
        assert_eq!(proposed.key().key, known.key().key);
    }
    let answer = |moves| shelf.ask(Rule::Freestyle, moves, Task::Swap2, None);
    assert_eq!(answer("c3d4e3").unwrap().0, Answer::Swap);
    assert_eq!(answer("h8i9j7"), None, "better, but no move is known");
    assert_eq!(answer("h8i9j8"), None);
    let with_move = freestyle(&[("h8i9j7", Value(30, 12, EXACT)), ("h8i9j7", Best("h9"))]);
    let (answer, _) = with_move.ask(Rule::Freestyle, "h8i9j7", Task::Swap2, None).unwrap();
    assert_eq!(answer, Answer::Moves(cells("h9")));
}

#[test]
fn soosorv_is_opened_with_one_of_the_26() {
    let shelf = shelf(
        Rule::Renju,
        &[
            ("c3d4e3", Value(0, 12, EXACT)),
            // The first stone of the key may be either of the black ones.
            ("h8h7g7", Value(12, 12, EXACT)),
            ("h8h7i7", Value(14, 13, EXACT)),
        ],
    );
    for seed in 0..20 {
        let open = Task::Opening(OpeningStep::Open);
        let (_, told) = shelf.ask(Rule::Renju, "", open, Some(seed)).unwrap();
        let name = RenjuOpening::of(SIZE, &told.moves).expect("one of the 26").name;
        assert_eq!(name, "Kagetsu");
    }
    let first = Task::Opening(OpeningStep::SwapFirst);
    assert_eq!(shelf.ask(Rule::Renju, "h8h7i7", first, None).unwrap().0, Answer::Stay);
    assert_eq!(shelf.ask(Rule::Renju, "h8h7i8", first, None), None);
}

#[test]
fn a_balancing_move_is_the_nearest_to_the_bias() {
    let value = |moves, score| (moves, Value(score, 12, EXACT));
    let shelf = freestyle(&[value("h8i9a1", 20), value("h8i9b2", -4), value("h8i9c3", -60)]);
    let balance = |bias| {
        let task = Task::Balance(BalanceTask { stones: BalanceStones::One, bias });
        shelf.ask(Rule::Freestyle, "h8i9", task, None).map(|(_, told)| told.moves)
    };
    assert_eq!(balance(0), Some(cells("b2")));
    assert_eq!(balance(60), Some(cells("c3")));
    assert_eq!(balance(-20), Some(cells("a1")));
    assert_eq!(balance(200), None);
    // Chance decides between moves that are as near.
    for seed in 0..20 {
        let task = Task::Balance(BalanceTask { stones: BalanceStones::One, bias: 0 });
        let told = shelf.ask(Rule::Freestyle, "h8i9", task, Some(seed)).map(|(_, told)| told.moves);
        assert_eq!(told, Some(cells("b2")));
    }
}
