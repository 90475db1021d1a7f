//! Packs the page, which the program carries: every file that a browser may ask for, compressed, with its kind.
//!
//! `TENGEN_WASM` names the engine in WebAssembly, which `scripts/make/web` makes, and `TENGEN_WASM_THREADS` the one with
//! threads. Without the former the page has only the engines of the server.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::{Compression, GzBuilder};

/// The kinds of files that belong to the page, by the ends of their names.
const KINDS: [(&str, &str); 6] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("webmanifest", "application/manifest+json"),
];

/// The variables that name engines, and the names of these in the page.
const ENGINES: [(&str, &str); 2] =
    [("TENGEN_WASM", "tengen.wasm"), ("TENGEN_WASM_THREADS", "tengen-threads.wasm")];

fn main() -> io::Result<()> {
    let mut found = Vec::new();
    collect(Path::new("page"), "", &mut found)?;
    for (variable, name) in ENGINES {
        println!("cargo::rerun-if-env-changed={variable}");
        let engine = env::var_os(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
        found.extend(engine.map(|path| (name.to_owned(), "application/wasm", path)));
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
        if name.starts_with('.') {
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
