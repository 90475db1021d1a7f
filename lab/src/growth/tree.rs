//! The tree in memory: what is needed to choose the position that is searched next.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use tengen_core::types::Score;
use tengen_engine::database::{
    DatabaseError, DatabaseReader, PositionEntry, PositionKey, ProvenResult,
};
use tengen_files::work::Stop;

/// The number of a position of the tree.
pub(super) type NodeId = usize;

/// A position of the tree. Positions that several orders of moves lead to are there once.
#[derive(Debug)]
struct Node {
    key: PositionKey,
    stones: usize,
    /// The value for the side to move.
    value: Option<Score>,
    result: Option<ProvenResult>,
    /// True if the move to it is labelled to be left out.
    is_left_out: bool,
    visits: u64,
    /// True if it has been searched by this run.
    was_searched: bool,
    is_busy: bool,
    /// True if the last search found nothing that was not known.
    is_exhausted: bool,
    /// True if its moves are part of the tree.
    is_expanded: bool,
    /// The positions one move later, by their keys; none if it is not expanded.
    children: Vec<NodeId>,
    /// The expanded positions that lead here.
    parents: Vec<NodeId>,
    /// The price of the cheapest position below that can be searched, seen from here.
    price: Option<i64>,
}

/// Returns whether something is known of how good it is to move to a position.
fn is_judged(entry: &PositionEntry) -> bool {
    entry.result.is_some() || entry.evaluation.is_some()
}

/// The tree of positions that known moves lead to from a root.
///
/// The root of an empty tree is not expanded; moves count as part of the tree only where a search has
/// looked for them all, so that a position which happens to be known does not stand for its neighbours.
#[derive(Debug)]
pub(super) struct GrowthTree {
    nodes: Vec<Node>,
    ids: HashMap<PositionKey, NodeId>,
    ply_price: i64,
}

impl GrowthTree {
    /// The number of the root.
    pub(super) const ROOT: NodeId = 0;

    /// Reads the tree of a root, or a part of it if `stop` is set.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub(super) fn load(
        reader: &DatabaseReader,
        root: PositionKey,
        ply_price: i64,
        stop: &Stop,
    ) -> Result<GrowthTree, DatabaseError> {
        let mut tree = GrowthTree { nodes: Vec::new(), ids: HashMap::new(), ply_price };
        let entry = reader.stored(&root)?.unwrap_or_default();
        tree.insert(root, &entry);
        let mut id = 0;
        while id < tree.nodes.len() && !stop.is_set() {
            tree.expand(reader, id)?;
            id += 1;
        }
        let all = (0..tree.nodes.len()).collect();
        tree.reprice(all);
        Ok(tree)
    }

    /// Returns the number of positions, with the root.
    pub(super) fn len(&self) -> u64 {
        self.nodes.len() as u64
    }

    /// Returns the number of positions whose moves were searched.
    pub(super) fn expanded(&self) -> u64 {
        self.nodes.iter().filter(|node| node.is_expanded).count() as u64
    }

    /// Returns the number of positions with a proven result.
    pub(super) fn proven(&self) -> u64 {
        self.nodes.iter().filter(|node| node.result.is_some()).count() as u64
    }

    pub(super) fn key(&self, id: NodeId) -> &PositionKey {
        &self.nodes[id].key
    }

    pub(super) fn value(&self, id: NodeId) -> Option<Score> {
        self.nodes[id].value
    }

    pub(super) fn result(&self, id: NodeId) -> Option<ProvenResult> {
        self.nodes[id].result
    }

    pub(super) fn is_expanded(&self, id: NodeId) -> bool {
        self.nodes[id].is_expanded
    }

    /// Returns whether the moves of a position are part of the tree.
    pub(super) fn is_key_expanded(&self, key: &PositionKey) -> bool {
        self.ids.get(key).is_some_and(|&id| self.nodes[id].is_expanded)
    }

    /// Returns the expanded positions whose value is not that of their best move.
    pub(super) fn stale(&self) -> Vec<PositionKey> {
        let is_stale = |&id: &NodeId| {
            let node = &self.nodes[id];
            let best = self.best_value(id);
            node.is_expanded && node.result.is_none() && best.is_some() && best != node.value
        };
        let stale = (0..self.nodes.len()).filter(is_stale);
        stale.map(|id| self.nodes[id].key.clone()).collect()
    }

    /// Returns the price of the next position to be searched: how much worse than the best the moves to
    /// it are, all together, and the price of each of them. None if there is nothing to search.
    pub(super) fn price(&self) -> Option<i64> {
        self.nodes[GrowthTree::ROOT].price
    }

    /// Returns the way to the next position to be searched, the root and itself included, and whether
    /// only best moves lead to it.
    pub(super) fn cheapest(&self) -> Option<(Vec<NodeId>, bool)> {
        self.price()?;
        let (mut id, mut path, mut is_best) = (GrowthTree::ROOT, vec![GrowthTree::ROOT], true);
        while let Some((next, deviation)) = self.next_step(id) {
            is_best &= deviation == 0;
            path.push(next);
            id = next;
        }
        Some((path, is_best))
    }

    /// Returns the moves that are best now, as the positions that they lead to.
    pub(super) fn principal_variation(&self) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut id = GrowthTree::ROOT;
        while let Some(next) = self.best_move(id) {
            line.push(next);
            id = next;
        }
        line
    }

    /// Says whether a thread searches a position.
    pub(super) fn set_busy(&mut self, id: NodeId, is_busy: bool) {
        self.nodes[id].is_busy = is_busy;
        self.reprice(vec![id]);
    }

    /// Notes that a position was searched by this run, and whether that found anything.
    pub(super) fn set_searched(&mut self, id: NodeId, found_something: bool) {
        self.nodes[id].was_searched = true;
        self.nodes[id].is_exhausted = !found_something;
        self.reprice(vec![id]);
    }

    /// Takes over what the database says now of a position, of the tree or not.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can't be read.
    pub(super) fn update(
        &mut self,
        reader: &DatabaseReader,
        key: &PositionKey,
        entry: &PositionEntry,
    ) -> Result<(), DatabaseError> {
        let mut touched = Vec::new();
        let known = self.nodes.len();
        if let Some(&id) = self.ids.get(key) {
            self.refresh(id, entry);
            touched.push(id);
        }
        // It may be one legal move after positions that the tree has already.
        for (_, parent) in key.placement().parents().filter(|(at, from)| !from.forbids(*at)) {
            let Some(&parent) = self.ids.get(&parent.key().key) else { continue };
            if self.nodes[parent].is_expanded {
                self.link(parent, key, entry);
            }
            touched.push(parent);
        }
        for &id in &touched {
            self.expand(reader, id)?;
        }
        // A position new to the tree may have been known for long, with all its moves.
        let mut id = known;
        while id < self.nodes.len() {
            self.expand(reader, id)?;
            id += 1;
        }
        touched.extend(known..self.nodes.len());
        self.reprice(touched);
        Ok(())
    }

    fn refresh(&mut self, id: NodeId, entry: &PositionEntry) {
        let node = &mut self.nodes[id];
        node.value = entry.evaluation.map(|evaluation| evaluation.score);
        node.result = entry.result;
        node.is_left_out = entry.is_left_out();
        node.visits = entry.visits;
    }

    fn insert(&mut self, key: PositionKey, entry: &PositionEntry) -> NodeId {
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let id = self.nodes.len();
        self.ids.insert(key.clone(), id);
        let stones = key.group().stones;
        self.nodes.push(Node {
            key,
            stones,
            value: None,
            result: None,
            is_left_out: false,
            visits: 0,
            was_searched: false,
            is_busy: false,
            is_exhausted: false,
            is_expanded: false,
            children: Vec::new(),
            parents: Vec::new(),
            price: None,
        });
        self.refresh(id, entry);
        id
    }

    /// Makes the moves of a position part of the tree, if a search has looked for them: it has been
    /// visited, and something is known of two moves, or of one if the search was this run's or ended in a proof.
    fn expand(&mut self, reader: &DatabaseReader, id: NodeId) -> Result<(), DatabaseError> {
        let node = &self.nodes[id];
        if node.is_expanded || node.visits == 0 {
            return Ok(());
        }
        let least = if node.was_searched || node.result.is_some() { 1 } else { 2 };
        let following = reader.following(&node.key.placement())?;
        let judged = following.iter().filter(|next| is_judged(&next.entry)).count();
        if judged >= least {
            self.nodes[id].is_expanded = true;
            for next in following {
                self.link(id, &next.key, &next.entry);
            }
        }
        Ok(())
    }

    /// Notes that a move of an expanded position leads to another one.
    fn link(&mut self, parent: NodeId, key: &PositionKey, entry: &PositionEntry) {
        let child = self.insert(key.clone(), entry);
        let place = {
            let by_key = |&id: &NodeId| self.nodes[id].key.cmp(key);
            self.nodes[parent].children.binary_search_by(by_key)
        };
        if let Err(place) = place {
            self.nodes[parent].children.insert(place, child);
            self.nodes[child].parents.push(parent);
        }
    }

    /// Returns the value of a position by its moves.
    fn best_value(&self, id: NodeId) -> Option<Score> {
        let live = self.nodes[id].children.iter().map(|&child| &self.nodes[child]);
        let live = live.filter(|child| child.result.is_none() && !child.is_left_out);
        live.filter_map(|child| child.value).map(|value| -value).max()
    }

    /// Returns the best move: the shortest win, the best value, a draw, or the longest resistance.
    fn best_move(&self, id: NodeId) -> Option<NodeId> {
        let distance = |plies: Option<u16>| plies.map_or(i64::from(u16::MAX) + 1, i64::from);
        let rank = |&child: &NodeId| {
            let child = &self.nodes[child];
            match (child.result, child.value) {
                (Some(ProvenResult::Loss(plies)), _) => Some((0, distance(plies))),
                (None | Some(ProvenResult::Draw), _) if child.is_left_out => None,
                (None, Some(value)) => Some((1, i64::from(value.raw()))),
                (Some(ProvenResult::Draw), _) => Some((1, 0)),
                (Some(ProvenResult::Win(plies)), _) => Some((2, -distance(plies))),
                (None, None) => None,
            }
        };
        let ranked = self.nodes[id].children.iter().copied();
        let ranked = ranked.filter_map(|child| Some((rank(&child)?, child)));
        ranked.min_by_key(|&(rank, _)| rank).map(|(_, child)| child)
    }

    /// Returns the move of an expanded position that leads to the cheapest one to be searched, and how
    /// much worse than the best it is.
    fn next_step(&self, id: NodeId) -> Option<(NodeId, i64)> {
        let node = &self.nodes[id];
        let best = self.best_value(id)?;
        let mut cheapest: Option<(i64, NodeId, i64)> = None;
        for &next in &node.children {
            let child = &self.nodes[next];
            let (Some(value), Some(below)) = (child.value, child.price) else { continue };
            let deviation = i64::from(best.raw()) + i64::from(value.raw());
            let price = deviation + below;
            if cheapest.is_none_or(|(known, ..)| price < known) {
                cheapest = Some((price, next, deviation));
            }
        }
        cheapest.map(|(_, next, deviation)| (next, deviation))
    }

    /// Returns the price of the cheapest position to be searched at or below a position.
    fn price_of(&self, id: NodeId) -> Option<i64> {
        let node = &self.nodes[id];
        if node.result.is_some() || node.is_left_out && id != GrowthTree::ROOT {
            return None;
        }
        if node.is_expanded && self.best_value(id).is_some() {
            let (next, deviation) = self.next_step(id)?;
            return self.nodes[next].price.map(|price| price + deviation + self.ply_price);
        }
        // All known moves lose, or there are none: others have to be found.
        (!node.is_busy && !node.is_exhausted).then_some(0)
    }

    /// Finds the prices of some positions anew, and of those before them as far as anything changes.
    fn reprice(&mut self, ids: Vec<NodeId>) {
        // Those with the most stones first, since prices follow from those below.
        let mut waiting: BTreeSet<(Reverse<usize>, NodeId)> =
            ids.into_iter().map(|id| (Reverse(self.nodes[id].stones), id)).collect();
        while let Some((_, id)) = waiting.pop_first() {
            let price = self.price_of(id);
            if self.nodes[id].price != price {
                self.nodes[id].price = price;
                let parents = &self.nodes[id].parents;
                waiting.extend(parents.iter().map(|&id| (Reverse(self.nodes[id].stones), id)));
            }
        }
    }
}
