//! Packs what the program carries, as `tengen_files::packed` unpacks it: the transcripts of `protocol-tests`, and the
//! page of a match.

use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// The page, its style and its scripts: helpers, the summary, the replay of games.
const REPORT: [&str; 5] = ["page.html", "page.css", "draw.js", "page.js", "replay.js"];

fn main() -> io::Result<()> {
    // A published package holds them itself; where links are texts, that one is none.
    let folders = ["../protocol-tests", "protocol-tests"].map(Path::new);
    let folder =
        folders.into_iter().find(|folder| folder.is_dir()).ok_or(io::ErrorKind::NotFound)?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let names = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".txt")).collect();
    names.sort();
    let mut named = Vec::new();
    for name in names {
        let text = read(&folder.join(&name))?;
        named.extend([name.into_bytes(), text]);
    }
    pack("transcripts", &named)?;
    let report = REPORT.map(|name| read(&Path::new("src/arena/report").join(name)));
    pack("report", &report.into_iter().collect::<Result<Vec<_>, _>>()?)
}

/// Returns the text of a file, and has the build repeated when it changes.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    println!("cargo::rerun-if-changed={}", path.display());
    fs::read(path)
}

/// Writes texts to a file of this name in the directory of the build.
fn pack(name: &str, texts: &[Vec<u8>]) -> io::Result<()> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for text in texts {
        packed.write_all(text)?;
        packed.write_all(&[0])?;
    }
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join(name), packed.finish()?)
}
