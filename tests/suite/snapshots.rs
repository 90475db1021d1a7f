//! What people read of the tool, as a whole: help, errors of the command line, and reports.
//!
//! The texts are in `snapshots/`. After a change that is meant, one command accepts the new ones:
//! `INSTA_UPDATE=always cargo test --test suite snapshots`. Then `git diff` shows what has changed.

use std::env::consts::EXE_SUFFIX;
use std::sync::LazyLock;

use insta::{assert_snapshot, with_settings};

use crate::place::Place;

/// The most lines and columns of what `-h` prints.
const SCREEN: (usize, usize) = (40, 100);

/// Compares a text with the snapshot of a name.
fn check(name: &str, text: &str) {
    with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        assert_snapshot!(name, text);
    });
}

/// Returns the command line of arguments, its exit code unless that is 0, and all that it printed.
fn said(place: &Place, args: &[&str]) -> String {
    let output = place.run(args, "");
    let typed = args
        .iter()
        .map(|arg| if arg.contains(' ') { format!("'{arg}'") } else { (*arg).to_owned() });
    let typed = typed.collect::<Vec<_>>().join(" ");
    let code = match output.status.code() {
        Some(0) => String::new(),
        code => format!(" # exit code {}", code.expect("no signal ends it")),
    };
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).expect("it is text");
    format!(
        "$ tengen {typed}{code}\n{}\n",
        printed.replace(&format!("tengen{EXE_SUFFIX}"), "tengen")
    )
}

/// Returns a text with `#` for every number, whatever its width, and all times in seconds.
fn without_numbers(text: &str) -> String {
    let mut masked = text.replace(|c: char| c.is_ascii_digit(), "#");
    for (several, one) in [("##", "#"), ("#.#", "#"), ("#,#", "#"), ("  ", " "), (" ms", " s")] {
        while masked.contains(several) {
            masked = masked.replace(several, one);
        }
    }
    masked
}

/// The words of a command, with its short and its whole help.
type CommandHelp = (Vec<String>, [String; 2]);

/// Adds the help of a command, and of those below it.
fn add_helps(place: &Place, command: Vec<String>, helps: &mut Vec<CommandHelp>) {
    let both = ["-h", "--help"].map(|option| {
        let words: Vec<&str> = command.iter().map(String::as_str).chain([option]).collect();
        said(place, &words)
    });
    let sections = ["Commands:", "Journals:"];
    let lines = both[0].lines().skip_while(|line| !sections.contains(line)).skip(1);
    let names = lines.take_while(|line| line.starts_with("  ")).filter_map(|line| {
        let is_name = !line.starts_with("   ");
        line.split_whitespace().next().filter(|name| is_name && *name != "help")
    });
    let below = names.map(|name| [&command[..], &[name.to_owned()]].concat());
    let below: Vec<Vec<String>> = below.collect();
    helps.push((command, both));
    below.into_iter().for_each(|command| add_helps(place, command, helps));
}

/// The help of every command, the tool itself first.
static HELPS: LazyLock<Vec<CommandHelp>> = LazyLock::new(|| {
    let mut helps = Vec::new();
    add_helps(&Place::new("help"), Vec::new(), &mut helps);
    assert!(helps.len() > 30, "{} commands", helps.len());
    helps
});

#[test]
fn help_of_every_command() {
    let mut pages: Vec<(String, String)> = Vec::new();
    for (command, both) in &*HELPS {
        let name = command.first().map_or("tengen", String::as_str);
        let text = both.concat();
        match pages.iter_mut().find(|(known, _)| known == name) {
            Some((_, page)) => *page += &text,
            None => pages.push((name.to_owned(), text)),
        }
    }
    for (name, page) in pages {
        // Without the features there are no rooms, no command for the web, and no browser for a review.
        let whole = [
            ("analyse", cfg!(feature = "web")),
            ("play", cfg!(feature = "lan")),
            ("tengen", cfg!(feature = "web")),
        ];
        if whole.contains(&(name.as_str(), false)) {
            continue;
        }
        check(&format!("help_{name}"), &page);
    }
}

#[test]
fn short_help_fits_on_a_screen() {
    for (command, [short, _]) in &*HELPS {
        let (lines, columns) = SCREEN;
        assert!(short.lines().count() <= lines, "{} lines: {command:?}", short.lines().count());
        let widest = short.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(widest.chars().count() <= columns, "{command:?}: {widest}");
    }
}

#[test]
fn errors_of_the_command_line() {
    let place = Place::new("usage");
    let cases: [&[&str]; 24] = [
        &["conformence"],
        &["mach"],
        &["--versoin"],
        &["--weigths", "x"],
        &["--coordinates", "zz"],
        &["--param", "x"],
        &["--level", "11"],
        &["solve"],
        &["solve", "--moves", "h8", "--rule", "3"],
        &["solve", "--moves", "h8", "--origin", "left"],
        &["solve", "--moves", "h8", "--time", "soon"],
        &["show", "--size", "4", "x.psq"],
        &["show"],
        &["conformance"],
        &["conformance", "--engine", "x", "--slack", "0"],
        &["conformance", "--engine", "x", "--jobs", "0"],
        &["conformance", "--engine", "x", "--force-utf8"],
        &["bench", "--param", "x=1"],
        &["bench", "--param", "aspiration=3"],
        &["play", "--theme", "red"],
        &["match"],
        &["match", "--engine", "cmd=x", "--engine", "cmd=y"],
        &["match", "-engine", "cmd=x", "-drawafter", "9", "-games", "2"],
        &["match", "--engine", "cmd=x", "treads=2"],
    ];
    let mut text = String::new();
    for args in cases {
        let output = place.run(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        text += &said(&place, args);
    }
    check("usage_errors", &text);
}

#[test]
fn reports() {
    let place = Place::new("reports");
    place.write("game.pos", "h8i7h9i8h10i9h11i10h7\n");
    let cases: [(&str, &str); 5] = [
        ("match", "match --engine builtin=greedy --engine builtin=shapes depth=1 --quiet"),
        ("analyse", "analyse game.pos --nodes 300 --threads 1 --quiet --ascii"),
        ("solve", "solve --moves h8a1i8a3j8a5 --quiet"),
        ("show", "show game.pos --after 5"),
        ("bench", "bench --depth 2 --rule freestyle"),
    ];
    for (name, line) in cases {
        let text = without_numbers(&said(&place, &line.split(' ').collect::<Vec<_>>()));
        // What follows in the report of a match is about the clock.
        let text = text.split_once("Thinking").map_or(&text[..], |(before, _)| before);
        check(&format!("report_{name}"), text);
    }
}

#[test]
fn numbers_are_masked_whole() {
    assert_eq!(without_numbers("12 of   1,234 in 1.5 ms, 7."), "# of # in # s, #.");
}
