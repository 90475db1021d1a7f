//! Allowed dependencies between the modules of a package.
//!
//! Which package may use which is for Cargo to say. Inside a package the top-level modules form levels,
//! and a module may name only modules of lower levels. These tests read the sources; comments and
//! literals don't count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use self::Package::{Core, Engine, Files, Lab, People, Tool};

/// A package of the workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Package {
    Core,
    Files,
    Engine,
    Lab,
    People,
    Tool,
}

impl Package {
    const ALL: [Package; 6] = [Core, Files, Engine, Lab, People, Tool];

    /// Returns the folder of the sources, in the repository.
    const fn folder(self) -> &'static str {
        match self {
            Core => "core/src",
            Files => "files/src",
            Engine => "engine/src",
            Lab => "lab/src",
            People => "people/src",
            Tool => "src",
        }
    }
}

/// The top-level modules of every package with their levels. A new module needs a line.
const LEVELS: [(Package, &[(&str, u32)]); 6] = [
    (
        Core,
        &[
            ("types", 0),
            ("sys", 0),
            ("rng", 0),
            ("simd", 0),
            ("board", 1),
            ("rules", 2),
            ("notation", 2),
            ("patterns", 3),
            ("position", 4),
            ("threats", 5),
            ("eval", 5),
            ("search", 6),
            ("prover", 6),
        ],
    ),
    (
        Files,
        &[
            ("printable", 0),
            ("words", 0),
            ("packed", 0),
            ("page", 0),
            ("resume", 0),
            ("work", 0),
            ("records", 1),
            ("certificates", 2),
        ],
    ),
    (Engine, &[("database", 0), ("engine", 1), ("protocol", 2), ("options", 3)]),
    (
        Lab,
        &[
            ("stats", 0),
            ("process", 0),
            ("bench", 0),
            ("growth", 0),
            ("openings", 0),
            ("conformance", 1),
            ("arena", 1),
            ("tuning", 1),
        ],
    ),
    (People, &[("explain", 0), ("play", 1), ("review", 1), ("room", 2)]),
    (
        Tool,
        &[
            ("common", 0),
            ("screen", 1),
            ("analyse", 2),
            ("bench", 2),
            ("conformance", 2),
            ("convert", 2),
            ("db", 2),
            ("matches", 2),
            ("openings", 2),
            ("play", 2),
            ("show", 2),
            ("solve", 2),
            ("tune", 2),
            ("verify", 2),
            ("args", 3),
        ],
    ),
];

/// The places that may use a word; a place is the beginning of a path in the repository.
struct Reserved {
    words: &'static [&'static str],
    /// The text after the word where it counts, if any.
    followed_by: Option<&'static str>,
    places: &'static [&'static str],
}

const RESERVED: [Reserved; 9] = [
    // An engine of the protocol must not use a network.
    Reserved {
        words: &["TcpListener", "TcpStream", "UdpSocket", "mdns_sd"],
        followed_by: None,
        places: &["people/src/room/"],
    },
    // Everybody else takes the evaluator that was chosen.
    Reserved {
        words: &["ClassicalEvaluator", "NetworkEvaluator", "ShapeEvaluator", "TupleEvaluator"],
        followed_by: None,
        places: &["core/src/eval/"],
    },
    Reserved { words: &["anyhow", "clap"], followed_by: None, places: &["src/"] },
    Reserved {
        words: &["print", "println", "eprint", "eprintln", "dbg"],
        followed_by: Some("!"),
        places: &["src/"],
    },
    Reserved {
        words: &["stdout"],
        followed_by: Some("("),
        places: &["src/", "engine/src/protocol/stdio.rs"],
    },
    // `words::note` says whatever is said there: it may quote a stranger.
    Reserved {
        words: &["stderr"],
        followed_by: Some("("),
        places: &["src/common/words.rs", "src/common/progress.rs", "engine/src/main.rs"],
    },
    // A stop and a bar look alike in all commands.
    Reserved {
        words: &["signal_hook"],
        followed_by: None,
        places: &["src/common/interrupts.rs", "src/matches/steering.rs"],
    },
    Reserved { words: &["indicatif"], followed_by: None, places: &["src/common/progress.rs"] },
    Reserved {
        words: &["unsafe"],
        followed_by: None,
        places: &["core/src/sys/", "core/src/simd/", "core/src/search/tt"],
    },
];

/// One source file of a library or the binaries.
struct Source {
    package: Package,
    /// The path below the folder of the sources, with `/` on every system.
    path: String,
    tokens: Vec<String>,
}

impl Source {
    fn new(package: Package, path: &str, text: &str) -> Source {
        Source { package, path: path.to_owned(), tokens: tokens(text) }
    }

    /// Returns the path in the repository.
    fn place(&self) -> String {
        format!("{}/{}", self.package.folder(), self.path)
    }

    /// Returns the names of the modules from the crate root down to this file.
    fn module(&self) -> Vec<&str> {
        let path = self.path.trim_end_matches(".rs");
        let mut names: Vec<&str> = path.split('/').collect();
        if names.last() == Some(&"mod") {
            names.pop();
        }
        names
    }

    /// Returns whether the file is not part of a module: a binary, or the root of a library, which names
    /// every module in order to declare it.
    fn is_root(&self) -> bool {
        self.path == "lib.rs" || self.path == "main.rs" || self.path.starts_with("bin/")
    }

    /// Returns the names that the file looks up in the crate root, as in `crate::board`,
    /// `use crate::{board, types::Point}` or as many `super::` as lead there.
    fn root_names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        // The depth of braces at which each open inline module began.
        let mut inline: Vec<usize> = Vec::new();
        let mut depth = 0;
        let token = |i: usize| self.tokens.get(i).map_or("", String::as_str);
        let mut i = 0;
        while i < self.tokens.len() {
            match token(i) {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if inline.last() == Some(&depth) {
                        inline.pop();
                    }
                }
                "mod" if token(i + 2) == "{" => inline.push(depth),
                "crate" if token(i + 1) == "::" => self.collect(i + 2, &mut names),
                "super" => {
                    let mut supers = 1;
                    while token(i + 1) == "::" && token(i + 2) == "super" {
                        supers += 1;
                        i += 2;
                    }
                    if supers == self.module().len() + inline.len() && token(i + 1) == "::" {
                        self.collect(i + 2, &mut names);
                    }
                }
                _ => {}
            }
            i += 1;
        }
        names
    }

    /// Adds the first names of the path or group of paths that begins at token `start`.
    fn collect(&self, start: usize, names: &mut BTreeSet<String>) {
        if self.tokens.get(start).is_none_or(|token| token != "{") {
            names.extend(self.tokens.get(start).cloned());
            return;
        }
        let mut depth = 0;
        let mut at_name = false;
        for token in &self.tokens[start..] {
            match token.as_str() {
                "{" => {
                    depth += 1;
                    at_name = depth == 1;
                }
                "}" => depth -= 1,
                "," => at_name = depth == 1,
                name if at_name => {
                    names.insert(name.to_owned());
                    at_name = false;
                }
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Returns the names of the types that are declared at the level of items.
    fn types(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        let mut depth = 0;
        for (token, name) in self.tokens.iter().zip(&self.tokens[1..]) {
            match token.as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                "struct" | "enum" | "trait" | "type" | "union" if depth == 0 => {
                    names.insert(name.as_str());
                }
                _ => {}
            }
        }
        names
    }

    /// Returns the modules in files of their own that this file declares for tests, each with its package.
    fn test_modules(&self) -> Vec<(&'static str, Vec<&str>)> {
        let mut modules = Vec::new();
        let mut is_for_tests = false;
        for (i, token) in self.tokens.iter().enumerate() {
            match token.as_str() {
                "cfg" => is_for_tests = false,
                "test" => is_for_tests = true,
                "mod" if is_for_tests && self.tokens.get(i + 2).is_some_and(|end| end == ";") => {
                    let parent = if self.is_root() { Vec::new() } else { self.module() };
                    let name = self.tokens[i + 1].as_str();
                    modules.push((self.package.folder(), [parent, vec![name]].concat()));
                    is_for_tests = false;
                }
                ";" | "}" => is_for_tests = false,
                _ => {}
            }
        }
        modules
    }

    /// Returns what the file does that the levels forbid.
    fn level_faults(&self) -> Vec<String> {
        if self.is_root() {
            return Vec::new();
        }
        let (place, own) = (self.place(), self.module()[0]);
        let Some(own_level) = level(self.package, own) else {
            return vec![format!("{place}: the module {own} has no level")];
        };
        let fault = |name: &String| match level(self.package, name) {
            Some(level) if name == own || level < own_level => None,
            Some(level) => Some(format!("{place}: {own} ({own_level}) uses {name} ({level})")),
            None => Some(format!("{place}: crate::{name} is not a module with a level")),
        };
        self.root_names().iter().filter_map(fault).collect()
    }

    /// Returns the words that are reserved for other places.
    fn word_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (i, token) in self.tokens.iter().enumerate() {
            let next = self.tokens.get(i + 1).map(String::as_str);
            // A method of the same name is something else, as `Command::stdout`.
            if i > 0 && self.tokens[i - 1] == "." {
                continue;
            }
            for Reserved { words, followed_by, places } in &RESERVED {
                if words.contains(&token.as_str())
                    && (followed_by.is_none() || *followed_by == next)
                    && !places.iter().any(|place| self.place().starts_with(place))
                {
                    faults.push(format!("{}: {token} belongs to {places:?}", self.place()));
                }
            }
        }
        faults
    }
}

/// Returns the names of types that are declared in several files at the level of items, tests left out.
fn types_named_twice(sources: &[Source]) -> BTreeMap<&str, Vec<String>> {
    let tests: BTreeSet<(&str, Vec<&str>)> =
        sources.iter().flat_map(|source| source.test_modules()).collect();
    let is_of_tests = |source: &Source| {
        let module = source.module();
        (1..=module.len()).any(|n| tests.contains(&(source.package.folder(), module[..n].to_vec())))
    };
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !is_of_tests(source)) {
        for name in source.types() {
            places.entry(name).or_default().push(source.place());
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
}

fn level(package: Package, module: &str) -> Option<u32> {
    let (_, modules) = LEVELS.iter().find(|(other, _)| *other == package)?;
    modules.iter().find(|(name, _)| *name == module).map(|&(_, level)| level)
}

/// Splits Rust text into words, `::` and single characters, without blanks, comments and
/// literals. Only as exact as the tests above need it.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            i = after_block_comment(&chars, i);
        } else if c == '"' {
            i = after_string(&chars, i);
        } else if c == '\'' {
            i = after_quote(&chars, i);
        } else if let Some(end) = after_raw_string(&chars, i) {
            i = end;
        } else if is_word(c) {
            let start = i;
            while is_word(at(i)) {
                i += 1;
            }
            tokens.push(chars[start..i].iter().collect());
        } else if c == ':' && at(i + 1) == ':' {
            tokens.push("::".to_owned());
            i += 2;
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            i += 1;
        }
    }
    tokens
}

fn after_block_comment(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut i = start;
    while i < chars.len() {
        match chars[i..chars.len().min(i + 2)] {
            ['/', '*'] => (depth, i) = (depth + 1, i + 2),
            ['*', '/'] => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
        if depth == 0 {
            break;
        }
    }
    i
}

fn after_string(chars: &[char], start: usize) -> usize {
    let mut i = start + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// Steps over a character literal, or over the apostrophe of a lifetime.
fn after_quote(chars: &[char], start: usize) -> usize {
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    if at(start + 1) == '\\' {
        let mut i = start + 3;
        while i < chars.len() && chars[i] != '\'' {
            i += 1;
        }
        i + 1
    } else if at(start + 2) == '\'' {
        start + 3
    } else {
        start + 1
    }
}

/// Returns the end of a string such as `r"..."`, `r#"..."#` or `br"..."` that begins here.
fn after_raw_string(chars: &[char], start: usize) -> Option<usize> {
    let rest = &chars[start..];
    let prefix = rest.iter().take_while(|c| matches!(c, 'b' | 'c' | 'r')).count();
    if prefix == 0 || prefix > 2 || rest[prefix - 1] != 'r' {
        return None;
    }
    let hashes = rest[prefix..].iter().take_while(|&&c| c == '#').count();
    let open = prefix + hashes;
    if rest.get(open) != Some(&'"') {
        return None;
    }
    let closes = |i: &usize| {
        rest[*i] == '"' && rest[i + 1..].iter().take_while(|&&c| c == '#').count() >= hashes
    };
    let end = (open + 1..rest.len()).find(closes).unwrap_or(rest.len());
    Some(start + end + 1 + hashes)
}

/// Returns the folder of the repository, which is that of the package `tengen`.
fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn sources() -> Vec<Source> {
    Package::ALL.into_iter().flat_map(sources_of).collect()
}

fn sources_of(package: Package) -> Vec<Source> {
    let root = repository().join(package.folder());
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let below: Vec<_> = path
                    .strip_prefix(&root)
                    .unwrap()
                    .iter()
                    .map(|part| part.to_str().expect("file names are ASCII"))
                    .collect();
                let text = fs::read_to_string(&path).unwrap();
                sources.push(Source::new(package, &below.join("/"), &text));
            }
        }
    }
    assert!(sources.iter().any(|source| source.path == "lib.rs"), "the sources are elsewhere");
    sources
}

#[test]
fn modules_use_only_modules_of_lower_levels() {
    let faults: Vec<String> = sources().iter().flat_map(Source::level_faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_module_of_a_folder_is_its_mod_rs() {
    for package in Package::ALL {
        let sources = sources_of(package);
        for source in &sources {
            let Some((folder, _)) = source.path.rsplit_once('/') else { continue };
            let beside = format!("{folder}.rs");
            assert!(sources.iter().all(|other| other.path != beside), "{package:?}: {beside}");
        }
    }
}

#[test]
fn packages_depend_on_one_another_as_they_are_drawn() {
    let depends = |package: Package| -> Vec<String> {
        let manifest = Path::new(package.folder()).parent().unwrap().join("Cargo.toml");
        let manifest = fs::read_to_string(repository().join(manifest)).unwrap();
        let (_, rest) = manifest.split_once("\n[dependencies]\n").unwrap();
        let lines = rest.lines().take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| line.strip_prefix("tengen-")?.split_once('.'));
        names.map(|(name, _)| name.to_owned()).collect()
    };
    assert_eq!(depends(Core), [""; 0]);
    assert_eq!(depends(Files), ["core"]);
    assert_eq!(depends(Engine), ["core", "files"]);
    assert_eq!(depends(Lab), ["core", "engine", "files"]);
    assert_eq!(depends(People), ["core", "engine", "files"]);
    assert_eq!(depends(Tool), ["core", "engine", "files", "lab", "people"]);
}

#[test]
fn reserved_words_stay_in_their_places() {
    let faults: Vec<String> = sources().iter().flat_map(Source::word_faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_two_types_have_one_name() {
    let sources = sources();
    let twice = types_named_twice(&sources);
    assert!(twice.is_empty(), "one name for several types: {twice:#?}");
}

#[test]
fn types_of_one_name_are_found_where_they_are_items() {
    let twice = |files: &[(Package, &str, &str)]| -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|&(package, path, text)| Source::new(package, path, text)).collect();
        types_named_twice(&sources).into_keys().map(str::to_owned).collect()
    };
    let one =
        (Core, "a.rs", "pub struct A<T>(T); #[cfg(unix)] enum B {} #[cfg(not(unix))] enum B {}");
    let inner = "fn f() { struct A; } impl C { type B = u8; } // struct A\nmod tests { enum A {} }";
    assert_eq!(twice(&[one, (Lab, "a.rs", inner)]), [""; 0]);
    assert_eq!(twice(&[one, (Lab, "b.rs", "pub(crate) trait A {} type B = u8;")]), ["A", "B"]);
    let declares = "#[cfg(any(test, feature = \"testing\"))] pub mod made_up; mod real;";
    let files = |file| [one, (Lab, "b/mod.rs", declares), (Lab, file, "struct A;")];
    assert_eq!(twice(&files("b/made_up.rs")), [""; 0]);
    assert_eq!(twice(&files("b/made_up/more.rs")), [""; 0]);
    assert_eq!(twice(&files("b/real.rs")), ["A"]);
}

#[test]
fn names_of_the_crate_root_are_found_however_they_are_spelt() {
    let names = |path: &str, text: &str| -> Vec<String> {
        Source::new(Core, path, text).root_names().into_iter().collect()
    };
    assert_eq!(names("board/mod.rs", "use crate::types::Point;"), ["types"]);
    assert_eq!(
        names("board/mod.rs", "use crate::{a::{b, c}, d, e::f as g, self};"),
        ["a", "d", "e", "self"]
    );
    assert_eq!(
        names("board/mod.rs", "fn f(x: &'a crate::eval::E) { $crate::x!() }"),
        ["eval", "x"]
    );
    assert_eq!(names("board/mod.rs", "pub(crate) fn f() { b::crate_name() }"), [""; 0]);
    assert_eq!(
        names(
            "board/mod.rs",
            "// crate::a\n/* crate::b /* */ crate::c */ \"crate::d\" '\"' r#\"crate::e\"#"
        ),
        [""; 0]
    );
    assert_eq!(names("board/mod.rs", "'\\'' crate::a '\\u{7f}' \"\\\"\" crate::b"), ["a", "b"]);
    // `super` leads to the root from a top-level module, but not from deeper ones.
    assert_eq!(names("board/mod.rs", "use super::eval;"), ["eval"]);
    assert_eq!(names("rng.rs", "use super::{eval, types};"), ["eval", "types"]);
    assert_eq!(names("board/lines.rs", "use super::Board; use super::super::eval;"), ["eval"]);
    assert_eq!(
        names("rng.rs", "mod tests { use super::f; use super::super::eval; } use super::rules;"),
        ["eval", "rules"]
    );
}

#[test]
fn faults_of_every_kind_are_found() {
    let faults_in =
        |package, path: &str, text: &str| Source::new(package, path, text).level_faults().len();
    let level_faults = |path: &str, text: &str| faults_in(Core, path, text);
    assert_eq!(level_faults("rules/five.rs", "use crate::{board::Board, types::Point};"), 0);
    assert_eq!(level_faults("rules/five.rs", "use crate::rules::Rule;"), 0);
    assert_eq!(level_faults("rules/five.rs", "use crate::notation::Xy;"), 1);
    assert_eq!(level_faults("rules/five.rs", "use crate::{eval, patterns};"), 2);
    assert_eq!(level_faults("rules/five.rs", "use crate::*;"), 1);
    assert_eq!(level_faults("rules/five.rs", "use crate::novelty;"), 1);
    assert_eq!(level_faults("novelty.rs", ""), 1);
    // A module of another package.
    assert_eq!(level_faults("search/pool.rs", "use crate::resume;"), 1);
    assert_eq!(level_faults("engine/mod.rs", ""), 1);
    assert_eq!(faults_in(Engine, "protocol/mod.rs", "use crate::{database, engine};"), 0);
    assert_eq!(faults_in(Engine, "database/mod.rs", "use crate::engine;"), 1);

    let word_faults =
        |package, path: &str, text: &str| Source::new(package, path, text).word_faults().len();
    assert_eq!(word_faults(Core, "rules/five.rs", "use anyhow::Result; use clap;"), 2);
    assert_eq!(word_faults(Tool, "main.rs", "use anyhow::Result;"), 0);
    assert_eq!(word_faults(Tool, "show/mod.rs", "io::stdout(); io::stderr();"), 1);
    assert_eq!(word_faults(Core, "search/root.rs", "println!(); eprintln!(); io::stdout();"), 3);
    let spoken = "io::stdout(); std::io::stdout().lock()";
    assert_eq!(word_faults(Engine, "protocol/stdio.rs", spoken), 0);
    assert_eq!(word_faults(Lab, "protocol/stdio.rs", spoken), 2);
    assert_eq!(word_faults(Engine, "protocol/session.rs", "fn f(stdout: u8) { print(stdout) }"), 0);
    assert_eq!(word_faults(Lab, "process/mod.rs", "command.stdout(Stdio::piped())"), 0);
    assert_eq!(word_faults(Core, "search/tt/table.rs", "unsafe { }"), 0);
    assert_eq!(
        word_faults(Core, "search/node.rs", "unsafe { } // unsafe\n#![deny(unsafe_code)]"),
        1
    );
}
