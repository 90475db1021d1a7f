//! A program with a thread that waits for it.

use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use tengen_core::sys::panics;
use tengen_core::types::{Color, Point};
use tengen_engine::engine::{Answer, Setup};
use tengen_files::records::MoverSearch;
use tengen_files::work::Stop;
use tengen_lab::arena::player::{GameTerms, PlayerAnswer, PlayerChoice, Question};
use tengen_lab::arena::{
    Contestant, EngineWords, GameTime, MatchSpec, Player, PlayerError, PlayerFault,
};
use tengen_people::play::{PlayProgram, ProgramAsk, ProgramEvent, ProgramNews, ProgramQuestion};

/// Returns the player that plays as a contestant.
pub(super) type PlayerMaker = Box<dyn FnMut(&Contestant) -> Box<dyn Player> + Send>;

/// The longest name of a thread that all systems show.
const NAME: &str = "program";

/// What the thread has to do.
enum ProgramOrder {
    Question(Box<ProgramQuestion>, Stop),
    NewGame,
}

/// A program whose answers a thread waits for. Dropping it ends both.
#[derive(Debug)]
pub(super) struct ProgramThread {
    margin: Duration,
    /// Ends the question that is being answered.
    running: Stop,
    told: Option<Sender<ProgramOrder>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgramThread {
    /// Starts the thread, which makes a player of the words when it is asked first. They make a contestant
    /// with any limit of time. Its events go to `outbox`.
    ///
    /// # Panics
    ///
    /// Panics if the operating system refuses a thread.
    pub(super) fn start<E: From<ProgramEvent> + Send + 'static>(
        name: String,
        words: EngineWords,
        maker: PlayerMaker,
        outbox: Sender<E>,
    ) -> ProgramThread {
        let any = words.turn.or(Some(Duration::from_secs(1)));
        let margin = EngineWords { turn: any, ..words.clone() }.contestant(String::new());
        let margin = margin.map_or(Duration::ZERO, |contestant| contestant.allowance.margin);
        let (told, inbox) = unbounded();
        let desk = Desk { name, words, maker, player: None, is_new: true };
        let thread = thread::Builder::new()
            .name(NAME.to_owned())
            .spawn(move || desk.run(&inbox, &outbox))
            .expect("a thread for a program");
        ProgramThread { margin, running: Stop::new(), told: Some(told), thread: Some(thread) }
    }

    fn tell(&self, what: ProgramOrder) {
        if let Some(told) = &self.told {
            // The thread lives as long as this.
            let _ = told.send(what);
        }
    }
}

impl PlayProgram for ProgramThread {
    fn ask(&mut self, question: ProgramQuestion) {
        self.running = Stop::new();
        self.tell(ProgramOrder::Question(Box::new(question), self.running.clone()));
    }

    fn stop(&mut self) {
        self.running.request();
    }

    fn new_game(&mut self) {
        self.tell(ProgramOrder::NewGame);
    }

    fn margin(&self) -> Duration {
        self.margin
    }
}

impl Drop for ProgramThread {
    fn drop(&mut self) {
        self.running.request();
        self.told = None;
        if let Some(thread) = self.thread.take() {
            // It catches its panics.
            let _ = thread.join();
        }
    }
}

/// The thread's own things.
struct Desk {
    name: String,
    words: EngineWords,
    maker: PlayerMaker,
    /// The player, with what it is and what it plays.
    player: Option<(Box<dyn Player>, Contestant, GameTerms)>,
    /// True if it begins anew before the next question.
    is_new: bool,
}

impl Desk {
    fn run<E: From<ProgramEvent>>(mut self, inbox: &Receiver<ProgramOrder>, outbox: &Sender<E>) {
        for told in inbox {
            let ProgramOrder::Question(question, stop) = told else {
                self.is_new = true;
                continue;
            };
            let id = question.id;
            // Nobody listens any more at the end of the session.
            let say = |news| drop(outbox.send(E::from(ProgramEvent { id, news })));
            let answered = panics::catch(|| self.answer(&question, &stop, &say));
            say(answered.unwrap_or_else(|_| {
                self.player = None;
                ProgramNews::Failed("could not be asked, by a fault of this program".to_owned())
            }));
        }
    }

    /// Asks the player, and returns what comes of it.
    fn answer(
        &mut self,
        question: &ProgramQuestion,
        stop: &Stop,
        say: &impl Fn(ProgramNews),
    ) -> ProgramNews {
        let moves = match moves_of(question) {
            Ok(moves) => moves,
            Err(why) => return ProgramNews::Failed(why.to_owned()),
        };
        let answer = self.begin(question, stop).and_then(|(player, contestant)| {
            say(ProgramNews::Begun);
            let asked = Question {
                moves: &moves,
                swap2: question.ask == ProgramAsk::Swap2,
                time_left: question.time.left,
                limit: question.limit,
                silence: Some(MatchSpec::SILENCE),
            };
            let answer = player.answer(&asked, stop)?;
            Ok(told(answer, question, contestant))
        });
        match answer {
            Ok(news) => news,
            Err(error) => {
                self.is_new = true;
                ProgramNews::Failed(match error {
                    PlayerError::Fault(fault) => fault.to_string(),
                    PlayerError::System(why) => PlayerFault::Start(why).to_string(),
                    PlayerError::Abandoned => "was stopped".to_owned(),
                })
            }
        }
    }

    /// Makes the player ready for a question.
    fn begin(
        &mut self,
        question: &ProgramQuestion,
        stop: &Stop,
    ) -> Result<(&mut dyn Player, &Contestant), PlayerError> {
        let contestant = self.contestant(question)?;
        let terms = GameTerms { size: question.setup.size, rule: question.setup.rule };
        let known = self.player.take().filter(|(_, known, _)| *known == contestant);
        let is_begun = !self.is_new && known.as_ref().is_some_and(|(.., begun)| *begun == terms);
        let player = known.map_or_else(|| (self.maker)(&contestant), |(player, ..)| player);
        let (player, contestant, _) = self.player.insert((player, contestant, terms));
        if !is_begun {
            self.is_new = true;
            player.begin(&terms, stop)?;
            self.is_new = false;
        }
        Ok((&mut **player, contestant))
    }

    /// Returns the contestant that the words make in a game with these clocks. Without any, the time of a
    /// move is a wish.
    fn contestant(&self, question: &ProgramQuestion) -> Result<Contestant, PlayerError> {
        let control = &question.control;
        let mut words = self.words.clone();
        if control.is_limited() {
            let periods = control.byoyomi.map(|b| b.length.saturating_mul(b.periods));
            let game = control.game.into_iter().chain(periods).reduce(Duration::saturating_add);
            let increment = control.increment;
            words.clock = game.map(|time| GameTime { period: None, time, increment });
            words.turn = control.turn;
        } else {
            words.turn = words.turn.or(question.time.turn);
        }
        let contestant = words.contestant(self.name.clone());
        contestant.map_err(|why| PlayerError::Fault(PlayerFault::Start(why)))
    }
}

/// Returns what an answer tells.
fn told(answer: PlayerAnswer, question: &ProgramQuestion, contestant: &Contestant) -> ProgramNews {
    let PlayerAnswer { choice, elapsed, info } = answer;
    let answer = match choice {
        PlayerChoice::Move(point) => Answer::Moves(vec![point]),
        PlayerChoice::Stones(points) => Answer::Moves(points),
        PlayerChoice::Swap => Answer::Swap,
    };
    let allowance = contestant.allowance;
    // With a clock, the session judges.
    let limit = allowance.turn.filter(|_| question.limit.is_none());
    let late = limit.filter(|limit| elapsed > limit.saturating_add(allowance.margin));
    let remark = late.map(|limit| PlayerFault::Late { used: elapsed, limit }.to_string());
    let (score, depth, nodes) = (info.score, info.depth, info.nodes);
    ProgramNews::Answered(answer, MoverSearch { time: None, score, depth, nodes }, remark)
}

/// Returns the stones of a question as players take them, in turn from black on.
fn moves_of(question: &ProgramQuestion) -> Result<Vec<Point>, &'static str> {
    let Setup { stones, walls, to_move, .. } = &question.setup;
    if question.ask == ProgramAsk::OtherOpening {
        return Err("knows no opening but swap2: choose for it");
    }
    if !walls.is_empty() {
        return Err("cannot be told of blocked cells");
    }
    let of =
        |color: Color| stones.iter().filter(move |stone| stone.1 == color).map(|stone| stone.0);
    let mut sides = [Color::Black, Color::White].map(|color| of(color).collect::<Vec<_>>());
    let alternates = sides[0].len() == stones.len().div_ceil(2);
    if !alternates || *to_move != Color::to_move_after(stones.len()) {
        return Err("cannot be told of a position with more stones of one side");
    }
    sides.iter_mut().for_each(|points| points.reverse());
    let in_turn = (0..stones.len()).filter_map(|i| sides[i % 2].pop());
    Ok(in_turn.collect())
}

#[cfg(test)]
mod tests;
