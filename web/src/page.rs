//! The files of the page, which the program carries.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};

use tengen_core::sys::files::replace_file;
use tengen_files::page::shared_files;

/// The files that the build script has packed: name, kind, and what it holds, compressed.
static PACKED: &[(&str, &str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The engine in WebAssembly, without which the page needs a server.
const WASM: &str = "tengen.wasm";
/// The media type of that, and of the one with threads.
const ENGINE: &str = "application/wasm";
/// What names all files but itself and the service worker, which keeps them; engines come to it here.
const LIST: &str = "files.json";
/// What a page asks for first, and what it hears where there is no server of ours.
const NO_SERVER: (&str, &str) = ("api/info", "{\"engines\":[]}\n");

/// The folder of what the page has in common with reports and reviews.
const SHARED: &str = "shared/";
/// The media types of that.
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page.
#[derive(Debug)]
pub struct PageFile {
    /// The name, as in `texts/en.js`.
    pub name: Cow<'static, str>,
    /// The media type.
    pub kind: &'static str,
    /// The version of its content, as HTTP writes it.
    pub tag: String,
    content: PageContent,
}

/// What a file holds.
#[derive(Debug)]
enum PageContent {
    /// Compressed with gzip.
    Packed(&'static [u8]),
    Plain(Vec<u8>),
}

impl PageFile {
    fn new(
        name: impl Into<Cow<'static, str>>,
        kind: &'static str,
        content: PageContent,
    ) -> PageFile {
        let bytes = match &content {
            PageContent::Packed(bytes) => bytes,
            PageContent::Plain(bytes) => bytes.as_slice(),
        };
        let tag = format!("\"{:08x}-{:x}\"", crc32fast::hash(bytes), bytes.len());
        PageFile { name: name.into(), kind, tag, content }
    }

    /// Returns what it holds compressed with gzip, if the program carries it so.
    #[must_use]
    pub const fn packed(&self) -> Option<&'static [u8]> {
        match self.content {
            PageContent::Packed(bytes) => Some(bytes),
            PageContent::Plain(_) => None,
        }
    }

    /// Returns what it holds.
    ///
    /// # Panics
    ///
    /// Panics if the program is damaged.
    #[must_use]
    pub fn plain(&self) -> Cow<'_, [u8]> {
        match &self.content {
            PageContent::Plain(bytes) => Cow::Borrowed(bytes),
            PageContent::Packed(bytes) => {
                let mut plain = Vec::new();
                GzDecoder::new(*bytes).read_to_end(&mut plain).expect("a build script packed it");
                Cow::Owned(plain)
            }
        }
    }
}

/// Returns all files of the page, in the order of their names.
#[must_use]
pub fn page_files() -> Vec<PageFile> {
    let packed = PACKED.iter().map(|&(name, kind, bytes)| {
        let file = PageFile::new(name, kind, PageContent::Packed(bytes));
        if name == LIST { with_engines(&file) } else { file }
    });
    let shared = shared_files().into_iter().map(|(name, text)| {
        let kind = if name.ends_with(".css") { STYLE } else { SCRIPT };
        PageFile::new(format!("{SHARED}{name}"), kind, PageContent::Plain(text.into_bytes()))
    });
    let mut files: Vec<PageFile> = packed.chain(shared).collect();
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

/// Returns the list of files with the engines that this program carries.
fn with_engines(list: &PageFile) -> PageFile {
    let mut names: PageList =
        serde_json::from_slice(&list.plain()).expect("a list that a test has read");
    let engines = PACKED.iter().filter(|(_, kind, _)| *kind == ENGINE);
    names.files.extend(engines.map(|&(name, ..)| name.to_owned()));
    let text = serde_json::to_vec(&names).expect("strings");
    PageFile::new(LIST, list.kind, PageContent::Plain(text))
}

/// The list of files, as the page reads it.
#[derive(Serialize, Deserialize)]
struct PageList {
    files: Vec<String>,
}

/// Why the page was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// This program has no engine for browsers.
    #[error(
        "this program was built without the engine for browsers, which a page without a server needs: \
         scripts/make/web makes that engine, and says how to build the program with it"
    )]
    NoEngine,
    /// There is something in the folder.
    #[error("{} is not empty: give a new folder, so that nothing of yours is overwritten", .0.display())]
    NotEmpty(PathBuf),
    /// The system refuses something.
    #[error("cannot write {}: {error}", .path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The fault.
        error: io::Error,
    },
}

/// Writes the page with the engine for browsers to a folder, which is made or empty, as it can be put on any web
/// server. Returns the number of its files.
///
/// # Errors
///
/// Returns why it can't be written.
pub fn export(folder: &Path) -> Result<usize, ExportError> {
    let files = page_files();
    if files.iter().all(|file| file.name != WASM) {
        return Err(ExportError::NoEngine);
    }
    let fault = |path: &Path| {
        let path = path.to_owned();
        move |error| ExportError::Write { path, error }
    };
    fs::create_dir_all(folder).map_err(fault(folder))?;
    if fs::read_dir(folder).map_err(fault(folder))?.next().is_some() {
        return Err(ExportError::NotEmpty(folder.to_owned()));
    }
    write_files(&files, folder, fault)?;
    Ok(files.len())
}

fn write_files<F>(
    files: &[PageFile],
    folder: &Path,
    fault: impl Fn(&Path) -> F,
) -> Result<(), ExportError>
where
    F: FnOnce(io::Error) -> ExportError,
{
    let write = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(fault(parent))?;
        }
        replace_file(&path, |out| out.write_all(content)).map_err(fault(&path))
    };
    write(NO_SERVER.0, NO_SERVER.1.as_bytes())?;
    files.iter().try_for_each(|file| write(&file.name, &file.plain()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_there_and_names_lead_nowhere_else() {
        let files = page_files();
        for name in ["index.html", "shared/board.js"] {
            assert!(files.iter().any(|file| file.name == name), "{name}");
        }
        for file in files {
            let parts: Vec<&str> = file.name.split('/').collect();
            assert!(
                parts.iter().all(|part| !part.is_empty() && !part.starts_with('.')),
                "{}",
                file.name
            );
            assert!(!file.plain().is_empty(), "{}", file.name);
        }
    }

    /// The check of the page makes an export of what the list names.
    #[test]
    fn the_list_names_all_files_but_itself_and_the_service_worker() {
        let files = page_files();
        let list = files.iter().find(|file| file.name == LIST).unwrap();
        let mut listed = serde_json::from_slice::<PageList>(&list.plain()).unwrap().files;
        listed.extend([LIST, "service-worker.js"].map(str::to_owned));
        listed.sort_unstable();
        let names: Vec<&str> = files.iter().map(|file| &*file.name).collect();
        assert_eq!(listed, names);
    }

    #[test]
    fn a_page_without_its_engine_is_not_written() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("page");
        if page_files().iter().all(|file| file.name != WASM) {
            assert!(matches!(export(&folder), Err(ExportError::NoEngine)));
            assert!(!folder.exists());
        }
        let fault = |path: &Path| {
            let path = path.to_owned();
            move |error| ExportError::Write { path, error }
        };
        write_files(&page_files(), &folder, fault).unwrap();
        assert!(folder.join("index.html").is_file());
    }
}
