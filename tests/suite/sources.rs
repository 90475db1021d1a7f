//! The sources of all packages, for tests that read them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use self::Package::{Core, Engine, Files, Lab, People, Python, Tool, Web};

/// A package of the workspace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Package {
    Core,
    Files,
    Engine,
    Lab,
    People,
    Python,
    Tool,
    Web,
}

impl Package {
    pub(crate) const ALL: [Package; 8] = [Core, Files, Engine, Lab, People, Python, Tool, Web];

    /// Returns the folder of the sources, in the repository.
    pub(crate) const fn folder(self) -> &'static str {
        match self {
            Core => "core/src",
            Files => "files/src",
            Engine => "engine/src",
            Lab => "lab/src",
            People => "people/src",
            Python => "python/src",
            Tool => "src",
            Web => "web/src",
        }
    }
}

/// One source file of a library or the binaries.
pub(crate) struct Source {
    pub(crate) package: Package,
    /// The path below the folder of the sources, with `/` on every system.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The text as words, `::` and single characters, without comments and literals.
    pub(crate) tokens: Vec<String>,
}

impl Source {
    pub(crate) fn new(package: Package, path: &str, text: &str) -> Source {
        Source { package, path: path.to_owned(), text: text.to_owned(), tokens: tokens(text) }
    }

    /// Returns the path in the repository.
    pub(crate) fn place(&self) -> String {
        format!("{}/{}", self.package.folder(), self.path)
    }

    /// Returns the names of the modules from the crate root down to this file.
    pub(crate) fn module(&self) -> Vec<&str> {
        let path = self.path.trim_end_matches(".rs");
        let mut names: Vec<&str> = path.split('/').collect();
        if names.last() == Some(&"mod") {
            names.pop();
        }
        names
    }

    /// Returns whether the file is not part of a module: a binary, or the root of a library, which names
    /// every module in order to declare it.
    pub(crate) fn is_root(&self) -> bool {
        self.path == "lib.rs" || self.path == "main.rs" || self.path.starts_with("bin/")
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
}

/// Returns the sources that are not only compiled for tests.
pub(crate) fn product(sources: &[Source]) -> impl Iterator<Item = &Source> {
    let tests: BTreeSet<(&str, Vec<&str>)> =
        sources.iter().flat_map(|source| source.test_modules()).collect();
    sources.iter().filter(move |source| {
        let module = source.module();
        let is_of_tests = |n| tests.contains(&(source.package.folder(), module[..n].to_vec()));
        !(1..=module.len()).any(is_of_tests)
    })
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
pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all files below a folder, in the order of their paths.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

pub(crate) fn sources() -> Vec<Source> {
    Package::ALL.into_iter().flat_map(sources_of).collect()
}

pub(crate) fn sources_of(package: Package) -> Vec<Source> {
    let root = repository().join(package.folder());
    let files =
        files_below(&root).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let source = |path: PathBuf| {
        let below = path.strip_prefix(&root).unwrap().iter();
        let below: Vec<_> =
            below.map(|part| part.to_str().expect("file names are ASCII")).collect();
        Source::new(package, &below.join("/"), &fs::read_to_string(&path).unwrap())
    };
    let sources: Vec<Source> = files.map(source).collect();
    assert!(sources.iter().any(|source| source.path == "lib.rs"), "the sources are elsewhere");
    sources
}
