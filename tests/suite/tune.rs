//! `tengen tune` from the outside: small games that are the same however they are made.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::place::Place;
use tengen_core::eval::classical::Weights;
use tengen_core::eval::network::{Network, Parameters};
use tengen_core::rules::{Game, Outcome, Rule};
use tengen_core::search::Params;
use tengen_core::types::Color;
use tengen_lab::tuning::corpus::{CorpusReader, encode_header};
use tengen_lab::tuning::selfplay::EARLIER_PROCEDURE;
use tengen_lab::tuning::{Ending, SelfPlayGame};

/// Options that make games quickly, if not well.
const QUICK: [&str; 8] =
    ["--size", "9", "--nodes", "150", "--stones", "1-4", "--leaf-nodes", "100"];

fn command(step: &str, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(["tune", step]).args(args).stdin(Stdio::null());
    command
}

/// Returns what a command that succeeds writes to standard output, in silence otherwise.
fn said(step: &str, args: &[&str]) -> String {
    let output = command(step, args).output().expect("tengen starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaints.is_empty(), "{step} {args:?}: {complaints}");
    String::from_utf8(output.stdout).expect("it is text")
}

/// Returns the only line that a command that fails writes.
fn complaint(step: &str, args: &[&str]) -> String {
    let output: Output = command(step, args).output().expect("tengen starts");
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

/// Returns the number of leaves of a corpus.
fn leaves(path: &str) -> usize {
    read(path).iter().map(|played| played.game.leaves.len()).sum()
}

fn read(path: &str) -> Vec<SelfPlayGame> {
    let reader = CorpusReader::open(Path::new(path)).expect("the corpus is opened");
    reader.collect::<Result<_, _>>().expect("the games are whole")
}

/// Returns the checksum of the games of a corpus.
fn crc(path: &str) -> u32 {
    let mut reader = CorpusReader::open(Path::new(path)).unwrap();
    assert!(reader.by_ref().all(|game| game.is_ok()));
    reader.crc()
}

#[test]
fn games_of_every_rule_are_legal_and_the_same_for_any_number_of_threads() {
    let place = Place::new("threads");
    for rule in Rule::ALL {
        let (one, three) = (place.path("one"), place.path("three"));
        for (path, threads) in [(&one, "1"), (&three, "3")] {
            let args = ["-n", "12", "--rule", rule.name(), "--threads", threads, "-o", path];
            said("games", &[&QUICK[..], &args].concat());
        }
        assert!(fs::read(&one).unwrap() == fs::read(&three).unwrap(), "{rule}");
        let reader = CorpusReader::open(Path::new(&one)).unwrap();
        let size = reader.options().size;
        let games = read(&one);
        assert_eq!(games.len(), 12);
        assert!(games.iter().any(|played| !played.game.leaves.is_empty()));
        for played in games {
            let mut game = Game::from_moves(size, rule, &played.game.opening).unwrap();
            for scored in &played.game.moves {
                assert_eq!(game.outcome(), Outcome::Ongoing);
                game.play(scored.point).unwrap();
            }
            assert_eq!(game.outcome().is_over(), played.ending == Ending::Rule);
            if played.ending == Ending::Rule {
                assert_eq!(game.outcome().winner(), played.game.result.winner());
            }
        }
        fs::remove_file(&one).unwrap();
        fs::remove_file(&three).unwrap();
    }
}

/// Starts a long run and kills it as soon as its output has some games.
fn kill_after_games(args: &[&str], path: &str) {
    let mut child = command("games", args).stdout(Stdio::null()).spawn().expect("tengen starts");
    let deadline = Instant::now() + Duration::from_secs(600);
    while !fs::metadata(path).is_ok_and(|metadata| metadata.len() > 1000) {
        assert!(Instant::now() < deadline && running(&mut child), "no games are written");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("the child is ours");
    child.wait().expect("the child ends");
}

fn running(child: &mut Child) -> bool {
    child.try_wait().is_ok_and(|status| status.is_none())
}

#[test]
fn a_killed_run_is_continued_as_if_nothing_had_happened() {
    let place = Place::new("kill");
    let (path, whole) = (place.path("killed"), place.path("whole"));
    let args = [&QUICK[..], &["--rule", "renju", "--seed", "7", "--threads", "2"]].concat();
    kill_after_games(&[&args[..], &["-n", "1000000", "-o", &path]].concat(), &path);
    let number = (read(&path).len() + 10).to_string();
    // A write that did not get to its end.
    let begun = fs::read(&path).unwrap();
    fs::write(&path, [&begun[..], &[3, 0, 20, 0, 1]].concat()).unwrap();
    said("games", &[&args[..], &["-n", &number, "-o", &path]].concat());
    said("games", &[&args[..], &["-n", &number, "-o", &whole]].concat());
    let bytes = fs::read(&whole).unwrap();
    assert!(fs::read(&path).unwrap() == bytes && bytes.starts_with(&begun));
    // Once more there is nothing to do.
    said("games", &[&args[..], &["-n", &number, "-o", &path]].concat());
    assert!(fs::read(&path).unwrap() == bytes);
}

#[test]
fn a_corpus_tells_what_it_is() {
    let place = Place::new("info");
    let path = place.path("some.games");
    let args = [&QUICK[..], &["-n", "20", "--seed", "3", "-o", &path]].concat();
    let told = said("games", &args);
    assert_eq!(said("info", &[&path]), told);
    let crc = format!("{:08x}", crc(&path));
    let network = Network::shipped(Rule::Freestyle).crc();
    let network = format!("{network:08x}");
    for part in [
        "some.games: training games\n",
        "rule       freestyle on 9x9\n",
        "games      20 (black ",
        "seed 3, nodes 150, stones 1-4, spread 2, reach 3, window 60, variety 4",
        "longest 54, draw-score 25, draw-moves 10, draw-stones 21, leaves 1, leaf-nodes 100, \
         procedure 3, weights ",
        &format!("\nleaves     {} of their searches\n", leaves(&path)),
        &format!("weights {:08x}, network {network}\n", Weights::shipped(Rule::Freestyle).crc()),
        &crc,
    ] {
        assert!(told.contains(part), "{part} is not in\n{told}");
    }
    assert!(!told.contains("torn"));
    fs::write(&path, [&fs::read(&path).unwrap()[..], b"?"].concat()).unwrap();
    assert!(said("info", &[&path]).ends_with("1 bytes of an interrupted run at the end\n"));
}

#[test]
fn what_cannot_be_continued_is_refused_in_one_line() {
    let place = Place::new("refuse");
    let path = place.path("some.games");
    fn two<'a>(path: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        [&QUICK[..], &["-n", "2", "-o", path], more].concat()
    }
    let games = |more: &[&'static str]| two(&path, more);
    said("games", &games(&[]));
    let text = complaint("games", &games(&["--seed", "3", "--reach", "2"]));
    let end = "some.games was begun with other options: seed 0 (now 3), reach 3 (now 2)\n";
    assert!(text.ends_with(end), "{text}");
    let text = complaint("games", &games(&["--spread", "9"]));
    assert_eq!(text, "Error: on this board the first stone is at most 4 cells from the centre\n");
    let text = complaint("games", &games(&["--leaves", "9"]));
    assert_eq!(text, "Error: the number of leaves of a search is not from 0 to 8\n");
    fs::write(&path, "h8i9j8\n").unwrap();
    let text = complaint("games", &games(&[]));
    assert!(text.ends_with("some.games: it is not a file of training games\n"), "{text}");
    let text = complaint("info", &[&place.path("nothing")]);
    assert!(text.starts_with("Error: cannot read "), "{text}");
}

#[test]
fn a_fit_is_the_same_for_any_number_of_threads_and_its_weights_can_be_played_with() {
    let place = Place::new("fit");
    let (games, more) = (place.path("some.games"), place.path("more.games"));
    let (one, three) = (place.path("one.weights"), place.path("three.weights"));
    let play = |more: &[&str]| said("games", &[&QUICK[..], &["--rule", "renju"], more].concat());
    play(&["-n", "60", "-o", &games]);
    play(&["-n", "20", "--seed", "1", "-o", &more]);
    let fit = |path: &str, threads: &str| {
        said("fit", &["--iterations", "5", "--threads", threads, &games, &more, "-o", path])
    };
    let told = fit(&one, "1");
    assert_eq!(fit(&three, "3").replace("three.weights", "one.weights"), told);
    let bytes = fs::read(&one).unwrap();
    assert!(fs::read(&three).unwrap() == bytes);
    let weights = Weights::from_bytes(&bytes).unwrap();
    assert_ne!(weights.of(Color::Black), Weights::hand_tuned(Rule::Renju).of(Color::Black));
    assert!(told.starts_with("80 games, "), "{told}");
    let (crc, info) = (weights.crc(), said("info", &[&one]));
    assert!(told.ends_with(&info), "{told}");
    assert!(info.ends_with(&format!("CRC-32     {crc:08x}\n")), "{info}");

    let next = place.path("next.games");
    let told = play(&["-n", "2", "--weights", &one, "-o", &next]);
    assert!(told.contains(&format!("weights {crc:08x}, network none\n")), "{told}");
    let text = complaint("games", &["--weights", &one, "-o", &place.path("other.games")]);
    assert!(text.ends_with("one.weights are for renju, not for freestyle\n"), "{text}");
    let network = place.path("renju.net");
    fs::write(&network, Parameters::random(Rule::Renju, 1).to_bytes().unwrap()).unwrap();
    let told = play(&["-n", "2", "--network", &network, "-o", &place.path("net.games")]);
    assert!(
        told.contains(&format!(", network {:08x}\n", Parameters::random(Rule::Renju, 1).crc()))
    );
    let other = place.path("other.games");
    for (step, more) in [("games", ["-o", &other]), ("search", ["--param", "all"])] {
        let text = complaint(step, &[&["--network", &network], &more[..]].concat());
        assert!(text.ends_with("renju.net is for renju, not for freestyle\n"), "{step}: {text}");
    }
}

#[test]
fn what_cannot_be_fitted_is_refused_in_one_line() {
    let place = Place::new("fit-refuse");
    let (free, renju) = (place.path("free.games"), place.path("renju.games"));
    let output = place.path("some.weights");
    said("games", &[&QUICK[..], &["-n", "2", "-o", &free]].concat());
    said("games", &[&QUICK[..], &["-n", "2", "--rule", "renju", "-o", &renju]].concat());
    let text = complaint("fit", &[&free, &renju, "-o", &output]);
    assert!(text.ends_with("renju.games is of renju, those before of freestyle\n"), "{text}");
    let text = complaint("fit", &[&output, "-o", &place.path("other")]);
    assert!(text.starts_with("Error: cannot read "), "{text}");
    assert!(!Path::new(&output).exists());
    let text = complaint("fit", &[&renju, "-o", &place.path("none/some.weights")]);
    assert!(text.contains("none/some.weights") && !text.contains("games read"), "{text}");
    let games = fs::read(&free).unwrap();
    for step in ["fit", "samples"] {
        let text = complaint(step, &[&free, "-o", &free]);
        assert!(text.ends_with("free.games: the same file has another use\n"), "{text}");
    }
    assert!(fs::read(&free).unwrap() == games);
}

#[test]
fn all_weights_are_made_and_what_is_missing_or_broken_is_made_again() {
    let place = Place::new("all");
    let all = || said("all", &["--config", "small", "--dir", &place.path("all"), "--threads", "3"]);
    let file = |name: &str| place.path(&format!("all/{name}"));
    let told = all();
    assert!(told.starts_with("small: 3 rules, 2 generations, "), "{told}");
    let first = fs::read(file("renju-1.weights")).unwrap();
    let last = Weights::from_bytes(&fs::read(file("renju.weights")).unwrap()).unwrap();
    assert_eq!(last.provenance.games, 120);
    assert!(told.contains("renju.weights: 120 games, "), "{told}");
    assert!(told.contains(&format!("CRC-32 {:08x}, ", last.crc())), "{told}");
    let info = said("info", &[&file("renju-9-2.games")]);
    let played_with = Weights::from_bytes(&first).unwrap().crc();
    assert!(info.contains(&format!("weights {played_with:08x}, network none\n")), "{info}");

    // The last game is not whole, one file of weights is gone and one has come to harm.
    let (games, weights) = (file("caro-exact-9-2.games"), file("freestyle.weights"));
    let whole = [&games, &weights].map(|path| fs::read(path).unwrap());
    fs::write(&games, &whole[0][..whole[0].len() - 3]).unwrap();
    fs::write(&weights, &whole[1][..100]).unwrap();
    fs::remove_file(file("renju-1.weights")).unwrap();
    let again = all();
    assert_eq!(again.matches(", fitted before\n").count(), 4, "{again}");
    assert!([&games, &weights].map(|path| fs::read(path).unwrap()) == whole);
    assert!(fs::read(file("renju-1.weights")).unwrap() == first);
}

/// Options of a search for parameters that takes seconds, if it finds nothing.
const SEARCH: [&str; 13] = [
    "--param",
    "aspiration=8",
    "--param",
    "razor_base",
    "--size",
    "9",
    "--nodes",
    "60",
    "--games",
    "40",
    "--batch",
    "4",
    "--quiet",
];

#[test]
fn a_search_for_parameters_is_the_same_for_any_number_of_threads_and_after_a_kill() {
    let place = Place::new("search");
    let (whole, killed) = (place.path("whole.json"), place.path("killed.json"));
    let args = |state: &str, threads: &str| {
        let more = ["--state", state, "--threads", threads];
        [&SEARCH[..], &more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run =
        |args: Vec<String>| said("search", &args.iter().map(String::as_str).collect::<Vec<_>>());
    let told = run(args(&whole, "1"));
    let last = told.lines().last().unwrap();
    assert!(told.contains("pairs 20 of 20: "), "{told}");
    assert!(last.is_empty() || last.starts_with("--param "), "{told}");

    let args_of_killed = args(&killed, "2");
    let args_of_killed: Vec<&str> = args_of_killed.iter().map(String::as_str).collect();
    let mut child = command("search", &args_of_killed).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(600);
    // The first batch is over.
    while fs::read_to_string(&killed).map_or(true, |text| text.contains("\"done\": 0,")) {
        assert!(Instant::now() < deadline, "no pairs are played");
        // While this test waited for its turn, all of them may have been.
        if !running(&mut child) {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    assert!(said("search", &args_of_killed).ends_with(last));
    assert!(fs::read(&killed).unwrap() == fs::read(&whole).unwrap());

    let other = [&args_of_killed[..], &["--seed", "5"]].concat();
    let text = complaint("search", &other);
    assert!(
        text.ends_with("killed.json was begun with other settings: seed 0 (now 5)\n"),
        "{text}"
    );
}

#[test]
fn parameters_are_listed_and_others_are_refused() {
    let told = said("params", &[]);
    let line = told.lines().find(|line| line.starts_with("aspiration ")).unwrap();
    let words: Vec<&str> = line.split_whitespace().take(4).collect();
    let usual = Params::DEFAULT.get("aspiration").unwrap().to_string();
    assert_eq!(words, ["aspiration", &usual, "4", "200"]);
    let text = complaint("search", &["--param", "aspiration", "--games", "3"]);
    assert_eq!(text, "Error: --games is an even number: games are played in pairs\n");
    let text = complaint("search", &["--param", "aspiration=1000"]);
    assert_eq!(
        text,
        "Error: 1000 is not a perturbation of aspiration: above 0 and up to its range\n"
    );
}

#[test]
fn positions_of_games_are_judged_again_and_a_network_is_measured_on_them() {
    let place = Place::new("relabel");
    let [games, more, judged, samples, renju] =
        ["some.games", "more.games", "judged.games", "judged.samples", "renju.net"]
            .map(|name| place.path(name));
    said("games", &[&QUICK[..], &["-n", "12", "-o", &games]].concat());
    said("games", &[&QUICK[..], &["-n", "8", "--seed", "1", "-o", &more]].concat());
    let relabel = |threads: &str| {
        let from = [&games[..], &more, "--roots", "--count", "150", "--seed", "3"];
        let to = ["--leaf-nodes", "200", "-o", &judged, "--threads", threads];
        said("relabel", &[&from[..], &to].concat())
    };
    let told = relabel("2");
    let crcs = [&games, &more].map(|path| crc(path).to_le_bytes());
    let sources = crc32fast::hash(&crcs.concat());
    for part in [
        "\nleaves     150 of their searches\n",
        ", leaf-nodes 200, ",
        &format!("judged-again 150 leaves by seed 3 and positions of {sources:08x} by weights "),
    ] {
        assert!(told.contains(part), "{part} is not in\n{told}");
    }
    // Once more, and after an interruption.
    let whole = fs::read(&judged).unwrap();
    assert_eq!(relabel("1"), told);
    fs::write(&judged, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(relabel("3"), told);
    assert!(fs::read(&judged).unwrap() == whole);

    assert!(said("samples", &[&judged, "--only-leaves", "-o", &samples]).contains("150 samples"));
    let one = said("losses", &[&samples]);
    assert!(one.contains(&format!("network {:08x}", Network::shipped(Rule::Freestyle).crc())));
    let counts = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("  network "));
        lines.map(|line| line.split_whitespace().nth(1).unwrap().to_owned()).collect()
    };
    assert_eq!(counts(&one), ["150"]);
    assert!(!one.contains("total"), "{one}");
    let two = said("losses", &[&samples, &samples]);
    assert_eq!(counts(&two), ["150", "150", "300"]);
    assert!(two.contains("\ntotal\n"), "{two}");
    let json = said("losses", &[&samples, "--json", "--scale", "200"]);
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let [file, total] = &lines[..] else { panic!("{json}") };
    assert_eq!((&file["size"], &total["scale"]), (&"9x9".into(), &200.0.into()));
    assert_eq!(file["network"], total["network"]);
    let floor = total["floor"].as_f64().unwrap();
    let calibrated = total["network"]["calibrated"].as_f64().unwrap();
    assert!(floor < calibrated && calibrated <= total["network"]["value"].as_f64().unwrap());

    fs::write(&renju, Parameters::random(Rule::Renju, 1).to_bytes().unwrap()).unwrap();
    let text = complaint("losses", &[&samples, "--network", &renju]);
    assert!(text.ends_with("renju.net is for renju, not for freestyle\n"), "{text}");
    let text = complaint("losses", &[&samples, "--network", "none"]);
    assert_eq!(text, "Error: losses are those of a network, and there is none\n");
    let text = complaint("losses", &[&games]);
    assert!(text.ends_with("some.games: it is not a file of samples\n"), "{text}");
}

#[test]
fn games_that_an_earlier_version_began_go_on_as_they_were_begun() {
    let place = Place::new("earlier");
    let (old, new) = (place.path("old.games"), place.path("new.games"));
    let args = [&QUICK[..], &["--leaves", "2", "--seed", "3"]].concat();
    said("games", &[&args[..], &["-n", "3", "-o", &new]].concat());
    let options = *CorpusReader::open(Path::new(&new)).unwrap().options();
    let earlier = options.in_procedure(EARLIER_PROCEDURE);
    fs::write(&old, encode_header(&earlier)).unwrap();
    let told = said("games", &[&args[..], &["-n", "6", "-o", &old]].concat());
    assert!(told.contains("draw-moves 0, ") && told.contains("procedure 2, "), "{told}");
    let (old_games, new_games) = (read(&old), read(&new));
    assert_eq!(old_games.len(), 6);
    // Leaves are others: all that is evaluated is offered.
    assert!(old_games.iter().zip(&new_games).any(|(a, b)| a.game.leaves != b.game.leaves));
    assert!(old_games.iter().all(|played| played.ending != Ending::Adjudicated));
    let text =
        complaint("games", &[&args[..], &["-n", "9", "--draw-moves", "8", "-o", &old]].concat());
    let end = "files of games that were begun by earlier versions adjudicate no draws\n";
    assert!(text.ends_with(end), "{text}");
}
