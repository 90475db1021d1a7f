//! How large things may be: packages, files, functions, and what is said twice.
//! What is larger today is listed with a ceiling, which may only be lowered.
//!
//! The code is that of the product, in the format of rustfmt; clippy counts the lines of all functions,
//! tests too, with a higher limit.

use std::collections::BTreeMap;

use crate::sources::{self, Package};

/// The lines of code that a package may have, without its tests.
const PACKAGE: usize = 15_000;

/// The packages that are longer, and the lines that they may have.
const LONG_PACKAGES: [(&str, usize); 1] = [("lab/src", 15_300)];

/// The lines of code that a file may have, without its tests.
const FILE: usize = 400;

/// The files that are longer, and the lines that they may have.
const LONG_FILES: [(&str, usize); 3] = [
    // The node of the search is one story.
    ("core/src/search/node.rs", 670),
    ("files/src/records/json.rs", 445),
    ("files/src/records/sgf/read.rs", 480),
];

/// The lines of code that a function may have between its braces.
const FUNCTION: usize = 60;

/// The functions that are longer, and the lines that they may have.
const LONG_FUNCTIONS: [(&str, usize); 8] = [
    ("core/src/search/node.rs search_node", 275),
    ("core/src/search/qsearch.rs qsearch", 95),
    ("engine/src/protocol/database/worker.rs try_run", 100),
    ("files/src/records/json.rs record", 95),
    ("files/src/records/pgn.rs read", 65),
    ("files/src/records/rif.rs game", 65),
    ("src/analyse/position/screen/mod.rs facts", 65),
    ("src/play/table/mod.rs carry_out", 75),
];

/// How many lines of code, one after the other, are a repetition if they are found in another place again.
const REPETITION: usize = 6;

/// The number of repetitions that there may be.
const REPETITIONS: usize = 14;

/// A line of code: its number, from 1, and its text without the blanks at its end.
type Line = (usize, String);

/// Returns the lines of code of a source file in the format of rustfmt: without blank lines, comments and
/// what is compiled for tests only.
fn product_lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut rest = text.lines().enumerate();
    while let Some((i, line)) = rest.next() {
        let code = line.trim();
        if code.starts_with("#[cfg(test)]") || code.starts_with("#[cfg(all(test") {
            // An item ends with a line that is no deeper than its first one and closes something.
            let depth = line.len() - line.trim_start().len();
            let _ = rest.find(|(_, line)| {
                line.get(..depth).is_some_and(|blanks| blanks.trim().is_empty())
                    && !line[depth..].starts_with(char::is_whitespace)
                    && (line.ends_with([';', ',', '}']) || line[depth..].starts_with('}'))
            });
        } else if !code.is_empty() && !code.starts_with("//") {
            lines.push((i + 1, line.trim_end().to_owned()));
        }
    }
    lines
}

/// Returns the lines of code of all files of the product, by path in the repository.
fn product() -> BTreeMap<String, Vec<Line>> {
    let sources = sources::sources();
    let product = sources::product(&sources);
    product.map(|source| (source.place(), product_lines(&source.text))).collect()
}

/// Returns what is larger than allowed: than `limit`, or than the ceiling of an exception. An exception that
/// is none any more is a fault, too.
fn beyond(
    limit: usize,
    exceptions: &[(&str, usize)],
    sizes: &BTreeMap<String, usize>,
) -> Vec<String> {
    let ceiling = |name: &str| {
        let found = exceptions.iter().find(|(other, _)| *other == name);
        found.map_or(limit, |&(_, ceiling)| ceiling)
    };
    let mut faults: Vec<String> = sizes
        .iter()
        .filter(|&(name, &size)| size > ceiling(name))
        .map(|(name, size)| format!("{name:?}: {size} lines, at most {}", ceiling(name)))
        .collect();
    for (name, _) in exceptions {
        if sizes.get(*name).is_none_or(|&size| size <= limit) {
            faults.push(format!("{name:?} is no exception any more: remove it"));
        }
    }
    faults
}

#[test]
fn packages_and_files_keep_to_their_sizes() {
    let product = product();
    let files = product.iter().map(|(path, lines)| (path.clone(), lines.len())).collect();
    let packages = Package::ALL
        .map(Package::folder)
        .map(|package| {
            let of_package = |path: &String| {
                path.strip_prefix(package).is_some_and(|rest| rest.starts_with('/'))
            };
            let lines =
                product.iter().filter(|(path, _)| of_package(path)).map(|(_, lines)| lines.len());
            (package.to_owned(), lines.sum())
        })
        .into();
    let mut faults = beyond(FILE, &LONG_FILES, &files);
    faults.extend(beyond(PACKAGE, &LONG_PACKAGES, &packages));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the name of the function that begins with a line.
fn function_name(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("fn ")?;
    let is_start = before.split_whitespace().all(|word| {
        word.starts_with("pub") || ["const", "async", "unsafe", "extern", "\"C\""].contains(&word)
    });
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (is_start && !name.is_empty()).then_some(name)
}

/// Returns the functions of a file, each with the number of lines between its braces.
fn functions(lines: &[Line]) -> Vec<(&str, usize)> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let mut found = Vec::new();
    for (i, (_, line)) in lines.iter().enumerate() {
        let Some(name) = function_name(line.trim_start()) else { continue };
        let outside = |(_, other): &&Line| depth(other) == depth(line);
        let mut rest = lines[i..].iter();
        // The brace is at the end of the first line, or of a line after the parameters.
        let Some((_, head)) =
            rest.by_ref().filter(outside).find(|(_, head)| head.ends_with(['{', ';', '}']))
        else {
            continue;
        };
        if head.ends_with('{') {
            found.push((name, rest.take_while(|line| !outside(line)).count()));
        }
    }
    found
}

#[test]
fn functions_keep_to_their_size() {
    let mut sizes = BTreeMap::new();
    for (path, lines) in product() {
        for (name, len) in functions(&lines) {
            let size = sizes.entry(format!("{path} {name}")).or_default();
            *size = len.max(*size);
        }
    }
    assert!(sizes.len() > 3_000, "{} functions are found", sizes.len());
    let faults = beyond(FUNCTION, &LONG_FUNCTIONS, &sizes);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the places at which runs of lines begin that are in an earlier place, too; what is longer than a
/// run counts once. Imports and lines that only close something are left out.
fn repetitions(product: &BTreeMap<String, Vec<Line>>) -> Vec<String> {
    let mut seen: BTreeMap<Vec<&str>, (&str, usize)> = BTreeMap::new();
    let mut found = Vec::new();
    for (path, lines) in product {
        let lines: Vec<&Line> = lines
            .iter()
            .filter(|(_, code)| code.contains(char::is_alphanumeric))
            .filter(|(_, code)| !code.trim_start().starts_with("use "))
            .collect();
        let mut counted_to = 0;
        for (i, run) in lines.windows(REPETITION).enumerate() {
            let key: Vec<&str> = run.iter().map(|(_, code)| code.trim_start()).collect();
            let line = run[0].0;
            match seen.get(&key) {
                // A run that overlaps itself is a list.
                Some(&(earlier, at)) if earlier != path || at + REPETITION <= line => {
                    if i >= counted_to {
                        found.push(format!("{path}:{line} is {earlier}:{at}"));
                    }
                    counted_to = i + REPETITION;
                }
                Some(_) => {}
                None => {
                    seen.insert(key, (path, line));
                }
            }
        }
    }
    found
}

#[test]
fn little_is_said_twice() {
    let found = repetitions(&product());
    assert!(
        found.len() <= REPETITIONS,
        "{} repetitions, at most {REPETITIONS}:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn lines_of_tests_and_comments_are_not_counted() {
    let text = "//! A.\n\nuse b;\n#[cfg(test)]\nuse c;\n/// D.\nfn e() {\n    f(); // g\n    // h\n}\n\n\
                #[cfg(test)]\nmod tests {\n    fn i() {\n    }\n}\n#[cfg(test)]\nmod j;\nfn k() {}\n";
    let numbers: Vec<usize> = product_lines(text).into_iter().map(|(number, _)| number).collect();
    assert_eq!(numbers, [3, 7, 8, 10, 19]);
    let function = |text: &str| {
        functions(&product_lines(text)).iter().map(|&(_, len)| len).collect::<Vec<_>>()
    };
    assert_eq!(
        function("fn a() {\n    b();\n\n    // c\n    if d {\n        e();\n    }\n}\n"),
        [4]
    );
    assert_eq!(
        function("    pub(crate) const fn a(\n        b: u8,\n    ) -> u8 {\n        b\n    }\n"),
        [1]
    );
    assert_eq!(
        function("trait A {\n    fn b(&self);\n    fn c(&self) {}\n}\nfn d() {\n    e()\n}\n"),
        [1]
    );
    assert_eq!(function("fn a<T>()\nwhere\n    T: B,\n{\n    let fn_name = c();\n}\n"), [1]);
}

#[test]
fn what_is_too_large_and_what_is_no_exception_are_found() {
    let sizes = [("a", 5), ("b", 7), ("c", 9)].map(|(name, size)| (name.to_owned(), size)).into();
    assert_eq!(beyond(9, &[], &sizes), [""; 0]);
    assert_eq!(beyond(8, &[], &sizes).len(), 1);
    assert_eq!(beyond(8, &[("c", 9)], &sizes), [""; 0]);
    assert_eq!(beyond(6, &[("c", 8), ("b", 7)], &sizes).len(), 1);
    assert_eq!(beyond(6, &[("c", 9), ("b", 7), ("a", 5), ("d", 9)], &sizes).len(), 2);

    let lines = |text: &str| text.lines().map(str::to_owned).enumerate().collect::<Vec<Line>>();
    let run = "a\nb\nc\nd\ne\nf\ng\n";
    let of = |first: &str, second: &str| {
        let files = [("x".to_owned(), lines(first)), ("y".to_owned(), lines(second))];
        repetitions(&files.into()).len()
    };
    assert_eq!(of(run, run), 1);
    assert_eq!(of(run, "h\nb\nc\nd\ne\nf\n"), 0);
    assert_eq!(of(run, "h\nb\nc\nd\ne\nf\ng"), 1);
    assert_eq!(of(&run.repeat(2), "h"), 1);
    assert_eq!(of("a\na\na\na\na\na\na\na", "h"), 0);
}
