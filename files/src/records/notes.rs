//! Notes of a file beyond the fields of a record.

use tengen_core::types::{Point, Size};

/// A property of the Smart Game Format that means nothing to a record, and is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The name in capital letters, as in `LB`; none of those that records have fields for.
    pub(super) name: String,
    /// The values as they stand between their brackets.
    pub(super) values: Vec<String>,
}

impl Note {
    /// Makes a note of a property with values as they are meant.
    #[must_use]
    pub fn new(name: &str, values: &[&str]) -> Note {
        let values = values.iter().map(|value| escaped(value)).collect();
        Note { name: name.to_owned(), values }
    }

    /// Makes a note of a property whose values are cells.
    #[must_use]
    pub fn of_cells(name: &str, cells: &[Point]) -> Note {
        let values = cells.iter().map(|&cell| letters(cell)).collect();
        Note { name: name.to_owned(), values }
    }

    /// Makes a note of texts on cells.
    #[must_use]
    pub(super) fn of_labels(labels: &[(Point, String)]) -> Note {
        let value = |(cell, text): &(Point, String)| {
            format!("{}:{}", letters(*cell), escaped(text).replace(':', "\\:"))
        };
        Note { name: "LB".to_owned(), values: labels.iter().map(value).collect() }
    }

    /// Returns the values as they are meant.
    pub fn texts(&self) -> impl Iterator<Item = String> {
        self.values.iter().map(|value| meant(value))
    }

    /// Returns the texts on cells of the largest board, if these are the values.
    pub(super) fn labels(&self) -> impl Iterator<Item = (Point, String)> {
        self.values.iter().filter_map(|value| {
            let (cell, text) = value.split_once(':')?;
            let &[x, y] = cell.trim().as_bytes() else { return None };
            let [x, y] = [x, y].map(|letter| i64::from(letter) - i64::from(b'a'));
            Some((Size::LARGEST.point(x, y)?, meant(text)))
        })
    }

    /// Returns the name of the property.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Returns a cell as the Smart Game Format writes it.
pub(super) fn letters(cell: Point) -> String {
    [cell.x(), cell.y()].map(|i| char::from(b'a' + i)).iter().collect()
}

/// Returns a text as a value of the Smart Game Format.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Returns a value of the Smart Game Format without its escapes; lines end with LF.
pub(super) fn meant(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(mut c) = chars.next() {
        let is_escaped = c == '\\';
        if is_escaped {
            let Some(next) = chars.next() else { break };
            c = next;
        }
        if c == '\r' {
            chars.next_if_eq(&'\n');
            c = '\n';
        }
        // An escaped line break is none.
        if !(is_escaped && c == '\n') {
            text.push(c);
        }
    }
    text
}

/// Notes in their order. They are kept as one text, since there may be millions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes(Option<Box<str>>);

impl Notes {
    /// No notes.
    pub const EMPTY: Notes = Notes(None);

    /// Makes notes of properties as the Smart Game Format has them, one after the other: each a name in
    /// capital letters and at least one value, whose brackets are protected. Values of a property that
    /// is there twice are joined.
    pub(super) fn of_properties(text: String) -> Notes {
        // There may be many, and each is a few bytes long: what is kept of one has to be small.
        let name = |start: usize| text[start..].split('[').next();
        let starts =
            properties(&text).map(|(name, _)| name.as_ptr() as usize - text.as_ptr() as usize);
        let mut sorted: Vec<usize> = Vec::with_capacity(properties(&text).count());
        sorted.extend(starts);
        sorted.sort_unstable_by_key(|&start| (name(start), start));
        let same_name = |one: &usize, other: &usize| name(*one) == name(*other);
        if sorted.chunk_by(same_name).all(|same| same.len() == 1) {
            return Notes::of_text(text);
        }
        let mut names: Vec<&[usize]> = sorted.chunk_by(same_name).collect();
        names.sort_unstable_by_key(|same| same[0]);
        let mut whole = String::with_capacity(text.len());
        for same in names {
            for (i, &start) in same.iter().enumerate() {
                let (name, values) = properties(&text[start..]).next().unwrap_or_default();
                whole.push_str(if i == 0 { name } else { "" });
                whole.push_str(values);
            }
        }
        Notes::of_text(whole)
    }

    fn of_text(text: String) -> Notes {
        Notes((!text.is_empty()).then(|| text.into_boxed_str()))
    }

    /// Returns the properties, as [`Notes::of_properties`] takes them.
    pub(super) fn as_properties(&self) -> &str {
        self.0.as_deref().unwrap_or_default()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the notes.
    pub fn iter(&self) -> impl Iterator<Item = Note> {
        properties(self.as_properties()).map(|(name, values)| Note {
            name: name.to_owned(),
            values: split_values(values).map(str::to_owned).collect(),
        })
    }

    /// Returns the names of the properties.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        properties(self.as_properties()).map(|(name, _)| name)
    }

    /// Returns the first note of a property.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Note> {
        self.iter().find(|note| note.name == name)
    }

    /// Adds a note. Values of a property that is there already are added to its others.
    pub fn push(&mut self, note: Note) {
        self.extend([note]);
    }

    /// Keeps the notes on properties of which `is_kept` says so.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&str) -> bool) {
        let kept = properties(self.as_properties()).filter(|(name, _)| is_kept(name));
        *self = Notes::of_text(kept.flat_map(|(name, values)| [name, values]).collect());
    }

    /// Forgets all notes.
    pub fn clear(&mut self) {
        self.0 = None;
    }

    /// Returns whether the notes are the same. Their order means nothing, nor that of their values.
    pub(super) fn say_the_same(&self, other: &Notes) -> bool {
        let sorted = |notes: &Notes| {
            let mut notes: Vec<Note> = notes.iter().collect();
            notes.iter_mut().for_each(|note| note.values.sort_unstable());
            notes.sort_unstable_by(|a, b| (&a.name, &a.values).cmp(&(&b.name, &b.values)));
            notes
        };
        self == other || sorted(self) == sorted(other)
    }
}

impl Extend<Note> for Notes {
    fn extend<T: IntoIterator<Item = Note>>(&mut self, notes: T) {
        let mut text = self.0.take().map(String::from).unwrap_or_default();
        for note in notes.into_iter().filter(|note| !note.values.is_empty()) {
            text.push_str(&note.name);
            text.extend(note.values.iter().map(|value| format!("[{value}]")));
        }
        *self = Notes::of_properties(text);
    }
}

impl FromIterator<Note> for Notes {
    fn from_iter<T: IntoIterator<Item = Note>>(notes: T) -> Notes {
        let mut all = Notes::default();
        all.extend(notes);
        all
    }
}

/// Divides properties into names and values with their brackets.
fn properties(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let name = rest.split('[').next().filter(|name| !name.is_empty())?;
        let values = &rest[name.len()..];
        let mut end = 0;
        while values[end..].starts_with('[') {
            end += 1 + value_end(&values[end + 1..])? + 1;
        }
        rest = &values[end..];
        Some((name, &values[..end]))
    })
}

/// Divides values with their brackets.
fn split_values(values: &str) -> impl Iterator<Item = &str> {
    let mut rest = values;
    std::iter::from_fn(move || {
        let inside = rest.strip_prefix('[')?;
        let end = value_end(inside)?;
        rest = &inside[end + 1..];
        Some(&inside[..end])
    })
}

/// Returns where the bracket is that ends a value, whose first one is left out.
pub(super) fn value_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|b| matches!(b, b']' | b'\\'))?;
        if bytes[at] == b']' {
            return Some(at);
        }
        // Whatever is protected: if it has several bytes, none of the others is a bracket.
        at += 2;
        if at > bytes.len() {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_come_back_as_they_were_given() {
        let point = |x, y| Size::DEFAULT.point(x, y).unwrap();
        let given = [
            Note::new("X", &["a]b\\c", ""]),
            Note::of_cells("CR", &[point(0, 1), point(2, 3)]),
            Note::of_labels(&[(point(4, 5), "x:]".to_owned())]),
        ];
        let notes: Notes = given.iter().cloned().collect();
        assert_eq!(notes.as_properties(), "X[a\\]b\\\\c][]CR[ab][cd]LB[ef:x\\:\\]]");
        assert_eq!(notes.iter().collect::<Vec<_>>(), given);
        assert_eq!(given[0].texts().collect::<Vec<_>>(), ["a]b\\c", ""]);
        assert_eq!(given[2].labels().collect::<Vec<_>>(), [(point(4, 5), "x:]".to_owned())]);
    }

    #[test]
    fn values_of_one_property_are_joined() {
        let mut notes = Notes::of_properties("A[1]B[2]A[3][4]".to_owned());
        assert_eq!(notes.as_properties(), "A[1][3][4]B[2]");
        notes.push(Note::new("B", &["5"]));
        assert_eq!(notes.as_properties(), "A[1][3][4]B[2][5]");
        let other = Notes::of_properties("B[5][2]A[4][1][3]".to_owned());
        assert!(notes.say_the_same(&other) && notes != other);
        notes.retain(|name| name != "A");
        assert_eq!(notes.as_properties(), "B[2][5]");
        assert!(!notes.say_the_same(&other));
    }

    #[test]
    fn protected_line_ends_are_none() {
        assert_eq!(meant("a\\\nb\\\r\nc\r\nd\re\\"), "abc\nd\ne");
    }
}
