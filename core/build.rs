//! Packs the built-in networks in less space than their files take: the numbers of a channel stand together, each as its
//! difference from what the two before it let expect.

use std::error::Error;
use std::io::{Read, Write};
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

/// The magic bytes of the forms of a file, and the channels in each row of its table.
const FORMS: [(&[u8], usize); 2] = [(b"tengnet7", 64), (b"tengnet8", 32)];
/// The bytes before the table of lines, and its rows.
const TABLE: (usize, usize) = (36, 7_381);

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    for rule in ["freestyle", "standard", "renju", "caro", "caro-exact"] {
        let name = format!("{rule}.net");
        let path = Path::new("src/eval/network/shipped").join(&name);
        println!("cargo::rerun-if-changed={}", path.display());
        let bytes = fs::read(path)?;
        let form = FORMS.into_iter().find(|(magic, _)| bytes.starts_with(magic));
        let (magic, channels) = form.ok_or_else(|| format!("{name} is in another format"))?;
        let mut decoder = ZlibDecoder::new(&bytes[magic.len()..]);
        let mut payload = Vec::new();
        decoder.read_to_end(&mut payload)?;
        let (begin, rows) = TABLE;
        let table = &mut payload[begin..][..rows * channels];
        table.copy_from_slice(&differences(table, channels));
        let mut encoder = ZlibEncoder::new(magic.to_vec(), Compression::best());
        encoder.write_all(&payload)?;
        let packed = [encoder.finish()?, decoder.into_inner().to_vec()].concat();
        fs::write(Path::new(&out).join(name), packed)?;
    }
    Ok(())
}

/// Returns the differences; `Parameters::from_packed` has the inverse.
fn differences(table: &[u8], channels: usize) -> Vec<u8> {
    let mut differences = Vec::with_capacity(table.len());
    for channel in 0..channels {
        let mut before = [0_i8; 2];
        for row in table.chunks(channels) {
            let [a, b] = before.map(i16::from);
            differences.push(row[channel].wrapping_sub(((a + b) >> 1) as u8));
            before = [b as i8, row[channel] as i8];
        }
    }
    differences
}
