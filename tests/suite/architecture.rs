//! Allowed dependencies between the modules of a package.
//!
//! Which package may use which is for Cargo to say. Inside a package the top-level modules form levels,
//! and a module may name only modules of lower levels. These tests read the sources; comments and
//! literals don't count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::sources::Package::{self, Core, Engine, Files, Lab, People, Python, Tool, Web};
use crate::sources::{Source, product, repository, sources, sources_of};

/// The top-level modules of every package with their levels. A new module needs a line.
const LEVELS: [(Package, &[(&str, u32)]); 8] = [
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
            ("places", 0),
            ("printable", 0),
            ("words", 0),
            ("packed", 0),
            ("page", 0),
            ("resume", 0),
            ("work", 0),
            ("records", 1),
            ("certificates", 2),
            ("told", 2),
        ],
    ),
    (
        Engine,
        &[
            ("database", 0),
            ("machine", 0),
            ("engine", 1),
            ("protocol", 2),
            ("kit", 3),
            ("options", 3),
        ],
    ),
    (
        Lab,
        &[
            ("stats", 0),
            ("process", 0),
            ("bench", 0),
            ("growth", 0),
            ("openings", 1),
            ("conformance", 1),
            ("arena", 1),
            ("tuning", 2),
        ],
    ),
    (People, &[("code", 0), ("explain", 0), ("review", 1), ("play", 2), ("study", 2), ("room", 3)]),
    (Web, &[("access", 0), ("folder", 0), ("live", 0), ("page", 0), ("engines", 1), ("server", 2)]),
    (Python, &[("border", 0), ("game", 1), ("records", 2), ("search", 2), ("solving", 2)]),
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
            ("web", 2),
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
        words: &["TcpListener", "TcpStream", "UdpSocket", "mdns_sd", "hyper", "tokio"],
        followed_by: None,
        places: &["people/src/room/", "web/src/"],
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

impl Source {
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
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for source in product(sources) {
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
        let names = lines.filter_map(|line| line.strip_prefix("tengen-")?.split_once(['.', ' ']));
        names.map(|(name, _)| name.to_owned()).collect()
    };
    assert_eq!(depends(Core), [""; 0]);
    assert_eq!(depends(Files), ["core"]);
    assert_eq!(depends(Engine), ["core", "files"]);
    assert_eq!(depends(Lab), ["core", "engine", "files"]);
    assert_eq!(depends(People), ["core", "engine", "files"]);
    assert_eq!(depends(Python), ["core", "engine", "files"]);
    assert_eq!(depends(Web), ["core", "engine", "files", "lab", "people"]);
    assert_eq!(depends(Tool), ["core", "engine", "files", "lab", "people", "web"]);
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
