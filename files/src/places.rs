//! Paths that lead to one place.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tengen_core::sys::files::followed;

/// Returns the place of a file, or of one that can be made: the same for all of its names. The file that a link
/// leads to is replaced where it is.
#[must_use]
pub fn place_of(path: &Path) -> PathBuf {
    let path = followed(path);
    let whole = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
    let new = || Some(fs::canonicalize(whole.parent()?).ok()?.join(whole.file_name()?));
    fs::canonicalize(&path).ok().or_else(new).unwrap_or(whole)
}

/// Returns the first of `outputs` that is the place of one before it, or of one of the `others`. A pipe or a
/// device may take several.
pub fn taken_twice<'a>(
    mut outputs: impl Iterator<Item = &'a Path>,
    others: impl Iterator<Item = &'a Path>,
) -> Option<&'a Path> {
    let mut taken: BTreeSet<PathBuf> = others.map(place_of).collect();
    let is_taken = |path: &&Path| {
        let place = place_of(path);
        let is_file = fs::metadata(&place).map_or(true, |place| place.is_file());
        is_file && !taken.insert(place)
    };
    outputs.find(is_taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_many_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        fs::write(at("one"), "").unwrap();
        let taken = |outputs: &[PathBuf], others: &[PathBuf]| {
            let [outputs, others] = [outputs, others].map(|it| it.iter().map(PathBuf::as_path));
            taken_twice(outputs, others).map(Path::to_owned)
        };
        assert_eq!(taken(&[at("one"), at("two")], &[at("three")]), None);
        assert_eq!(taken(&[at("two"), at("./two")], &[]), Some(at("./two")));
        assert_eq!(taken(&[at("inner/../one")], &[at("one")]), Some(at("inner/../one")));
        assert_eq!(taken(&[at("inner")], &[at("inner")]), None, "it is no file");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_where_it_leads_even_to_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("new", at("link")).unwrap();
        assert_eq!(place_of(&at("link")), place_of(&at("new")));
        fs::write(at("new"), "").unwrap();
        let (link, new, device) = (at("link"), at("new"), Path::new("/dev/null"));
        assert_eq!(
            taken_twice([link.as_path()].into_iter(), [new.as_path()].into_iter()),
            Some(&*link)
        );
        assert_eq!(taken_twice([device, device].into_iter(), std::iter::empty()), None);
    }
}
