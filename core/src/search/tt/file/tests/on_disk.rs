//! Tests of the files on disk.

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

/// A folder that is removed with its contents.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::with_prefix("tengen-tt-").unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn a_file_that_was_cut_off_is_not_loaded() {
    let folder = Folder::new();
    let path = folder.path("table");
    let bytes = dump(&random_table(30, 40, 1).0);
    for len in (0..bytes.len()).step_by(20) {
        fs::write(&path, &bytes[..len]).unwrap();
        for result in [
            TranspositionTable::load(&path, IDENTITY, 1 << 20).map(drop),
            TranspositionTable::check(&path, IDENTITY, 1 << 20).map(drop),
        ] {
            assert!(matches!(result, Err(TableLoadError::Truncated { .. })), "{result:?}");
        }
    }
}

#[test]
fn what_follows_a_table_is_an_error_in_a_file_only() {
    let folder = Folder::new();
    let (table, _) = random_table(30, 40, 1);
    let mut bytes = dump(&table);
    let whole = bytes.len() as u64;
    bytes.extend([0; 5]);
    let mut input = Cursor::new(&bytes);
    TranspositionTable::read_from(&mut input, IDENTITY, 1 << 20).unwrap();
    assert_eq!(input.position(), whole);
    fs::write(folder.path("long"), &bytes).unwrap();
    for result in [
        TranspositionTable::load(&folder.path("long"), IDENTITY, 1 << 20).map(drop),
        TranspositionTable::check(&folder.path("long"), IDENTITY, 1 << 20).map(drop),
    ] {
        let Err(TableLoadError::TooLong { expected, found }) = result else { panic!("{result:?}") };
        assert_eq!((expected, found), (whole, whole + 5));
    }
}

#[test]
fn a_saved_table_can_be_loaded_and_replaces_an_older_one() {
    let folder = Folder::new();
    let path = folder.path("table of today.tt");
    for seed in 0..2 {
        let (table, _) = random_table(1000, 2000, seed);
        let written = table.save(&path, IDENTITY).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().len(), written);
        assert_eq!(folder.names(), ["table of today.tt"]);
        assert_eq!(TranspositionTable::check(&path, IDENTITY, 64_000).unwrap(), 64_000);
        assert!(TranspositionTable::check(&path, IDENTITY, 63_999).is_err());
        let copy = TranspositionTable::load(&path, IDENTITY, 64_000).unwrap();
        assert_eq!(dump(&copy), dump(&table));
    }
}

#[test]
fn what_is_not_a_file_is_neither_replaced_nor_loaded() {
    let folder = Folder::new();
    let (table, _) = random_table(10, 10, 1);
    fs::create_dir(folder.path("inner")).unwrap();
    for path in ["", "..", "inner", "missing/table"] {
        assert!(table.save(&folder.path(path), IDENTITY).is_err(), "{path}");
        let error = TranspositionTable::load(&folder.path(path), IDENTITY, 1 << 20).unwrap_err();
        assert!(matches!(error, TableLoadError::Io(_)), "{path}: {error:?}");
    }
    assert_eq!(folder.names(), ["inner"]);
    assert!(table.save(Path::new(""), IDENTITY).is_err());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let null = Path::new("/dev/null");
        assert!(table.save(null, IDENTITY).is_err());
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
        fs::write(folder.path("inner/table"), "old").unwrap();
        symlink("inner/table", folder.path("link")).unwrap();
        table.save(&folder.path("link"), IDENTITY).unwrap();
        assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
        assert!(TranspositionTable::load(&folder.path("inner/table"), IDENTITY, 1 << 20).is_ok());
    }
}
