//! The ends of recorded games.

use tengen_core::rules::Violation;
use tengen_core::types::Color;

/// The result of a recorded game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// This player.
    Win(Color),
    /// Nobody.
    Draw,
}

/// The reason why a recorded game ended.
///
/// ```
/// use tengen_files::records::Reason;
///
/// assert_eq!(Reason::from_name("resignation"), Reason::Resignation);
/// assert_eq!(Reason::from_name("rain"), Reason::Other("rain".to_owned()));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A winning run.
    Five,
    /// Neither side could win any more.
    FullBoard,
    /// A move that renju forbids to black.
    Forbidden(Violation),
    /// By the rules of the game; by which of them is not known.
    Rules,
    /// A player gave up.
    Resignation,
    /// A player's time was over.
    Time,
    /// A move that is none.
    Illegal,
    /// A player crashed or did not answer.
    Crash,
    /// Somebody else decided.
    Adjudication,
    /// A player lost for another offence.
    Forfeit,
    /// Something else, in the words of the file.
    Other(String),
}

impl Reason {
    /// Every reason that has a name.
    pub const ALL: [Reason; 12] = [
        Reason::Five,
        Reason::FullBoard,
        Reason::Forbidden(Violation::Overline),
        Reason::Forbidden(Violation::DoubleFour),
        Reason::Forbidden(Violation::DoubleThree),
        Reason::Rules,
        Reason::Resignation,
        Reason::Time,
        Reason::Illegal,
        Reason::Crash,
        Reason::Adjudication,
        Reason::Forfeit,
    ];

    /// Returns the name, such as `five` or `forbidden-33`; of another reason its words.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Reason::Five => "five",
            Reason::FullBoard => "full-board",
            Reason::Forbidden(Violation::Overline) => "forbidden-overline",
            Reason::Forbidden(Violation::DoubleFour) => "forbidden-44",
            Reason::Forbidden(Violation::DoubleThree) => "forbidden-33",
            Reason::Rules => "rules",
            Reason::Resignation => "resignation",
            Reason::Time => "time",
            Reason::Illegal => "illegal",
            Reason::Crash => "crash",
            Reason::Adjudication => "adjudication",
            Reason::Forfeit => "forfeit",
            Reason::Other(words) => words,
        }
    }

    /// Returns the reason of a name; what is not a name is another reason.
    #[must_use]
    pub fn from_name(name: &str) -> Reason {
        let named = |reason: &Reason| reason.name() == name;
        Reason::ALL.into_iter().find(named).unwrap_or_else(|| Reason::Other(name.to_owned()))
    }

    /// Returns what c-gomoku-cli writes after `Black win by` and the like. It has no words for a
    /// resignation, a forfeit and "the rules"; these are ours.
    fn words(&self) -> &str {
        match self {
            Reason::Five => "five connection",
            Reason::FullBoard => "fullfilled board",
            Reason::Forbidden(Violation::Overline) => "forbidden move - overline",
            Reason::Forbidden(Violation::DoubleFour) => "forbidden move - double four",
            Reason::Forbidden(Violation::DoubleThree) => "forbidden move - double three",
            Reason::Rules => "the rules",
            Reason::Resignation => "opponent resignation",
            Reason::Time => "time forfeit",
            Reason::Illegal => "opponent illegal move",
            Reason::Crash => "opponent crash",
            Reason::Adjudication => "adjudication",
            Reason::Forfeit => "forfeit",
            Reason::Other(words) => words,
        }
    }
}

/// The beginning of the sentence about a black forbidden move that lost.
const FORBIDDEN: &str = "Black play ";

fn lead(result: Option<GameResult>) -> &'static str {
    match result {
        Some(GameResult::Win(Color::Black)) => "Black win",
        Some(GameResult::Win(Color::White)) => "White win",
        Some(GameResult::Draw) => "Draw",
        None => "Unterminated",
    }
}

/// Returns the sentence that c-gomoku-cli writes about the end of a game.
pub(super) fn sentence(result: Option<GameResult>, reason: Option<&Reason>) -> String {
    match reason {
        None => lead(result).to_owned(),
        Some(Reason::Other(words)) => words.clone(),
        Some(reason @ Reason::Forbidden(_)) if result == Some(GameResult::Win(Color::White)) => {
            format!("{FORBIDDEN}{}", reason.words())
        }
        Some(reason) => format!("{} by {}", lead(result), reason.words()),
    }
}

/// Reads the reason from a sentence: the inverse of [`sentence`].
pub(super) fn reason_of(sentence: &str) -> Option<Reason> {
    let results = [Some(GameResult::Win(Color::Black)), Some(GameResult::Win(Color::White))];
    let results = results.into_iter().chain([Some(GameResult::Draw), None]);
    for lead in results.map(lead) {
        if sentence == lead {
            return None;
        }
        let words = sentence.strip_prefix(lead).and_then(|rest| rest.strip_prefix(" by "));
        let words = words.or_else(|| sentence.strip_prefix(FORBIDDEN));
        if let Some(reason) = words.and_then(with_words) {
            return Some(reason);
        }
    }
    (!sentence.is_empty()).then(|| Reason::from_name(sentence))
}

fn with_words(words: &str) -> Option<Reason> {
    Reason::ALL.into_iter().find(|reason| reason.words() == words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sentences_lead_back_to_their_reason() {
        let results = [
            Some(GameResult::Win(Color::Black)),
            Some(GameResult::Win(Color::White)),
            Some(GameResult::Draw),
            None,
        ];
        for reason in Reason::ALL {
            assert_eq!(Reason::from_name(reason.name()), reason);
            for result in results {
                let text = sentence(result, Some(&reason));
                assert_eq!(reason_of(&text), Some(reason.clone()), "{text}");
            }
        }
        for result in results {
            assert_eq!(reason_of(&sentence(result, None)), None);
        }
        let other = Reason::Other("a dog ate the board".to_owned());
        assert_eq!(reason_of(&sentence(None, Some(&other))), Some(other));
        // A name is not another reason that happens to be spelt like it.
        assert_eq!(reason_of("resignation"), Some(Reason::Resignation));
    }

    #[test]
    fn sentences_are_those_of_the_match_runner() {
        let black = Some(GameResult::Win(Color::Black));
        let white = Some(GameResult::Win(Color::White));
        assert_eq!(sentence(black, Some(&Reason::Five)), "Black win by five connection");
        assert_eq!(
            sentence(Some(GameResult::Draw), Some(&Reason::FullBoard)),
            "Draw by fullfilled board"
        );
        let foul = Reason::Forbidden(Violation::DoubleThree);
        assert_eq!(sentence(white, Some(&foul)), "Black play forbidden move - double three");
        assert_eq!(sentence(None, None), "Unterminated");
    }
}
