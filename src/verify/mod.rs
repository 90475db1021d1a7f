//! `tengen verify`.

pub(crate) mod args;

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use flate2::bufread::MultiGzDecoder;
use serde::Serialize;

use self::args::VerifyArgs;
use crate::common::files::{named, read_bytes};
use crate::common::progress::Bar;
use crate::common::words;
use crate::common::words::{note_error, printable_path, usual_origin};
use tengen_core::notation::{Moves, Origin};
use tengen_core::prover::{
    CheckError, CheckLimits, Checked, Flaw, usual_most_positions, verify_within,
};
use tengen_core::types::Point;
use tengen_files::certificates::{Proof, read};
use tengen_files::printable::printable_json;
use tengen_files::records::Setting;
use tengen_files::words::counted;

/// The most bytes of a certificate in a gzip file, so that a small file can't fill the memory.
const MOST_UNPACKED: u64 = 256 << 20;

/// A certificate that was read, and the result of the check.
struct CheckedProof {
    proof: Proof,
    /// The edge from which rows count.
    origin: Origin,
    result: Result<Checked, CheckError>,
}

/// The object about a certificate for programs.
#[derive(Serialize, Default)]
struct VerifyObject {
    file: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<(u8, u8)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<Setting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attacker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Checks all certificates, also those after one that is wrong.
pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let mut is_all_proved = true;
    for path in &args.files {
        let judged = judge(path, args);
        is_all_proved &= judged.as_ref().is_ok_and(|judged| judged.result.is_ok());
        let name = printable_path(named(path));
        match (&judged, args.json) {
            (_, true) => writeln!(io::stdout(), "{}", printable_json(&json(path, &judged)?))?,
            (Err(error), false) => note_error(error),
            (Ok(judged), false) if args.files.len() == 1 => {
                let head = words::position(&judged.proof.game, judged.origin);
                writeln!(io::stdout(), "{head}\n{}", judged.sentence())?;
            }
            (Ok(judged), false) => writeln!(io::stdout(), "{name}: {}", judged.sentence())?,
        }
    }
    Ok(if is_all_proved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the bytes of a certificate, of a gzip file those that it holds.
fn unpacked(bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    /// The magic bytes of gzip files.
    const MAGIC: &[u8] = &[0x1f, 0x8b];
    if !bytes.starts_with(MAGIC) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    let decoder = MultiGzDecoder::new(bytes.as_slice());
    decoder.take(MOST_UNPACKED + 1).read_to_end(&mut content).context("a damaged gzip file")?;
    if content.len() as u64 > MOST_UNPACKED {
        bail!("a gzip file that holds more than {} MiB", MOST_UNPACKED >> 20);
    }
    Ok(content)
}

/// Reads a certificate and checks it.
fn judge(path: &Path, args: &VerifyArgs) -> anyhow::Result<CheckedProof> {
    let bytes = unpacked(read_bytes(path)?).with_context(|| named(path).display().to_string())?;
    let proof = read(&bytes).map_err(|error| error.in_file(named(path)))?;
    let bar = Bar::spinner(args.quiet);
    bar.say(format!("checking {}", counted(proof.attack.size() as u64, "node")));
    let positions = match args.positions {
        None => usual_most_positions(&proof.attack, proof.game.board().size()),
        Some(0) => u64::MAX,
        Some(positions) => positions,
    };
    let limits = CheckLimits { positions, stop: None };
    let result = verify_within(&proof.game, &proof.attack, &limits);
    bar.end();
    let origin = args.origin.unwrap_or_else(|| usual_origin(Some(proof.game.rule()), None));
    Ok(CheckedProof { proof, origin, result })
}

impl CheckedProof {
    /// Returns the result as a sentence.
    fn sentence(&self) -> String {
        let Proof { game, attack } = &self.proof;
        match &self.result {
            Ok(Checked { positions }) => format!(
                "proved: {} wins in at most {}; {}, {} checked",
                game.to_move(),
                counted(attack.plies() as u64, "ply"),
                counted(attack.size() as u64, "node"),
                counted(*positions, "position")
            ),
            Err(CheckError::Flaw(flaw)) => {
                let after = words::cells(self.after(flaw), game.board().size(), self.origin);
                format!("not proved: after {after}: {}", flaw.why)
            }
            Err(error) => self.undecided(error),
        }
    }

    /// Returns why a check ended without a verdict.
    fn undecided(&self, error: &CheckError) -> String {
        match error {
            CheckError::TooMany(most) => format!(
                "not decided: the check takes more than {}, too many for {} (--positions)",
                counted(*most, "position"),
                counted(self.proof.attack.size() as u64, "node"),
            ),
            CheckError::Flaw(_) | CheckError::Stopped => error.to_string(),
        }
    }

    /// Returns the moves from the position to a flaw.
    fn after<'a>(&self, flaw: &'a Flaw) -> &'a [Point] {
        flaw.moves.strip_prefix(self.proof.game.moves()).unwrap_or(&flaw.moves)
    }
}

/// Returns the result for programs.
fn json(path: &Path, judged: &anyhow::Result<CheckedProof>) -> serde_json::Result<String> {
    let mut object = VerifyObject { file: path.display().to_string(), ..VerifyObject::default() };
    match judged {
        Err(error) => {
            object.verdict = "unreadable";
            object.why = Some(format!("{error:#}"));
        }
        Ok(judged) => {
            let Proof { game, attack } = &judged.proof;
            let size = game.board().size();
            object.size = Some((size.width(), size.height()));
            object.rule = Some(game.rule().name());
            object.setup = Setting::of_game(game);
            object.moves = Some(Moves(game.moves()).to_string());
            object.attacker = Some(game.to_move().to_string());
            object.nodes = Some(attack.size());
            match &judged.result {
                Ok(checked) => {
                    object.verdict = "proved";
                    object.plies = Some(attack.plies());
                    object.positions = Some(checked.positions);
                }
                Err(CheckError::Flaw(flaw)) => {
                    object.verdict = "flawed";
                    object.after = Some(Moves(judged.after(flaw)).to_string());
                    object.why = Some(flaw.why.to_string());
                }
                Err(error) => {
                    object.verdict = "undecided";
                    object.why = Some(judged.undecided(error));
                }
            }
        }
    }
    serde_json::to_string(&object)
}
