//! For build scripts: packs texts that programs carry, which `tengen_files::packed` unpacks.

use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

/// Writes texts to a file of this name in the directory of the build.
pub(super) fn pack(name: &str, texts: &[String]) -> io::Result<()> {
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for text in texts {
        packed.write_all(text.as_bytes())?;
        packed.write_all(&[0])?;
    }
    let dir = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&dir).join(name), packed.finish()?)
}

/// Returns the texts of files, and has the build repeated when they change.
pub(super) fn read(dir: &str, files: &[&str]) -> io::Result<Vec<String>> {
    let paths = files.iter().map(|file| Path::new(dir).join(file));
    paths
        .map(|path| {
            println!("cargo::rerun-if-changed={}", path.display());
            fs::read_to_string(path)
        })
        .collect()
}
