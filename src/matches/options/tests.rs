use clap::FromArgMatches;

use super::*;
use crate::matches::args::command;
use crate::matches::engines::entries;
use tengen_core::rules::Rule;
use tengen_core::types::Size;

/// Two players, so that the rest of the line is what matters.
const TWO: &str = "--engine builtin=greedy --engine builtin=shapes depth=1";
const THREE: &str = "--engine builtin=greedy --engine builtin=shapes --engine cmd=x --each depth=1";

fn parse(line: &str) -> MatchArgs {
    let words = ["match"].into_iter().chain(line.split_whitespace());
    let matches = command().try_get_matches_from(words).unwrap_or_else(|error| panic!("{error}"));
    MatchArgs::from_arg_matches(&matches).unwrap_or_else(|error| panic!("{error}"))
}

fn read(line: &str) -> Result<MatchSpec, OptionError> {
    let args = parse(line);
    match_spec(&args, &entries(&args.engines, Vec::new())?)
}

fn spec(line: &str) -> MatchSpec {
    read(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn complaint(line: &str) -> String {
    let error = read(line).err().or_else(|| shard(&parse(line)).err());
    error.unwrap_or_else(|| panic!("{line} makes sense")).to_string()
}

#[test]
fn what_is_not_said_has_its_default() {
    let spec = spec(TWO);
    assert_eq!((spec.rule, spec.size, spec.rounds), (Rule::Freestyle, Size::DEFAULT, 1));
    assert_eq!(spec.pairing, Pairing::RoundRobin);
    assert_eq!(spec.adjudication, Adjudication::default());
    assert_eq!(spec.order, OpeningOrder::Sequential);
    assert!(!spec.symmetries && !spec.swap2 && spec.sprt.is_none() && spec.openings.is_empty());
    assert_eq!(spec.event, "tengen match");
    let names: Vec<&str> = spec.contestants.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["greedy", "shapes"]);
}

#[test]
fn the_match_is_what_was_asked_for() {
    let spec = spec(&format!(
        "--rule renju --size 20x15 --rounds 50 --gauntlet --swap2 --draw-after 200 --draw 10,8,60 \
         --resign 2000,3,both --event Cup {THREE}"
    ));
    assert_eq!((spec.rule, spec.rounds, spec.swap2), (Rule::Renju, 50, true));
    assert_eq!(spec.size, Size::new(20, 15).unwrap());
    assert_eq!(spec.pairing, Pairing::Gauntlet);
    assert_eq!(spec.adjudication.draw_after, Some(200));
    assert_eq!(spec.adjudication.draw, Some(DrawRule { score: 10, moves: 8, from: 60 }));
    assert_eq!(spec.adjudication.resign, Some(ResignRule { score: 2000, moves: 3, both: true }));
    assert_eq!((spec.event.as_str(), spec.contestants.len()), ("Cup", 3));
}

#[test]
fn a_series_has_first_movers() {
    let spec_7 = spec(&format!("--best-of 7 --first ABBAABB {TWO}"));
    assert_eq!(spec_7.pairing, Pairing::BestOf { first: vec![0, 1, 1, 0, 0, 1, 1] });
    assert_eq!(spec_7.rounds, 7);
    let usual = spec(&format!("--best-of 3 {TWO}"));
    assert_eq!(usual.pairing, Pairing::BestOf { first: vec![0, 1] });
}

#[test]
fn a_test_has_its_usual_errors_and_rounds_enough() {
    let spec_1 = spec(&format!("{TWO} --sprt elo0=0 elo1=10"));
    let expected =
        SprtOptions { model: EloModel::Logistic, elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
    assert_eq!((spec_1.sprt, spec_1.rounds), (Some(expected), 100_000));
    let spec_2 = spec(&format!(
        "{TWO} --rounds 9 --sprt elo0=-5 elo1=0 alpha=0.1 beta=0.2 model=normalized"
    ));
    let expected =
        SprtOptions { model: EloModel::Normalized, elo0: -5.0, elo1: 0.0, alpha: 0.1, beta: 0.2 };
    assert_eq!((spec_2.sprt, spec_2.rounds), (Some(expected), 9));
}

#[test]
fn parts_are_counted_from_1() {
    let part = |text: &str| shard(&parse(&format!("--journal j --shard {text} {TWO}")));
    assert_eq!(part("1/4"), Ok(Some(Shard { index: 0, count: 4 })));
    assert_eq!(part("4/4"), Ok(Some(Shard { index: 3, count: 4 })));
    assert_eq!(shard(&parse(TWO)), Ok(None));
}

#[test]
fn contradictions_are_refused_with_the_name_of_the_option() {
    for (line, message) in [
        (
            "--each turn=1",
            "a match needs two engines, and there is none: name them with --engine, or a \
             directory or file of them with --engines",
        ),
        (
            "--engine builtin=greedy",
            "a match needs two engines, and there is one: name them with --engine, or a \
             directory or file of them with --engines",
        ),
        (&format!("--best-of 7 {THREE}"), "--best-of is for two engines, and there are 3"),
        (&format!("{THREE} --sprt elo0=0 elo1=10"), "--sprt is for two engines, and there are 3"),
        (
            &format!("--best-of 7 --first ABC {TWO}"),
            "--first ABC: the letters are A for the first engine and B for the second",
        ),
        (&format!("--seed 4 {TWO}"), "--seed is for --order random"),
        (&format!("--draw 10 {TWO}"), "--draw 10: it is not SCORE,MOVES[,FROM], such as 10,8,60"),
        (
            &format!("--draw 1,2,3,4 {TWO}"),
            "--draw 1,2,3,4: it is not SCORE,MOVES[,FROM], such as 10,8,60",
        ),
        (&format!("--draw 10,0 {TWO}"), "--draw 10,0: the number of moves is 0"),
        (
            &format!("--resign +9,3 {TWO}"),
            "--resign +9,3: it is not SCORE,MOVES[,both], such as 2000,4",
        ),
        (&format!("--resign 0,3 {TWO}"), "--resign 0,3: the score is 0"),
        (&format!("--resign 4000000000,3 {TWO}"), "--resign 4000000000,3: no score is that high"),
        (
            &format!("--journal j --shard 5/4 {TWO}"),
            "--shard 5/4: the first part is 1/N, the last N/N",
        ),
        (
            &format!("--journal j --shard 0/4 {TWO}"),
            "--shard 0/4: the first part is 1/N, the last N/N",
        ),
        (&format!("--journal j --shard 4 {TWO}"), "--shard 4: it is not I/N, such as 1/4"),
        (&format!("{TWO} --sprt elo1=10"), "--sprt: both elo0= and elo1= are needed"),
        (&format!("{TWO} --sprt 0 10"), "--sprt 0: it is not KEY=VALUE, such as elo1=10"),
        (
            &format!("{TWO} --sprt elo=10"),
            "--sprt elo=10: the keys are elo0, elo1, alpha, beta, model",
        ),
        (&format!("{TWO} --sprt elo0=x"), "--sprt elo0=x: it is not a number"),
        (&format!("{TWO} --sprt elo0=1 elo0=2"), "--sprt elo0=2: elo0= is there twice"),
        (
            &format!("{TWO} --sprt elo0=5 elo1=0"),
            "--sprt: elo0 must be below elo1, both within 1000 of 0: 5, 0",
        ),
        (
            &format!("{TWO} --sprt elo0=0 elo1=5 model=bayes"),
            "--sprt model=bayes: the models are logistic, normalized",
        ),
    ] {
        assert_eq!(complaint(line), message, "{line}");
    }
}

#[test]
fn openings_must_be_there() {
    let error = with_openings(spec(TWO), Vec::new(), 1).unwrap_err().to_string();
    assert_eq!(error, "--openings: there are no openings in the file");
    let center = vec![Size::DEFAULT.center()];
    let begun = |start| with_openings(spec(TWO), vec![center.clone(); 2], start);
    assert_eq!(begun(2).unwrap().openings, [center.clone(), center.clone()]);
    assert_eq!([begun(1), begun(2)].map(|spec| spec.unwrap().first_opening), [0, 1]);
    let error = begun(3).unwrap_err().to_string();
    assert_eq!(error, "--openings-start 3: the file has 2 openings");
}
