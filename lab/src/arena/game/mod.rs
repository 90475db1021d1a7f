//! The referee: one game between two players.

mod verdict;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use self::verdict::GameEnd;
use super::clock::GameClock;
use super::player::{GameTerms, PlayerAnswer, PlayerChoice, Question};
use super::{
    Adjudicated, Contestant, Fixture, MatchControl, MatchEvent, MatchSpec, Observer, PlayedGame,
    Player, PlayerError, PlayerFault, Unfinished, Usage,
};
use tengen_core::rules::{Game, Outcome, PlayError, Seat, Swap2, Swap2Answer, Swap2Stage};
use tengen_core::types::{ByColor, Color, Point};
use tengen_files::records::{Move, MoverSearch, Record};

/// Plays a game of a match to its end and returns it, or `None` if it is broken off by
/// [`MatchControl::abandon`] or [because a player has no program](MatchEvent::Unable).
///
/// The players are given in the order of the seats of the fixture. Whatever they do, the verdict
/// comes from the plain rules: an answer that is late or took too much memory loses and is not
/// played, a move on a stone loses, and a move that renju forbids is played and loses. If neither
/// player can begin, the first has lost.
///
/// A game to be resumed is set up as it was left. If it does not fit the match, the game is played
/// from its beginning. Its record has the time of the new beginning.
///
/// # Panics
///
/// Panics if the fixture has a seat for an unknown contestant.
pub fn play_game(
    spec: &MatchSpec,
    fixture: &Fixture,
    resume: Option<&Unfinished>,
    mut players: [&mut dyn Player; 2],
    control: &MatchControl,
    observer: &dyn Observer,
) -> Option<PlayedGame> {
    let resumed = resume.and_then(|unfinished| GameInPlay::resume(spec, fixture, unfinished));
    let mut table = resumed.unwrap_or_else(|| GameInPlay::begin(spec, fixture));
    let (moves, so_far) = (table.game.moves(), &table.so_far);
    observer.notice(MatchEvent::Begun { fixture, moves, so_far });
    let Some(verdict) = table.play(&mut players, control, observer) else {
        observer.notice(MatchEvent::Abandoned(fixture));
        return None;
    };
    for (usage, player) in table.usage.iter_mut().zip(players) {
        usage.memory = usage.memory.max(player.memory());
    }
    let played = table.finish(verdict);
    observer.notice(MatchEvent::Finished(&played));
    Some(played)
}

/// A game that is being played, without its players.
struct GameInPlay<'a> {
    spec: &'a MatchSpec,
    fixture: &'a Fixture,
    /// The time at which the game began, in UTC.
    date: String,
    game: Game,
    /// The opening that the players make, finished or not.
    swap2: Option<Swap2>,
    clocks: [GameClock; 2],
    usage: [Usage; 2],
    /// The moves with everything about them.
    so_far: Unfinished,
}

impl<'a> GameInPlay<'a> {
    /// Sets up the opening.
    fn begin(spec: &'a MatchSpec, fixture: &'a Fixture) -> GameInPlay<'a> {
        let mut game = Game::new(spec.size, spec.rule);
        for point in opening(spec, fixture) {
            // An opening that is none is refused when it is loaded; here as much of it is taken as
            // can be played.
            if game.play(point).is_err() {
                break;
            }
        }
        let colored = |(i, &point)| Move::new(point, Color::to_move_after(i));
        let moves: Vec<Move> = game.moves().iter().enumerate().map(colored).collect();
        let clocks = contestants(spec, fixture).map(|player| GameClock::new(&player.allowance));
        let so_far = Unfinished {
            game: fixture.game,
            opening: moves.len(),
            moves,
            black_seat: 0,
            left: clocks.map(|clock| clock.left()),
        };
        let swap2 = spec.swap2.then(|| Swap2::new(spec.size));
        GameInPlay {
            spec,
            fixture,
            date: Record::date_now(),
            game,
            swap2,
            clocks,
            usage: Default::default(),
            so_far,
        }
    }

    /// Sets up a game that was broken off; `None` if it is not a game of this match.
    fn resume(
        spec: &'a MatchSpec,
        fixture: &'a Fixture,
        unfinished: &Unfinished,
    ) -> Option<GameInPlay<'a>> {
        let mut table = GameInPlay::begin(spec, fixture);
        let Unfinished { game, ref moves, opening, black_seat, left } = *unfinished;
        let colored =
            |(i, m): (usize, &Move)| m.point().is_some() && m.color == Color::to_move_after(i);
        if game != fixture.game || !moves.iter().enumerate().all(colored) {
            return None;
        }
        let points: Vec<Point> = moves.iter().filter_map(Move::point).collect();
        let given = points.get(..opening)?;
        if spec.swap2 {
            let swap2 = swap2_after(&Swap2::new(spec.size), given, black_seat)?;
            if swap2.stage().is_some() && points.len() > opening {
                return None;
            }
            table.swap2 = Some(swap2);
        } else if given != table.game.moves() || black_seat != 0 {
            return None;
        }
        table.game = Game::from_moves(spec.size, spec.rule, &points).ok()?;
        let players = contestants(spec, fixture);
        table.so_far = unfinished.clone();
        for (i, m) in moves.iter().enumerate() {
            let seat = if i < opening { giver(i) } else { table.so_far.seat_of(m.color) };
            table.usage[seat].charge(Duration::from_millis(m.time().unwrap_or(0)));
            table.usage[seat].moves += u32::from(i >= opening);
        }
        for seat in [0, 1] {
            let (allowance, moves) = (&players[seat].allowance, table.usage[seat].moves);
            table.clocks[seat] = GameClock::resumed(allowance, left[seat], moves);
        }
        table.so_far.left = table.clocks.map(|clock| clock.left());
        Some(table)
    }

    /// Plays to the end; `None` if the game is broken off.
    fn play(
        &mut self,
        players: &mut [&mut dyn Player; 2],
        control: &MatchControl,
        observer: &dyn Observer,
    ) -> Option<GameEnd> {
        let abandon = control.abandon_flag();
        if let Some(verdict) = self.decided() {
            return Some(verdict);
        }
        let terms = GameTerms { size: self.spec.size, rule: self.spec.rule };
        for (seat, player) in players.iter_mut().enumerate() {
            if let Err(trouble) = player.begin(&terms, abandon) {
                return self.trouble(seat, trouble, observer);
            }
        }
        loop {
            control.wait_while_paused();
            if control.is_abandoned() {
                return None;
            }
            let seat = self.seat_to_answer();
            let player = &mut players[seat];
            let (fixture, left) = (self.fixture, self.so_far.left);
            observer.notice(MatchEvent::Asked { fixture, seat, since: Instant::now(), left });
            let answer = match player.answer(&self.question(seat), abandon) {
                Ok(answer) => answer,
                Err(trouble) => return self.trouble(seat, trouble, observer),
            };
            // Asking the system takes longer than all else between two moves.
            let memory = self.memory_limit(seat).and_then(|_| player.memory());
            if let Err(fault) = self.take(seat, &answer, memory) {
                return Some(self.fault(seat, fault));
            }
            observer.notice(MatchEvent::Moved {
                fixture,
                seat,
                moves: self.game.moves(),
                elapsed: answer.elapsed,
                info: answer.info,
                so_far: &self.so_far,
            });
            if let Some(verdict) = self.decided() {
                return Some(verdict);
            }
        }
    }

    /// Returns what is asked of the players while they make the opening.
    fn stage(&self) -> Option<Swap2Stage> {
        self.swap2.as_ref().and_then(Swap2::stage)
    }

    fn seat_to_answer(&self) -> usize {
        match self.stage() {
            Some(stage) => seat_index(stage.seat()),
            None => self.so_far.seat_of(self.game.to_move()),
        }
    }

    fn question(&self, seat: usize) -> Question<'_> {
        Question {
            moves: self.game.moves(),
            swap2: self.stage().is_some(),
            time_left: self.clocks[seat].left(),
            limit: self.clocks[seat].limit(),
            silence: self.spec.silence,
        }
    }

    /// Takes an answer into the game; a fault means that it is not played.
    fn take(
        &mut self,
        seat: usize,
        answer: &PlayerAnswer,
        memory: Option<u64>,
    ) -> Result<(), PlayerFault> {
        self.usage[seat].charge(answer.elapsed);
        self.usage[seat].memory = self.usage[seat].memory.max(memory);
        self.clocks[seat].charge(answer.elapsed)?;
        if let (Some(used), Some(limit)) = (memory, self.memory_limit(seat))
            && used > limit
        {
            return Err(PlayerFault::Memory { used, limit });
        }
        if self.stage().is_some() {
            self.continue_opening(answer)
        } else {
            self.play_move(answer)
        }?;
        if let Some(last) =
            self.so_far.moves.last_mut().filter(|_| answer.choice != PlayerChoice::Swap)
        {
            last.set_search(MoverSearch {
                time: Some(u64::try_from(answer.elapsed.as_millis()).unwrap_or(u64::MAX)),
                score: answer.info.score,
                depth: answer.info.depth,
                nodes: answer.info.nodes,
            });
        }
        if self.so_far.moves.len() > self.so_far.opening {
            self.usage[seat].moves += 1;
            self.clocks[seat].count_move();
        }
        self.so_far.left[seat] = self.clocks[seat].left();
        Ok(())
    }

    fn continue_opening(&mut self, answer: &PlayerAnswer) -> Result<(), PlayerFault> {
        let Some(swap2) = &mut self.swap2 else { return Ok(()) };
        let answer = match &answer.choice {
            PlayerChoice::Swap => Swap2Answer::Swap,
            PlayerChoice::Stones(points) => Swap2Answer::Stones(points.clone()),
            PlayerChoice::Move(point) => Swap2Answer::Stones(vec![*point]),
        };
        let before = swap2.stones().len();
        swap2.answer(&answer).map_err(PlayerFault::Swap2)?;
        self.so_far.black_seat = black_seat(swap2);
        let new = swap2.stones()[before..].to_vec();
        new.into_iter().try_for_each(|point| self.place(point))?;
        self.so_far.opening = self.so_far.moves.len();
        Ok(())
    }

    fn play_move(&mut self, answer: &PlayerAnswer) -> Result<(), PlayerFault> {
        match &answer.choice {
            PlayerChoice::Move(point) => self.place(*point),
            PlayerChoice::Stones(_) => Err(PlayerFault::Garbage("several stones".to_owned())),
            PlayerChoice::Swap => Err(PlayerFault::Garbage("SWAP".to_owned())),
        }
    }

    /// Places a stone on the board and in the record.
    fn place(&mut self, point: Point) -> Result<(), PlayerFault> {
        let color = self.game.to_move();
        match self.game.play(point) {
            Ok(_) => {}
            Err(PlayError::Occupied(point)) => return Err(PlayerFault::Occupied(point)),
            Err(PlayError::OffBoard(point)) => {
                return Err(PlayerFault::Outside { x: point.x().into(), y: point.y().into() });
            }
            // Nobody is asked after the end. No three stones can decide a game either, but if they
            // did, those that follow them would not be played.
            Err(PlayError::GameOver) => return Ok(()),
        }
        self.so_far.moves.push(Move::new(point, color));
        Ok(())
    }

    /// Returns how the game ended, if it is over by the rules or by adjudication.
    fn decided(&self) -> Option<GameEnd> {
        let (names, so_far) = (self.names(), &self.so_far);
        match self.game.outcome() {
            Outcome::Won(run) => {
                let seat = so_far.seat_of(run.color);
                Some(GameEnd::five(seat, names[seat], run))
            }
            Outcome::Draw => Some(GameEnd::draw()),
            Outcome::Forbidden(point, violation) => {
                let seat = so_far.black_seat;
                Some(GameEnd::forbidden(seat, names[seat], point, violation))
            }
            Outcome::Ongoing if self.stage().is_some() => None,
            Outcome::Ongoing => {
                let rules = &self.spec.adjudication;
                let decided = rules.decide(&so_far.moves, so_far.opening)?;
                Some(match decided {
                    Adjudicated::DrawAfter => GameEnd::draw_after(so_far.moves.len()),
                    Adjudicated::Draw => GameEnd::draw_agreed(rules.draw),
                    Adjudicated::Lost(color) => {
                        GameEnd::resigned(so_far.seat_of(color), names, rules.resign)
                    }
                })
            }
        }
    }

    fn memory_limit(&self, seat: usize) -> Option<u64> {
        contestants(self.spec, self.fixture)[seat].allowance.memory
    }

    fn names(&self) -> [&'a str; 2] {
        contestants(self.spec, self.fixture).map(|player| player.name.as_str())
    }

    /// Returns the end of a game by what a player did, or `None` if it is broken off.
    fn trouble(&self, seat: usize, error: PlayerError, to: &dyn Observer) -> Option<GameEnd> {
        match error {
            PlayerError::Fault(fault) => return Some(self.fault(seat, fault)),
            PlayerError::System(why) => {
                to.notice(MatchEvent::Unable(self.fixture.seats[seat], &why))
            }
            PlayerError::Abandoned => {}
        }
        None
    }

    fn fault(&self, seat: usize, fault: PlayerFault) -> GameEnd {
        GameEnd::fault(seat, self.names()[seat], fault)
    }

    /// Makes the record.
    fn finish(self, verdict: GameEnd) -> PlayedGame {
        let names = self.names();
        let GameInPlay { spec, fixture, date, usage, so_far, .. } = self;
        let mut record = Record::new(spec.size);
        record.rule = Some(spec.rule);
        record.players = ByColor::from_fn(|color| names[so_far.seat_of(color)].to_owned());
        record.event.clone_from(&spec.event);
        record.round = format!("{}.{}", fixture.round + 1, fixture.game + 1);
        record.date = date;
        record.opening = so_far.opening;
        record.result = Some(verdict.result(so_far.black_seat));
        let end = verdict.termination.kind();
        record.reason = Some(end.reason());
        let (fixture, black_seat) = (*fixture, so_far.black_seat);
        record.moves = so_far.moves;
        PlayedGame { fixture, black_seat, record, end, detail: verdict.detail, usage }
    }
}

impl Unfinished {
    /// Returns the seat that has a colour.
    #[must_use]
    pub fn seat_of(&self, color: Color) -> usize {
        match color {
            Color::Black => self.black_seat,
            Color::White => 1 - self.black_seat,
        }
    }
}

impl Usage {
    /// Counts the time of an answer.
    fn charge(&mut self, elapsed: Duration) {
        self.time = self.time.saturating_add(elapsed);
        self.slowest = self.slowest.max(elapsed);
    }
}

fn contestants<'a>(spec: &'a MatchSpec, fixture: &Fixture) -> [&'a Contestant; 2] {
    fixture.seats.map(|place| &spec.contestants[place])
}

/// Returns the stones that a game begins with.
fn opening(spec: &MatchSpec, fixture: &Fixture) -> Vec<Point> {
    let stones = fixture.opening.filter(|_| !spec.swap2).and_then(|i| spec.openings.get(i));
    // A symmetry that turns the board into another is not a symmetry of it.
    let fits = fixture.symmetry.map_size(spec.size) == spec.size;
    let turn = |&point| if fits { fixture.symmetry.map(spec.size, point) } else { point };
    let on_board = |point: &&Point| spec.size.contains(**point);
    stones.into_iter().flatten().take_while(on_board).map(turn).collect()
}

/// Returns an opening after the answers that lead to these stones with this seat as black.
fn swap2_after(opening: &Swap2, stones: &[Point], black: usize) -> Option<Swap2> {
    let parts: &[usize] = match stones.len() {
        0 => &[],
        3 => &[3],
        4 => &[3, 1],
        5 => &[3, 2],
        6 => &[3, 2, 1],
        _ => return None,
    };
    let mut opening = opening.clone();
    let mut rest = stones;
    for &count in parts {
        let (new, later) = rest.split_at(count);
        opening.answer(&Swap2Answer::Stones(new.to_vec())).ok()?;
        rest = later;
    }
    if black_seat(&opening) != black {
        opening.answer(&Swap2Answer::Swap).ok()?;
    }
    (black_seat(&opening) == black).then_some(opening)
}

/// Returns the seat that gives a stone of a swap2 opening.
const fn giver(stone: usize) -> usize {
    match stone {
        3 | 4 => 1,
        _ => 0,
    }
}

/// Returns the seat that has black, or has it unless the colours are exchanged yet.
fn black_seat(opening: &Swap2) -> usize {
    match (opening.black(), opening.stage()) {
        (Some(seat), _) => seat_index(seat),
        // The player who is asked is white.
        (None, Some(Swap2Stage::ChooseAgain)) => 1,
        (None, _) => 0,
    }
}

const fn seat_index(seat: Seat) -> usize {
    match seat {
        Seat::A => 0,
        Seat::B => 1,
    }
}
