//! The examples of README.md and docs/ show what the programs print, and links lead somewhere.
//!
//! A block of code that begins with `$ ` is run, command by command, in an empty directory for each
//! document, and what the commands print is compared. An HTML comment on the line before the block,
//! which no reader of the document sees, can say more:
//!
//! * `<!-- example: figures vary -->`: all numbers are left out of the comparison. Times, as in `0.8 ms`,
//!   always are.
//! * `<!-- example: not run, WHY -->`: it is not run, as other programs or much time would be needed.
//! * `<!-- example: first`, followed by lines of shell up to `-->`: what has to be there, such as files.
//!
//! A line `…` stands for any lines, and one that ends with `…` for all that begin so.
//!
//! The commands take seconds with the release build, which `scripts/checks/examples` uses, and too
//! long with that of the tests.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::sources::files_below;
use tengen_core::eval::EvaluatorKind;

/// The comparison of an example's output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Exact,
    /// Without numbers.
    Words,
    /// It is not run.
    None,
}

/// A block with commands and what they print.
#[derive(PartialEq, Eq, Debug)]
struct Example {
    /// The line of the document at which the block begins, from 1.
    line: usize,
    comparison: Comparison,
    /// Shell commands to be run before it.
    first: String,
    steps: Vec<Step>,
}

/// A command and the lines that it prints.
#[derive(PartialEq, Eq, Debug)]
struct Step {
    command: String,
    output: Vec<String>,
}

/// Returns the steps of a block, or nothing if it shows no commands.
fn steps(block: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut continues = false;
    for line in block {
        if continues {
            let step = steps.last_mut().expect("a line before");
            let _ = write!(step.command, "\n{line}");
        } else if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), output: Vec::new() });
        } else if let Some(step) = steps.last_mut() {
            step.output.push((*line).to_owned());
            continue;
        } else {
            return steps;
        }
        continues = line.ends_with('\\');
    }
    steps
}

/// Returns the examples of a document.
fn examples(text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let (mut comparison, mut first) = (Comparison::Exact, String::new());
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if let Some(note) = line.strip_prefix("<!-- example: ") {
            match note.trim_end_matches(" -->") {
                "figures vary" => comparison = Comparison::Words,
                "first" => {
                    let setup =
                        lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "-->");
                    first.extend(setup.map(|line| format!("{line}\n")));
                }
                note if note.starts_with("not run, ") => comparison = Comparison::None,
                note => panic!("line {number}: what is {note:?}?"),
            }
        } else if line.starts_with("```") {
            let block: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
            let steps = steps(&block);
            if !steps.is_empty() {
                let first = std::mem::take(&mut first);
                examples.push(Example { line: number, comparison, first, steps });
            }
            comparison = Comparison::Exact;
        } else {
            assert!(
                line.is_empty() || (comparison == Comparison::Exact && first.is_empty()),
                "line {number}: no example follows what was said about one"
            );
        }
    }
    examples
}

/// Returns a line with `#` for each number, or for those alone that are times.
fn masked(line: &str, comparison: Comparison) -> String {
    let all = comparison == Comparison::Words;
    let mut words: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let is_number = |word: &str| {
            let mut chars = word.chars();
            chars.next().is_some_and(|c| c.is_ascii_digit()) && !word.contains(char::is_alphabetic)
        };
        let bare = word.trim_end_matches([',', ';', '.', ')']);
        if matches!(bare, "ms" | "s") && words.last().is_some_and(|word| is_number(word)) {
            *words.last_mut().expect("a number") = "#".to_owned();
            // On a busy machine it may be seconds.
            words.push(word.replacen("ms", "s", 1));
        } else {
            words.push(word.to_owned());
        }
    }
    let mut text = words.join(" ");
    if all {
        let mut digits = String::new();
        for c in text.chars() {
            match c {
                '0'..='9' | '.' | '+' | '-' if digits.ends_with('#') => {}
                '0'..='9' => {
                    // A wider number takes the place of blanks.
                    digits.truncate(digits.trim_end_matches([' ', '-', '+']).len());
                    digits.push_str(" #");
                }
                ' ' if digits.ends_with(' ') => {}
                c => digits.push(c),
            }
        }
        text = digits;
    }
    // JSON and the lines of a conversation have times without a unit.
    for key in ["\"seconds\":", "per_second\":", "_seconds\":{"] {
        if let Some((head, tail)) = text.split_once(key) {
            let rest = tail.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            text = format!("{head}{key}#{rest}");
        }
    }
    if let Some((time, said)) = text.trim_start().split_once(' ')
        && time.len() == 5
        && time.parse::<f64>().is_ok()
        && said.starts_with(['<', '>'])
    {
        text = format!("# {said}");
    }
    text
}

/// Returns whether lines are those that are expected.
fn matches(expected: &[String], found: &[String], comparison: Comparison) -> bool {
    let Some((line, rest)) = expected.split_first() else { return found.is_empty() };
    if line == "…" {
        return (0..=found.len()).any(|skip| matches(rest, &found[skip..], comparison));
    }
    let Some((one, others)) = found.split_first() else { return false };
    let (line, one) = (masked(line, comparison), masked(one, comparison));
    let is_same = match line.strip_suffix('…') {
        Some(head) => one.starts_with(head),
        None => line == one,
    };
    is_same && matches(rest, others, comparison)
}

/// Runs the examples of a document, and returns what is wrong with them.
fn faults_of(document: &Path, programs: &Path) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = document.strip_prefix(root).expect("a document of this repository").display();
    let dir = tempfile::TempDir::with_prefix("tengen-examples-").expect("the directory is made");
    let bin = dir.path().join("bin");
    fs::create_dir_all(dir.path().join("target")).expect("a directory");
    fs::create_dir(&bin).expect("a directory");
    let link = |to: &Path, from: &Path| std::os::unix::fs::symlink(to, from).expect("a link");
    link(programs, &dir.path().join("target/release"));
    for shared in ["tests", "protocol-tests"] {
        link(&root.join(shared), &dir.path().join(shared));
    }
    for program in ["tengen", "pbrain-tengen"] {
        link(&programs.join(program), &bin.join(program));
    }
    // `cargo run` of a reader who has built the program.
    let cargo =
        "#!/bin/sh\nwhile [ $# -gt 0 ] && [ \"$1\" != -- ]; do shift; done\nexec tengen \"$@\"\n";
    fs::write(bin.join("cargo"), cargo).expect("a script");
    let set = fs::metadata(bin.join("cargo")).map(|metadata| {
        let mut permissions = metadata.permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
        fs::set_permissions(bin.join("cargo"), permissions)
    });
    set.expect("the script").expect("it can be run");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let run = |command: &str| {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(dir.path())
            .env("PATH", &path)
            .env("COLUMNS", "100")
            .output();
        String::from_utf8_lossy(&output.expect("sh starts").stdout).into_owned()
    };
    let mut faults = Vec::new();
    for example in examples(&fs::read_to_string(document).expect("a document")) {
        if !example.first.is_empty() {
            let said = run(&example.first);
            assert!(said.is_empty(), "{name}:{}: {said}", example.line);
        }
        if example.comparison == Comparison::None {
            continue;
        }
        for Step { command, output } in &example.steps {
            let said = run(command);
            let found: Vec<String> = said.lines().map(str::to_owned).collect();
            if !matches(output, &found, example.comparison) {
                let line = example.line;
                let expected = output.join("\n");
                faults.push(format!(
                    "{name}:{line}: $ {command}\nthe document says\n{expected}\nbut it prints\n{said}"
                ));
            }
        }
    }
    faults
}

/// Returns the README and all documents below `docs`, but not their pictures.
fn documents(root: &Path) -> Vec<PathBuf> {
    let mut documents = files_below(&root.join("docs"));
    documents.retain(|path| path.extension().is_some_and(|end| end == "md"));
    documents.push(root.join("README.md"));
    documents.sort();
    documents
}

/// Returns the targets of the links of a document, without those on the web and those in code or comments.
fn links(text: &str) -> Vec<&str> {
    let mut end = None;
    let prose = text.lines().filter(|line| {
        match end {
            Some(last) if *line == last => end = None,
            Some(_) => {}
            None if line.starts_with("```") => end = Some("```"),
            None if line.starts_with("<!-- ") && !line.ends_with("-->") => end = Some("-->"),
            None => return true,
        }
        false
    });
    let targets = prose.flat_map(|line| line.split("](").skip(1));
    let targets = targets.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://")).collect()
}

/// Returns the anchor of a heading, as forges make it.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().to_lowercase().replace(' ', "-");
    letters.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

/// Returns the number of words of a file, those of tables and examples included.
fn words(path: &Path) -> usize {
    fs::read_to_string(path).expect("text").split_whitespace().count()
}

/// The words that the guide may have: 12,000, and 450 on the board in the browser.
const GUIDE: usize = 12_450;
/// The words that DESIGN.md may have: 4,500, and 150 on the web.
const DESIGN: usize = 4_650;

#[test]
fn the_guide_and_the_design_are_short_enough_to_be_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = root.join("docs/guide");
    let pages = documents(root).into_iter().filter(|page| page.starts_with(&guide));
    let total: usize = pages.map(|page| words(&page)).sum();
    assert!((1..=GUIDE).contains(&total), "the guide has {total} words");
    let design = words(&root.join("DESIGN.md"));
    assert!(design <= DESIGN, "DESIGN.md has {design} words");
}

#[test]
fn the_documents_name_every_evaluator() {
    for page in ["docs/guide/match.md", "docs/reference/protocol.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        let text = fs::read_to_string(path).expect("text");
        for kind in EvaluatorKind::ALL {
            assert!(text.contains(&format!("`{kind}`")), "{page} does not name {kind}");
        }
    }
}

#[test]
fn links_of_the_documents_lead_to_files_and_headings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = documents(root);
    let others = [
        "DESIGN.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "scripts/README.md",
        "scripts/train/README.md",
    ];
    all.extend(others.map(|name| root.join(name)));
    let parts = ["core", "engine", "files", "lab", "people", "protocol-tests", "python", "web"];
    all.extend(parts.map(|part| root.join(part).join("README.md")));
    let mut faults = Vec::new();
    for document in &all {
        let text = fs::read_to_string(document).expect("text");
        for link in links(&text) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => document.clone(),
                path => document.parent().expect("a folder").join(path),
            };
            let there = if heading.is_empty() {
                target.exists()
            } else {
                let text = fs::read_to_string(&target).unwrap_or_default();
                let headings = text.lines().filter(|line| line.starts_with('#'));
                headings.map(|line| anchor(line.trim_start_matches('#'))).any(|a| a == heading)
            };
            if !there {
                faults.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The variable `TENGEN_PROGRAMS` names the directory of the programs.
#[test]
#[ignore = "takes long except with the release build"]
fn the_documents_show_what_the_programs_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = std::env::var_os("TENGEN_PROGRAMS")
        .map_or_else(|| root.join("target/release"), PathBuf::from);
    let programs = fs::canonicalize(&programs).expect("the directory of the programs");
    let documents = documents(root);
    let faults: Vec<String> =
        documents.iter().flat_map(|document| faults_of(document, &programs)).collect();
    assert!(faults.is_empty(), "{} examples:\n\n{}", faults.len(), faults.join("\n\n"));
}

#[test]
fn all_examples_can_be_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("README.md")).expect("README.md");
    assert!(examples(&text).len() > 1, "README.md has examples");
    for document in documents(root) {
        examples(&fs::read_to_string(document).expect("text"));
    }
}

#[test]
fn comments_say_how_the_block_behind_them_is_compared() {
    let text = "\n```\ntext\n```\n<!-- example: first\necho x > x\n-->\n```\n$ cat x \\\n    y\nx\n$ z\n```\n\
                <!-- example: not run, it is long -->\n```\n$ sleep 9\n```\n";
    let step = |command: &str, output: &[&str]| Step {
        command: command.to_owned(),
        output: output.iter().map(|&line| line.to_owned()).collect(),
    };
    let expected = [
        Example {
            line: 8,
            comparison: Comparison::Exact,
            first: "echo x > x\n".to_owned(),
            steps: vec![step("cat x \\\n    y", &["x"]), step("z", &[])],
        },
        Example {
            line: 15,
            comparison: Comparison::None,
            first: String::new(),
            steps: vec![step("sleep 9", &[])],
        },
    ];
    assert_eq!(examples(text), expected);
}

#[test]
fn times_and_what_is_left_out_do_not_matter() {
    let is_same = |expected: &str, found: &str, comparison| {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
        matches(&lines(expected), &lines(found), comparison)
    };
    let exact = |expected, found| is_same(expected, found, Comparison::Exact);
    assert!(exact("5 nodes in 0.3 ms; x", "5 nodes in 12.0 ms; x"));
    assert!(!exact("5 nodes in 0.3 ms", "6 nodes in 0.3 ms"));
    assert!(exact("a\n…\nz", "a\nb\nc\nz") && exact("a\n…", "a") && !exact("a\n…\nz", "a\nb"));
    assert!(exact("{\"x\":1,…", "{\"x\":1,\"y\":2}") && !exact("{\"x\":1,…", "{\"x\":2}"));
    assert!(exact("\"seconds\":0.026,\"p\":1", "\"seconds\":1,\"p\":1"));
    assert!(exact("   0.001 > BEGIN", "   0.250 > BEGIN"));
    assert!(!exact("a", "a\nb") && !exact("a\nb", "a"));
    let words = |expected, found| is_same(expected, found, Comparison::Words);
    assert!(words("renju   678000   -4.5", "renju  1678000   12") && !words("renju 6", "caro 6"));
}
