//! Expected lines with places in them, such as `MESSAGE SWAP2 MOVE1 {x y as A}`.

use std::fmt;

use super::script::CellXy;
use crate::process::strict_number;

/// A line in which some places hold numbers or cells that are not known beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    source: String,
    parts: Vec<TemplatePart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePart {
    Text(String),
    Number,
    CellXy {
        /// The text between the numbers.
        separator: char,
        name: Option<String>,
    },
}

/// A cell found in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FoundCell<'a> {
    pub(super) cell: CellXy,
    /// The name of the cell from then on.
    pub(super) name: Option<&'a str>,
}

impl Template {
    /// Reads a line with places between braces; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with a place.
    pub(super) fn parse(source: &str) -> Result<Option<Template>, String> {
        let mut parts = Vec::new();
        let mut rest = source;
        while let Some((text, after)) = rest.split_once('{') {
            let (place, tail) =
                after.split_once('}').ok_or_else(|| format!("`{{{after}` has no closing brace"))?;
            if !text.is_empty() {
                parts.push(TemplatePart::Text(text.to_owned()));
            }
            parts.push(parse_place(place)?);
            rest = tail;
        }
        if parts.is_empty() {
            return Ok(None);
        }
        if !rest.is_empty() {
            parts.push(TemplatePart::Text(rest.to_owned()));
        }
        Ok(Some(Template { source: source.to_owned(), parts }))
    }

    /// Returns the cells in `line`, or `None` if it is another line.
    pub(super) fn read(&self, line: &str) -> Option<Vec<FoundCell<'_>>> {
        let mut found = Vec::new();
        let mut rest = line;
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => rest = rest.strip_prefix(text.as_str())?,
                TemplatePart::Number => (_, rest) = leading_number(rest)?,
                TemplatePart::CellXy { separator, name } => {
                    let (x, after) = leading_number(rest)?;
                    let (y, after) = leading_number(after.strip_prefix(*separator)?)?;
                    found.push(FoundCell { cell: (x, y), name: name.as_deref() });
                    rest = after;
                }
            }
        }
        rest.is_empty().then_some(found)
    }
}

fn parse_place(place: &str) -> Result<TemplatePart, String> {
    let (kind, name) = match place.split_once(" as ") {
        Some((kind, name)) => (kind, Some(parse_name(name)?)),
        None => (place, None),
    };
    match (kind, name) {
        ("n", None) => Ok(TemplatePart::Number),
        ("x,y", name) => Ok(TemplatePart::CellXy { separator: ',', name }),
        ("x y", name) => Ok(TemplatePart::CellXy { separator: ' ', name }),
        _ => Err(format!("`{{{place}}}` is none of {{n}}, {{x,y}} and {{x y}}")),
    }
}

/// Reads the name of a cell; it begins with a capital to differ from `last`, `free` and `file`.
pub(super) fn parse_name(name: &str) -> Result<String, String> {
    let fits = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric());
    if fits {
        Ok(name.to_owned())
    } else {
        Err(format!("`{name}` is not a name: those begin with a capital"))
    }
}

/// Splits off all leading digits as a number.
fn leading_number(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((strict_number(&text[..end])?, &text[end..]))
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(template: &str, line: &str) -> Option<Vec<CellXy>> {
        let template = Template::parse(template).unwrap().expect("it has a place");
        let found = template.read(line)?;
        Some(found.iter().map(|found| found.cell).collect())
    }

    #[test]
    fn places_stand_for_numbers_and_cells() {
        assert_eq!(cells("A {n} B", "A 15 B"), Some(vec![]));
        assert_eq!(cells("A {x,y}", "A 7,12"), Some(vec![(7, 12)]));
        assert_eq!(cells("{x y} {n}", "0 3 8"), Some(vec![(0, 3)]));
        assert_eq!(cells("{x,y} {x,y}", "1,2 3,4"), Some(vec![(1, 2), (3, 4)]));
    }

    #[test]
    fn other_spellings_do_not_match() {
        for line in ["A 15 ", "A 015 B", "A  B", "A -1 B", "a 15 B", "A 15 B ", "A 1.5 B"] {
            assert_eq!(cells("A {n} B", line), None, "{line:?}");
        }
        for line in ["7 12", "7, 12", "7,", "07,1", "7,12,1", "99999999999999999999,1"] {
            assert_eq!(cells("{x,y}", line), None, "{line:?}");
        }
        assert_eq!(cells("{x y}", "7,12"), None);
    }

    #[test]
    fn cells_can_have_names() {
        let template = Template::parse("MOVE1 {x y as First}").unwrap().unwrap();
        let found = template.read("MOVE1 7 8").unwrap();
        assert_eq!(found, [FoundCell { cell: (7, 8), name: Some("First") }]);
    }

    #[test]
    fn malformed_places_are_refused() {
        assert_eq!(Template::parse("OK"), Ok(None));
        for (text, problem) in [
            ("A {n", "`{n` has no closing brace"),
            ("A {z}", "`{z}` is none of {n}, {x,y} and {x y}"),
            ("A {n as B}", "`{n as B}` is none of {n}, {x,y} and {x y}"),
            ("{x,y as last}", "`last` is not a name: those begin with a capital"),
            ("{x,y as }", "`` is not a name: those begin with a capital"),
        ] {
            assert_eq!(Template::parse(text), Err(problem.to_owned()));
        }
    }
}
