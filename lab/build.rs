//! Packs the transcripts of `protocol-tests`, which the program carries.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::write::DeflateEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = Path::new("../protocol-tests");
    println!("cargo::rerun-if-changed={}", dir.display());
    let entries = fs::read_dir(dir)?.collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for path in paths {
        let name = path.file_name().unwrap_or_default().display();
        write!(packed, "{name}\0{}\0", fs::read_to_string(&path)?)?;
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("transcripts"), packed.finish()?)?;
    Ok(())
}
