//! Packs the page, which the program carries: every file that a browser may ask for, compressed, with its kind.
//!
//! `TENGEN_WASM` names the engine in WebAssembly, `TENGEN_WASM_THREADS` the one with threads: `scripts/make/web`
//! makes them. Without them the page has only the engines of the server.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::{Compression, GzBuilder};

/// The kinds of files that belong to the page, by the ends of their names.
const KINDS: [(&str, &str); 10] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("webmanifest", "application/manifest+json"),
    ("woff2", "font/woff2"),
];
/// Files that only tools for developers read.
const OTHERS: [&str; 4] = ["jsconfig.json", "package-lock.json", "package.json", "tsconfig.json"];
/// The engines for browsers: their names in the page, and the variables that say where they are.
const ENGINES: [(&str, &str); 2] =
    [("tengen.wasm", "TENGEN_WASM"), ("tengen-threads.wasm", "TENGEN_WASM_THREADS")];

fn main() -> io::Result<()> {
    let mut found = Vec::new();
    collect(Path::new("page"), "", &mut found)?;
    for (name, variable) in ENGINES {
        println!("cargo::rerun-if-env-changed={variable}");
        let path = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
        found.extend(path.map(|path| (name.to_owned(), "application/wasm", path)));
    }
    found.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let mut list = "[\n".to_owned();
    for (number, (name, kind, path)) in found.iter().enumerate() {
        println!("cargo::rerun-if-changed={}", path.display());
        let content = fs::read(path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        let packed = out.join(format!("{number}.gz"));
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
        encoder.write_all(&content)?;
        fs::write(&packed, encoder.finish()?)?;
        let packed = packed.display().to_string();
        let _ = writeln!(list, "    ({name:?}, {kind:?}, include_bytes!({packed:?}).as_slice()),");
    }
    list.push(']');
    fs::write(out.join("page.rs"), list)
}

/// Adds the files of a folder and of those in it: their names in the page, kinds and places.
fn collect(
    folder: &Path,
    prefix: &str,
    found: &mut Vec<(String, &'static str, PathBuf)>,
) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if name.starts_with('.') || name.ends_with(".test.js") || OTHERS.contains(&name) {
            continue;
        }
        let place = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{place}/"), found)?;
        } else if let Some((_, kind)) =
            name.rsplit_once('.').and_then(|(_, end)| KINDS.iter().find(|(known, _)| *known == end))
        {
            found.push((place, kind, path));
        }
    }
    Ok(())
}
