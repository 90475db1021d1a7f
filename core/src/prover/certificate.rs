//! Proofs that can be checked: a move for the attacker after whatever the defender plays.

use crate::position::Position;
use crate::types::{Point, PointSet};

/// A move of the attacker, with the next one after every reply.
///
/// ```
/// use tengen_core::notation::parse_moves;
/// use tengen_core::prover::{Attack, verify};
/// use tengen_core::rules::{Game, Rule};
/// use tengen_core::types::Size;
///
/// let size = Size::square(15)?;
/// let [a1, e1] = [0, 4].map(|x| size.point(x, 0).unwrap());
/// let game = Game::from_moves(size, Rule::Freestyle, &parse_moves("a1a2b1b2c1c2d1d2", size)?)?;
/// assert!(verify(&game, &Attack::winning(e1)).is_ok());
/// assert!(verify(&game, &Attack::winning(a1)).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attack {
    /// The move.
    pub play: Point,
    /// The next moves after these replies, each listed once.
    pub replies: Vec<(Point, Attack)>,
    /// The next move after any other reply; `None` if the move wins at once.
    pub otherwise: Option<Box<Attack>>,
}

impl Attack {
    /// Returns a move that wins at once.
    #[must_use]
    pub const fn winning(play: Point) -> Attack {
        Attack { play, replies: Vec::new(), otherwise: None }
    }

    /// Returns the next move after a reply; `None` if the move has won.
    #[must_use]
    pub fn after(&self, reply: Point) -> Option<&Attack> {
        let listed = self.replies.iter().find(|(point, _)| *point == reply);
        listed.map(|(_, attack)| attack).or(self.otherwise.as_deref())
    }

    /// Returns the number of attacking moves, this one included.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.parts().map(Attack::size).sum::<usize>()
    }

    /// Returns the length of the longest way to the win in plies, this move and the winning one
    /// included.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.parts().map(Attack::plies).max().map_or(1, |longest| longest + 2)
    }

    /// Returns the attack in a position against the longest resistance, up to the winning move. A
    /// move that the position has no room for ends it.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Point> {
        longest_line(self, position)
    }

    /// Adds all cells that the attack and the replies with an answer of their own use.
    pub(super) fn insert_points(&self, set: &mut PointSet) {
        set.insert(self.play);
        for (point, next) in &self.replies {
            set.insert(*point);
            next.insert_points(set);
        }
        if let Some(next) = &self.otherwise {
            next.insert_points(set);
        }
    }

    /// Returns every continuation.
    fn parts(&self) -> impl Iterator<Item = &Attack> {
        self.replies.iter().map(|(_, attack)| attack).chain(self.otherwise.as_deref())
    }
}

/// A proof that the side to move wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    root: Attack,
    size: usize,
    line: Vec<Point>,
}

impl Certificate {
    /// Returns the certificate of an attack that wins in a position.
    pub(super) fn new(root: Attack, position: &Position) -> Certificate {
        let line = root.line(position);
        Certificate { size: root.size(), root, line }
    }

    /// Returns the first move and all that follows.
    #[must_use]
    pub const fn root(&self) -> &Attack {
        &self.root
    }

    /// Returns the number of attacking moves in all variations.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Returns the length of the main line in plies, the winning move included.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.line.len()
    }

    /// Returns the main line: the attack against the longest resistance, up to the winning move.
    #[must_use]
    pub fn line(&self) -> &[Point] {
        &self.line
    }
}

/// Returns the longest way through an attack that the position has room for.
fn longest_line(root: &Attack, position: &Position) -> Vec<Point> {
    let mut position = position.clone();
    let mut line = Vec::new();
    let mut attack = root;
    loop {
        line.push(attack.play);
        if position.play(attack.play).is_err() {
            return line;
        }
        if attack.otherwise.is_none() {
            return line;
        }
        let mut listed: Option<(Point, &Attack)> = None;
        for (point, next) in &attack.replies {
            let longer = listed.is_none_or(|(_, best)| next.plies() > best.plies());
            if longer && position.is_legal(*point) {
                listed = Some((*point, next));
            }
        }
        // If nothing needs an answer of its own any move is as good; one that gets in the way of
        // nothing is shown.
        let other = attack.otherwise.as_deref().and_then(|next| {
            let longer = listed.is_none_or(|(_, best)| next.plies() > best.plies());
            let reply = if longer { idle_reply(attack, next, &mut position) } else { None };
            reply.map(|reply| (reply, next))
        });
        let Some((reply, next)) = other.or(listed) else {
            // Only forbidden moves are left to the defender: any of them ends the game.
            line.extend(position.tracker().empties().first());
            return line;
        };
        line.push(reply);
        if position.play(reply).is_err() {
            return line;
        }
        attack = next;
    }
}

/// Returns a legal reply that is not listed, if possible one that `next` does not use.
fn idle_reply(attack: &Attack, next: &Attack, position: &mut Position) -> Option<Point> {
    let mut listed: PointSet = attack.replies.iter().map(|(point, _)| *point).collect();
    let empties: PointSet = *position.tracker().empties();
    let legal: PointSet =
        empties.iter().filter(|&p| !listed.contains(p) && position.is_legal(p)).collect();
    next.insert_points(&mut listed);
    (legal & !listed).first().or(legal.first())
}
