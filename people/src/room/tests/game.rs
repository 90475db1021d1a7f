//! A host and a guest without a network between them.

use std::time::{Duration, Instant};

use crate::play::scripted::points;
use crate::play::{
    CasualGame, ClockControl, Controller, PlayNotice, PlayTerms, SavedGame, ThinkingLimits,
};
use crate::room::message::{
    GuestMessage, HostMessage, OpenProposal, Proposal, RoomAction, RoomAid, RoomNotice, RoomPlayer,
};
use crate::room::{
    GuestFault, GuestRoom, HostRoom, RoomKey, RoomPlace, SavedRoom, playing, taking_back,
};
use tengen_core::rng::SplitMix64;
use tengen_core::rules::{OpeningRule, Rule};
use tengen_core::sys::clock::ManualClock;
use tengen_core::types::{ByColor, Color, Size};
use tengen_files::records::{GameResult, Move, Note, Record};
use tengen_files::resume::testing::{check_flips, without_sums};

/// A room with a guest whose line can break.
struct Pair {
    host: HostRoom<&'static ManualClock>,
    guest: GuestRoom,
    clock: &'static ManualClock,
}

impl Pair {
    fn new(opening: Option<OpeningRule>, control: ClockControl) -> Pair {
        let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(Instant::now())));
        let sides = ByColor([Controller::Person; 2]);
        let terms = PlayTerms {
            sides,
            skills: ByColor::default(),
            clock: control,
            thinking: ThinkingLimits::default(),
        };
        let game = CasualGame::new(Size::DEFAULT, Rule::Renju);
        let host = HostRoom::new(clock, terms, game, opening, RoomPlayer::Host).unwrap();
        let mut pair = Pair { host, guest: GuestRoom::default(), clock };
        pair.host.set_name(RoomPlayer::Host, "Ann");
        pair.host.set_name(RoomPlayer::Guest, "Bob");
        pair.update();
        pair
    }

    /// Sends the state to the guest.
    fn update(&mut self) -> Vec<RoomNotice> {
        // Messages are text.
        let text = serde_json::to_string(&self.host.state()).unwrap();
        let message: HostMessage = serde_json::from_str(&text).unwrap();
        self.guest.take(message).unwrap()
    }

    fn host_acts(&mut self, action: RoomAction) -> Result<Vec<RoomNotice>, String> {
        self.host.act(RoomPlayer::Host, &action).map_err(|fault| fault.to_string())?;
        Ok(self.update())
    }

    /// Lets the guest act; returns what the guest learns.
    fn guest_acts(&mut self, action: RoomAction) -> Vec<RoomNotice> {
        let message = self.guest.act(action).unwrap();
        let told = self.deliver(&message);
        let mut notices = self.update();
        notices.extend(self.guest.take(told).unwrap());
        notices
    }

    fn deliver(&mut self, message: &GuestMessage) -> HostMessage {
        match message {
            GuestMessage::Act { id, action } => self.host.guest_acts(*id, action).0,
            other => panic!("{other:?} is not an action"),
        }
    }

    fn host_plays(&mut self, choice: &str) -> Result<Vec<RoomNotice>, String> {
        let after = crate::room::host::made(self.host.session());
        self.host_acts(RoomAction::Play { after, choice: choice.to_owned() })
    }

    fn guest_plays(&mut self, choice: &str) -> Vec<RoomNotice> {
        let action = self.guest_choice(choice);
        self.guest_acts(action)
    }

    /// Lets the host be killed, and a new one open the room again; returns what was saved.
    fn restart(&mut self) -> SavedRoom {
        let ticket = Some("0123456789abcdef0123456789abcdef".parse().unwrap());
        let key = RoomKey { code: "ABC234".parse().unwrap(), ticket };
        let saved = self.host.saved(RoomPlace { key, port: 4000, is_unlisted: true });
        let read = SavedRoom::from_text(saved.game.clone(), &saved.to_text());
        assert_eq!(read.as_ref(), Ok(&saved));
        self.host = HostRoom::resume(self.clock, saved.clone());
        saved
    }

    fn guest_choice(&self, choice: &str) -> RoomAction {
        playing(self.guest.session().expect("a game"), choice.to_owned())
    }

    fn guest_takes_back(&self) -> RoomAction {
        let session = self.guest.session().expect("a game");
        taking_back(self.guest.first(), session, RoomPlayer::Guest, None)
    }

    /// Checks that both hold the same game.
    fn check(&self) {
        let copy = self.guest.session().expect("a game");
        assert_eq!(copy.record(), self.host.session().record());
        assert_eq!(copy.asked(), self.host.session().asked());
        assert_eq!(self.guest.proposal(), self.host.proposal());
        for color in Color::ALL {
            assert_eq!(copy.side_clock(color), self.host.session().side_clock(color));
            assert_eq!(self.guest.player(color), Some(self.host.player(color)));
        }
    }
}

fn refused(notices: &[RoomNotice]) -> &str {
    match notices {
        [RoomNotice::Refused(why)] => why,
        other => panic!("not refused but {other:?}"),
    }
}

#[test]
fn moves_go_back_and_forth_and_the_host_judges_them() {
    let mut pair = Pair::new(None, ClockControl::default());
    assert_eq!(refused(&pair.guest_plays("h8")), "it is the other player's turn");
    pair.host_plays("h8").unwrap();
    assert_eq!(pair.host_plays("h9").unwrap_err(), "it is the other player's turn");
    assert_eq!(refused(&pair.guest_plays("h8")), "h8 is occupied");
    assert_eq!(
        refused(&pair.guest_plays("z9")),
        "that is neither a cell of the board nor a choice"
    );
    assert_eq!(
        refused(&pair.guest_plays("swap")),
        "there is nothing to choose: no opening is being played"
    );
    let told = pair.guest_plays("h9");
    assert!(matches!(&told[..], [RoomNotice::Game(PlayNotice::Played { number: 2, .. })]));
    let stale = RoomAction::Play { after: 1, choice: "a1".to_owned() };
    assert_eq!(pair.host_acts(stale).unwrap_err(), "the game has changed meanwhile");
    let record = pair.guest.session().unwrap().record();
    assert_eq!(record.players.0, ["Ann", "Bob"]);
    pair.check();
}

#[test]
fn an_action_whose_answer_was_lost_is_done_once() {
    let mut pair = Pair::new(None, ClockControl::default());
    pair.host_plays("h8").unwrap();
    let action = pair.guest_choice("h9");
    let message = pair.guest.act(action.clone()).unwrap();
    // It arrives, but nothing of what the host says does.
    let told = pair.deliver(&message);
    assert_eq!(pair.guest.act(action), Err(GuestFault::Waiting));
    pair.host_plays("h10").unwrap();
    // The line is made again: the state comes, and the guest repeats what was not answered.
    assert_eq!(pair.guest.unanswered(), Some(message.clone()));
    assert_eq!(pair.deliver(&message), told);
    pair.update();
    assert!(pair.guest.take(told).unwrap().is_empty() && !pair.guest.is_waiting());
    assert_eq!(pair.host.session().game().moves().len(), 3);
    // Another one that never arrived is done then.
    let action = pair.guest_choice("j8");
    let lost = pair.guest.act(action).unwrap();
    pair.update();
    let again = pair.guest.unanswered().unwrap();
    assert_eq!(again, lost);
    let told = pair.deliver(&again);
    pair.update();
    pair.guest.take(told).unwrap();
    pair.check();
    assert_eq!(pair.host.session().game().moves().len(), 4);
}

#[test]
fn what_needs_consent_happens_with_consent_alone() {
    let mut pair = Pair::new(None, ClockControl::default());
    for (i, cell) in ["h8", "h9", "i8", "i9"].into_iter().enumerate() {
        if i % 2 == 0 {
            pair.host_plays(cell).unwrap();
        } else {
            pair.guest_plays(cell);
        }
    }
    let count = |pair: &Pair| pair.host.session().game().moves().len();
    let action = pair.guest_takes_back();
    assert_eq!(action, RoomAction::Propose { proposal: Proposal::TakeBack { count: 1 } });
    pair.guest_acts(action);
    let open = pair.host.proposal().expect("a proposal");
    assert_eq!(open.by, RoomPlayer::Guest);
    let own = pair.guest_acts(RoomAction::Accept { proposal: open.number });
    assert_eq!(refused(&own), "nothing is proposed to be answered", "not by oneself");
    let wrong = RoomAction::Accept { proposal: open.number + 1 };
    assert!(pair.host_acts(wrong).is_err());
    assert_eq!(count(&pair), 4);
    let told = pair.host_acts(RoomAction::Accept { proposal: open.number }).unwrap();
    assert_eq!(told[0], RoomNotice::TakenBack(3));
    assert_eq!(count(&pair), 3);
    // A move overtakes a proposal, and two who want the same agree.
    pair.host_acts(RoomAction::Propose { proposal: Proposal::Draw }).unwrap();
    let draw = pair.guest.proposal().unwrap().number;
    let told = pair.guest_plays("i9");
    let open = OpenProposal { number: draw, by: RoomPlayer::Host, proposal: Proposal::Draw };
    assert!(told.contains(&RoomNotice::Dropped(open)), "{told:?}");
    pair.host_acts(RoomAction::Propose { proposal: Proposal::Draw }).unwrap();
    pair.guest_acts(RoomAction::Decline { proposal: pair.guest.proposal().unwrap().number });
    assert_eq!(pair.host.proposal(), None);
    pair.host_acts(RoomAction::Propose { proposal: Proposal::Draw }).unwrap();
    let told = pair.guest_acts(RoomAction::Propose { proposal: Proposal::Draw });
    let is_over = |n: &RoomNotice| matches!(n, RoomNotice::Game(PlayNotice::Over(_)));
    assert!(told.iter().any(is_over), "{told:?}");
    assert_eq!(pair.host.session().game().end().unwrap().result, GameResult::Draw);
    pair.check();
    // In the next game the guest has the first move.
    let over = pair.guest_acts(RoomAction::Resign);
    assert_eq!(refused(&over), "the game is over");
    pair.guest_acts(RoomAction::Propose { proposal: Proposal::NewGame });
    let number = pair.host.proposal().unwrap().number;
    let told = pair.host_acts(RoomAction::Accept { proposal: number }).unwrap();
    assert_eq!(told[0], RoomNotice::NewGame);
    assert_eq!(pair.guest.player(Color::Black), Some(RoomPlayer::Guest));
    assert!(pair.host_plays("h8").is_err());
    pair.guest_plays("h8");
    // Either may resign at any time.
    pair.guest_acts(RoomAction::Resign);
    let end = pair.host.session().game().end().unwrap().result;
    assert_eq!(end, GameResult::Win(Color::White));
    assert_eq!(pair.host.session().record().players.0, ["Bob", "Ann"]);
    pair.check();
}

#[test]
fn both_have_the_help_that_the_host_allows_or_neither() {
    for aid in RoomAid::ALL {
        let mut pair = Pair::new(None, ClockControl::default());
        pair.host.allow(aid);
        let has = |pair: &Pair| (pair.host.aid(), pair.guest.aid());
        assert!(pair.update().is_empty());
        assert_eq!(has(&pair), (aid, RoomAid::None), "nothing is known of the guest");
        assert_eq!(pair.host.learn_of_guest(true), [RoomNotice::Aid(aid)]);
        assert_eq!(pair.update(), [RoomNotice::Aid(aid)]);
        assert_eq!(has(&pair), (aid, aid));
        assert!(pair.host.learn_of_guest(false).is_empty() && pair.update().is_empty());
        // A host that was killed allows the same, and its guest is told once.
        pair.restart();
        assert!(pair.update().is_empty());
        assert_eq!(pair.host.learn_of_guest(true), [RoomNotice::Aid(aid)]);
        assert!(pair.update().is_empty());
        assert_eq!(has(&pair), (aid, aid));
        // Another guest has a program from before.
        pair.host.forget_guest();
        assert_eq!(pair.host.learn_of_guest(false), [RoomNotice::Aid(RoomAid::None)]);
        pair.update();
        assert_eq!(has(&pair), (RoomAid::None, RoomAid::None));
    }
}

#[test]
fn openings_are_shared_and_colours_follow_the_players() {
    let mut pair = Pair::new(Some(OpeningRule::Swap2), ClockControl::default());
    assert_eq!(refused(&pair.guest_plays("h8")), "it is the other player's turn");
    for cell in ["h8", "h9", "i8"] {
        pair.host_plays(cell).unwrap();
    }
    assert!(pair.host_plays("swap").is_err());
    let told = pair.guest_plays("swap");
    assert!(told.iter().any(|n| matches!(n, RoomNotice::Game(PlayNotice::Opened(_)))), "{told:?}");
    assert_eq!(pair.host.player(Color::Black), RoomPlayer::Guest);
    pair.host_plays("a1").unwrap();
    // The guest takes back the choice of the colour, with what followed.
    let action = pair.guest_takes_back();
    assert_eq!(action, RoomAction::Propose { proposal: Proposal::TakeBack { count: 2 } });
    pair.guest_acts(action);
    let number = pair.host.proposal().unwrap().number;
    let told = pair.host_acts(RoomAction::Accept { proposal: number }).unwrap();
    assert_eq!(told[0], RoomNotice::TakenBack(3));
    pair.guest_plays("stay");
    pair.guest_plays("a2");
    assert_eq!(pair.host.player(Color::Black), RoomPlayer::Host);
    pair.check();
}

#[test]
fn the_host_keeps_the_clocks() {
    let s = Duration::from_secs;
    let control = ClockControl { game: Some(s(60)), ..Default::default() };
    let mut pair = Pair::new(None, control);
    pair.clock.advance(s(10));
    pair.host_plays("h8").unwrap();
    pair.clock.advance(s(20));
    pair.update();
    assert!(pair.guest.turn_time() >= s(20) && pair.guest.turn_time() < s(50));
    pair.guest_plays("h9");
    let left = |pair: &Pair, color| pair.guest.session().unwrap().side_clock(color).left();
    assert_eq!((left(&pair, Color::Black), left(&pair, Color::White)), (Some(s(50)), Some(s(40))));
    pair.clock.advance(s(51));
    // The guest's move comes after the flag of the host has fallen.
    let late = pair.host.tick();
    assert_eq!(late.len(), 1);
    pair.update();
    let end = pair.guest.session().unwrap().game().end().unwrap();
    assert_eq!(end.result, GameResult::Win(Color::White));
    pair.check();
}

#[test]
fn what_a_file_says_of_its_game_stays_with_the_host() {
    let mut pair = Pair::new(None, ClockControl::default());
    let mut record = Record::of_points(Size::DEFAULT, &points("h8i9h10"));
    record.comment = "\u{3b1}".repeat(200_000);
    record.notes.extend([Note::new("LB", &["aa:x"])]);
    for m in &mut record.moves {
        m.set_comment("b".repeat(200_000));
        m.notes_mut().extend([Note::new("CR", &["aa"])]);
        let other = Move::new(points("a1")[0], m.color);
        m.variations_mut().push(vec![other]);
    }
    let mut game = CasualGame::from_record(record.clone(), &[], Rule::Freestyle).unwrap();
    game.take_back(1).unwrap();
    let terms = *pair.host.session().terms();
    pair.host = HostRoom::new(pair.clock, terms, game, None, RoomPlayer::Host).unwrap();
    assert!(serde_json::to_string(&pair.host.state()).unwrap().len() < 2000);
    pair.update();
    let copy = pair.guest.session().unwrap();
    assert_eq!(copy.record().moves, Record::of_points(Size::DEFAULT, &points("h8i9")).moves);
    assert_eq!(pair.host.session().record().moves, record.moves[..2]);
    assert_eq!(pair.host.session().record().comment, record.comment);
}

#[test]
fn a_room_goes_on_with_another_host() {
    let s = Duration::from_secs;
    let control = ClockControl { game: Some(s(60)), ..Default::default() };
    let mut pair = Pair::new(Some(OpeningRule::Swap2), control);
    for cell in ["h8", "h9", "i8"] {
        pair.host_plays(cell).unwrap();
    }
    pair.restart();
    assert_eq!(pair.host.deadline(), None, "the clock stands");
    pair.host.start_clock();
    pair.clock.advance(s(10));
    // The host is killed after the guest's choice, and before the guest knows.
    let action = pair.guest_choice("swap");
    let message = pair.guest.act(action).unwrap();
    pair.deliver(&message);
    pair.restart();
    let told = pair.deliver(&message);
    pair.update();
    assert!(pair.guest.take(told).unwrap().is_empty() && !pair.guest.is_waiting());
    assert_eq!(pair.host.player(Color::Black), RoomPlayer::Guest);
    pair.check();
    // The turn goes on at the time that it had when the room was saved.
    pair.host.start_clock();
    pair.clock.advance(s(20));
    let saved = pair.restart();
    assert_eq!(saved.turn, s(20));
    pair.clock.advance(s(1000));
    assert!(pair.host.tick().is_empty());
    pair.host.start_clock();
    pair.clock.advance(s(5));
    pair.host_plays("a1").unwrap();
    pair.check();
    let left = pair.host.session().side_clock(Color::White).left();
    assert_eq!(left, Some(s(35)));
    assert_eq!(pair.host.session().record().players.0, ["Bob", "Ann"]);
    // A proposal does not stand any more, and its number belongs to no other.
    pair.host_acts(RoomAction::Propose { proposal: Proposal::Draw }).unwrap();
    let open = pair.guest.proposal().unwrap();
    pair.restart();
    let told = pair.update();
    assert_eq!(told, [RoomNotice::Dropped(open)]);
    pair.host_acts(RoomAction::Propose { proposal: Proposal::TakeBack { count: 1 } }).unwrap();
    let told = pair.guest_acts(RoomAction::Accept { proposal: open.number });
    assert_eq!(refused(&told), "nothing is proposed to be answered");
    pair.check();
}

#[test]
fn what_is_no_saved_room_is_refused() {
    let mut pair = Pair::new(None, ClockControl::default());
    pair.host_plays("h8").unwrap();
    let saved = pair.restart();
    let text = without_sums(&saved.to_text());
    assert_eq!(SavedRoom::from_text(saved.game.clone(), &text).as_ref(), Ok(&saved));
    for (old, new) in [
        ("\"tengen_room\":1", "\"tengen_room\":2"),
        ("ABC234", "ABC230"),
        ("\"0123456789abcdef", "\"0123456789abcdeg"),
        ("\"0123456789abcdef", "\""),
        ("4000", "0"),
        ("4000", "70000"),
        ("\"Ann\"", "\" Ann\""),
        ("\"Ann\"", "\"\\u001b[2J\""),
        ("\"Bob\"", "\"\""),
        ("\"host\",\"done\"", "\"nobody\",\"done\""),
        ("\"done\":0", "\"done\":-1"),
        ("}", ",\"more\":1}"),
        ("}", "}}"),
        ("}", ""),
    ] {
        let broken = text.replacen(old, new, 1);
        assert_ne!(broken, text, "{old}");
        assert!(SavedRoom::from_text(saved.game.clone(), &broken).is_err(), "{new}");
    }
    let mut game = saved.game;
    game.terms.sides[Color::White] = Controller::Engine;
    assert!(SavedRoom::from_text(game, &text).is_err());
}

#[test]
fn a_flipped_bit_of_a_saved_room_is_told() {
    let mut pair = Pair::new(None, ClockControl::default());
    pair.host_plays("h8").unwrap();
    let saved = pair.restart();
    check_flips(&saved.to_text(), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        SavedRoom::from_text(saved.game.clone(), &text).err().map(|error| error.to_string())
    });
}

/// Both do anything at any time, the line breaks as it likes, and the host is killed now and then.
#[test]
fn whatever_both_do_and_whenever_the_line_breaks_the_copies_agree() {
    let mut rng = SplitMix64::new(77);
    let mut done = 0;
    for round in 0..40 {
        let opening = [None, Some(OpeningRule::ALL[round % 6])][round % 2];
        let mut pair = Pair::new(opening, ClockControl::default());
        for _ in 0..120 {
            let session = pair.host.session();
            let mut cells: Vec<String> = Size::DEFAULT
                .points()
                .filter(|p| p.distance(Size::DEFAULT.center()) < 4)
                .map(|p| p.to_string())
                .collect();
            if let Some(opening) = session.opening() {
                cells.extend(opening.course().allowed().iter().map(ToString::to_string));
            }
            let number = pair.host.proposal().map_or(0, |open| open.number);
            let count = rng.below(4);
            let action = |choice: RoomAction, rng: &mut SplitMix64| match rng.below(24) {
                0 => RoomAction::Propose { proposal: Proposal::TakeBack { count } },
                1 => RoomAction::Propose { proposal: Proposal::NewGame },
                2 => RoomAction::Accept { proposal: number },
                3 => RoomAction::Decline { proposal: number },
                4 if rng.below(9) == 0 => RoomAction::Resign,
                _ => choice,
            };
            let cell = cells[rng.below(cells.len())].clone();
            if rng.below(2) == 0 {
                let after = crate::room::host::made(session);
                let action = action(RoomAction::Play { after, choice: cell }, &mut rng);
                done += usize::from(pair.host.act(RoomPlayer::Host, &action).is_ok());
            } else if !pair.guest.is_waiting() {
                let choice = pair.guest_choice(&cell);
                let action = action(choice, &mut rng);
                let message = pair.guest.act(action).unwrap();
                // Each half of the conversation may be lost.
                if rng.below(4) > 0 {
                    let told = pair.deliver(&message);
                    done += usize::from(matches!(told, HostMessage::Done { .. }));
                    if rng.below(4) > 0 {
                        pair.update();
                        pair.guest.take(told).unwrap();
                    }
                }
            }
            if rng.below(16) == 0 {
                pair.restart();
            }
            if rng.below(3) == 0 {
                pair.update();
                if let Some(message) = pair.guest.unanswered() {
                    let told = pair.deliver(&message);
                    pair.update();
                    pair.guest.take(told).unwrap();
                }
                pair.check();
            }
        }
    }
    assert!(done > 400, "{done}");
}

#[test]
fn a_copy_takes_no_state_that_is_none() {
    let mut pair = Pair::new(None, ClockControl::default());
    pair.host_plays("h8").unwrap();
    let HostMessage::State(state) = pair.host.state() else { panic!("no state") };
    for (old, new) in [
        ("\"tengen_play\":1", "\"tengen_play\":9"),
        ("\"person\"", "\"engine\""),
        ("h8", "h99"),
        ("{", "["),
    ] {
        let mut broken = state.clone();
        broken.game = broken.game.replacen(old, new, 1);
        assert_ne!(broken, state);
        let before = pair.guest.session().unwrap().record();
        assert!(pair.guest.take(HostMessage::State(broken)).is_err(), "{new}");
        assert_eq!(pair.guest.session().unwrap().record(), before);
    }
    let moves: Vec<Move> = pair.guest.session().unwrap().game().moves().to_vec();
    assert_eq!(moves.len(), 1);
}

#[test]
fn a_player_asks_five_times_and_then_waits_for_the_other() {
    let mut pair = Pair::new(None, ClockControl::default());
    pair.host_plays("h8").unwrap();
    pair.guest_plays("i9");
    let kinds = [Proposal::Draw, Proposal::NewGame];
    let propose = |i: usize| RoomAction::Propose { proposal: kinds[i % 2] };
    let enough = "that is enough for now: the other player has to answer first";
    for i in 0..5 {
        let told = pair.guest_acts(propose(i));
        assert!(told.iter().any(|n| matches!(n, RoomNotice::Proposed(_))), "{i}: {told:?}");
        assert_eq!(refused(&pair.guest_acts(propose(i))), "that is proposed already");
    }
    for _ in 0..50 {
        assert_eq!(refused(&pair.guest_acts(propose(5))), enough);
    }
    // A move, an answer and a proposal of the other are news.
    pair.host_plays("j8").unwrap();
    pair.guest_acts(propose(0));
    let open = pair.host.proposal().expect("a proposal");
    assert_eq!((open.by, open.proposal), (RoomPlayer::Guest, Proposal::Draw));
    for i in 1..5 {
        pair.guest_acts(propose(i));
    }
    let number = pair.host.proposal().expect("a proposal").number;
    pair.host_acts(RoomAction::Decline { proposal: number }).unwrap();
    for i in 0..5 {
        pair.guest_acts(propose(i));
    }
    assert_eq!(refused(&pair.guest_acts(propose(5))), enough);
    pair.host_acts(RoomAction::Propose { proposal: Proposal::TakeBack { count: 1 } }).unwrap();
    pair.guest_acts(propose(5));
    assert_eq!(pair.host.proposal().expect("a proposal").by, RoomPlayer::Guest);
    pair.check();
}

/// Returns the text with each of its numbers in turn replaced by numbers that nobody counts to.
fn with_odd_numbers(text: &str) -> impl Iterator<Item = String> {
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let starts = (1..text.len()).filter(move |&at| is_digit(at) && !is_digit(at - 1));
    const ODD: [&str; 10] = [
        "0",
        "1",
        "-1",
        "0.5",
        "1e300",
        "2147483648",
        "4294967295",
        "9223372036854775807",
        "18446744073709551615",
        "18446744073709551616",
    ];
    starts.flat_map(move |start| {
        let length = text[start..].bytes().take_while(u8::is_ascii_digit).count();
        let odd = move |odd: &&str| text[..start].to_owned() + odd + &text[start + length..];
        ODD.iter().map(odd).collect::<Vec<String>>()
    })
}

#[test]
fn numbers_that_nobody_counts_to_are_refused_or_lived_with() {
    let control = ClockControl {
        turn: Some(Duration::from_secs(60)),
        game: Some(Duration::from_secs(600)),
        increment: Duration::from_secs(5),
        byoyomi: None,
    };
    let mut pair = Pair::new(Some(OpeningRule::ALL[0]), control);
    let _ = pair.host_plays("h8");
    pair.clock.advance(Duration::from_secs(3));
    pair.update();
    pair.host_acts(RoomAction::Propose { proposal: Proposal::NewGame }).unwrap();
    let HostMessage::State(state) = pair.host.state() else { panic!("no state") };
    let mut taken = 0;
    let look = |guest: &mut GuestRoom, message: HostMessage| {
        let is_taken = guest.take(message).is_ok();
        let _ = guest.turn_time();
        if let Some(session) = guest.session() {
            let _ = Color::ALL.map(|color| session.side_clock(color));
            let _ = (session.record(), session.turn_time(), session.deadline());
            taking_back(guest.first(), session, RoomPlayer::Guest, None);
        }
        usize::from(is_taken)
    };
    for game in with_odd_numbers(&state.game) {
        let mut odd = state.clone();
        odd.game = game;
        taken += look(&mut pair.guest, HostMessage::State(odd));
    }
    let whole = serde_json::to_string(&HostMessage::State(state)).unwrap();
    for text in with_odd_numbers(&whole) {
        if let Ok(message) = serde_json::from_str(&text) {
            taken += look(&mut pair.guest, message);
        }
    }
    assert!(taken > 20, "{taken}");

    let saved = pair.restart();
    // Somebody who changes a number can leave the checksum out.
    let (game, room) = (without_sums(&saved.game.to_text()), without_sums(&saved.to_text()));
    let mut opened = 0;
    let odd_games = with_odd_numbers(&game).map(|game| (game, room.clone()));
    let odd_rooms = with_odd_numbers(&room).map(|room| (game.clone(), room));
    for (game, room) in odd_games.chain(odd_rooms) {
        let Ok(game) = SavedGame::from_text(&game) else { continue };
        let Ok(saved) = SavedRoom::from_text(game, &room) else { continue };
        let mut host = HostRoom::resume(pair.clock, saved.clone());
        host.start_clock();
        pair.clock.advance(Duration::from_millis(1));
        let _ = (host.deadline(), host.tick(), host.state(), host.saved(saved.place));
        for (id, choice) in [(1, "i9"), (u64::MAX, "j10")] {
            let after = crate::room::host::made(host.session());
            host.guest_acts(id, &RoomAction::Play { after, choice: choice.to_owned() });
        }
        let _ = host.act(RoomPlayer::Host, &RoomAction::Propose { proposal: Proposal::Draw });
        opened += 1;
    }
    assert!(opened > 20, "{opened}");
}
