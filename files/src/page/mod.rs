//! Pages of HTML that need nothing else, and what all of them have in common.
//!
//! A page is a template whose places are [filled](fill_page) with style, scripts and data.
//! Nothing is loaded from elsewhere, and whatever comes from games is data: [`escaped`] where it
//! is text of the page, [`harmless`] where it is JSON for the scripts, which show it as text.
//!
//! The look is shared too: the colours of day and night, chosen by the system or by a `data-theme` of the
//! root element, the scripts that build elements and draw boards, and [`RULES`], which knows which moves
//! may be played. These scripts are modules: pages that are served load them as they are
//! ([`shared_files`]), pages of one file contain them as parts of one script.

use tengen_core::types::Point;

/// The script that builds elements of a page; the first of all.
const ELEMENTS: &str = include_str!("elements.js");
/// The script that draws boards.
const BOARD: &str = include_str!("board.js");
/// The script that knows what wins and what renju forbids.
pub const RULES: &str = include_str!("rules.js");

/// The beginning of all pages.
const HEAD: &str = include_str!("head.html");
/// The colours by day.
const LIGHT: &str = include_str!("light.css");
/// The colours by night.
const DARK: &str = include_str!("dark.css");
/// The rules of style that all pages have.
const BASE: &str = include_str!("base.css");

/// Returns the style that all pages have, with further colours for day and night.
fn style(light: &str, dark: &str) -> String {
    let night = format!("color-scheme: dark;\n{DARK}{dark}");
    format!(
        ":root {{\ncolor-scheme: light;\n{LIGHT}{light}}}\n\
         @media screen {{\n:root[data-theme=dark] {{\n{night}}}\n}}\n\
         @media screen and (prefers-color-scheme: dark) {{\n\
         :root:not([data-theme=light]) {{\n{night}}}\n}}\n{BASE}"
    )
}

/// Returns what pages that are served share with those of one file, by the names under which they load it.
#[must_use]
pub fn shared_files() -> [(&'static str, String); 4] {
    [
        ("elements.js", ELEMENTS.to_owned()),
        ("board.js", BOARD.to_owned()),
        ("rules.js", RULES.to_owned()),
        ("look.css", style("", "")),
    ]
}

/// Returns modules as a part of one script, in which all names are known: without imports and exports.
fn as_script(modules: &str) -> String {
    modules
        .lines()
        .filter(|line| !line.starts_with("import "))
        .flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"])
        .collect()
}

/// Fills the places of a page from its texts: its content from `main` on, its rules of style, and its scripts,
/// which come after those of all pages and `more`. `colors` are further ones for day and night.
///
/// `part` adds what goes to the other places, as HTML: those of the content, and the `title` and the
/// `text` for those who run no scripts, which all pages have.
///
/// # Panics
///
/// Panics if there are fewer than two texts.
#[must_use]
pub fn fill_page(
    texts: &[String],
    colors: (&str, &str),
    more: &[&str],
    mut part: impl FnMut(&str, &mut String),
) -> String {
    let scripts =
        || as_script(&[&[ELEMENTS, BOARD], more].concat().concat()) + &texts[2..].concat();
    fill(&[HEAD, &texts[0]].concat(), |name, page| match name {
        "style" => page.push_str(&(style(colors.0, colors.1) + &texts[1])),
        "scripts" => page.push_str(&scripts()),
        _ => part(name, page),
    })
}

/// Fills the places of a template, such as `{{title}}`: `part` adds to the page what goes there. What
/// is put in is not searched for places again.
fn fill(template: &str, mut part: impl FnMut(&str, &mut String)) -> String {
    let mut page = String::with_capacity(template.len());
    for (i, text) in template.split("{{").enumerate() {
        let (name, rest) =
            if i == 0 { ("", text) } else { text.split_once("}}").unwrap_or_default() };
        if i > 0 {
            part(name, &mut page);
        }
        page.push_str(rest);
    }
    page
}

/// Returns points as the scripts read them: two letters each, column and row from the top, from `a`.
#[must_use]
pub fn point_letters(points: impl IntoIterator<Item = Point>) -> String {
    let letter = |number: u8| char::from(b'a' + number);
    points.into_iter().flat_map(|point| [letter(point.x()), letter(point.y())]).collect()
}

/// Returns a text as HTML between tags.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            c if c.is_control() && c != '\n' => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns JSON that does not end the element it stands in. These characters occur only within
/// strings, where they may be written by their numbers.
#[must_use]
pub fn harmless(json: &str) -> String {
    let mut harmless = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                harmless.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => harmless.push(c),
        }
    }
    harmless
}

/// Helpers for tests of pages.
#[cfg(any(test, feature = "testing"))]
pub mod testing {
    use super::{DARK, LIGHT};

    /// Checks that texts can be read: the contrast of pairs of colours by day and by night is at least
    /// 4.5, as WCAG AA asks.
    ///
    /// # Panics
    ///
    /// Panics if one is not, or if a colour is not there.
    pub fn check_contrast(light: &str, dark: &str, pairs: &[(&str, &str)]) {
        for declarations in [format!("{LIGHT}{light}"), format!("{DARK}{dark}")] {
            for (ink, ground) in pairs {
                let [a, b] =
                    [ink, ground].map(|name| luminance(color_of(&declarations, name)) + 0.05);
                let contrast = a.max(b) / a.min(b);
                assert!(contrast >= 4.5, "{ink} on {ground}: {contrast:.2}");
            }
        }
    }

    /// Returns the red, green and blue of a colour, which is a name or the digits themselves.
    fn color_of(declarations: &str, name: &str) -> [u8; 3] {
        let digits = name.strip_prefix('#').unwrap_or_else(|| {
            let (_, rest) =
                declarations.split_once(&format!("{name}: #")).expect("the colour is there");
            rest.split(';').next().expect("a value")
        });
        let digit = |i: usize| u8::from_str_radix(&digits[i..=i], 16).expect("a digit");
        match digits.len() {
            3 => [0, 1, 2].map(|i| 17 * digit(i)),
            6 => [0, 2, 4].map(|i| 16 * digit(i) + digit(i + 1)),
            _ => panic!("{name}: #{digits}"),
        }
    }

    /// Returns the relative luminance of a colour of sRGB as WCAG defines it.
    pub(super) fn luminance(color: [u8; 3]) -> f64 {
        let [r, g, b] = color.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{check_contrast, luminance};
    use super::*;

    #[test]
    fn places_are_filled_once() {
        let page = fill("<a>{{one}}</a>{{two}}", |name, page| {
            page.push_str(if name == "one" { "{{two}}" } else { "2" });
        });
        assert_eq!(page, "<a>{{two}}</a>2");
        assert_eq!(fill("none", |_, page| page.push('x')), "none");
    }

    #[test]
    fn modules_become_one_script() {
        let modules = "import { b } from './b.js';\n\nexport const a = 'export b';\nb();\n";
        assert_eq!(as_script(modules), "\nconst a = 'export b';\nb();\n");
        for (name, text) in shared_files() {
            let script = as_script(&text);
            let is_left = |line: &str| line.starts_with("import ") || line.starts_with("export ");
            assert!(!script.lines().any(is_left), "{name}");
        }
    }

    #[test]
    fn texts_stay_texts() {
        assert_eq!(escaped("</script>&\u{0}\n\""), "&lt;/script&gt;&amp;\u{fffd}\n\"");
        assert_eq!(
            harmless("{\"a\":\"</b>&\u{2028}\"}"),
            "{\"a\":\"\\u003c/b\\u003e\\u0026\\u2028\"}"
        );
    }

    #[test]
    fn texts_can_be_read_by_day_and_night() {
        assert!((luminance([255; 3]) - 1.0).abs() < 1e-9 && luminance([0; 3]) == 0.0);
        let mut pairs = vec![("--label", "--wood")];
        for ink in ["--ink", "--soft", "--accent", "--bad"] {
            pairs.extend(["--page", "--card", "--shade"].map(|ground| (ink, ground)));
        }
        check_contrast("", "", &pairs);
    }

    #[test]
    #[should_panic(expected = "--ink on #1f2328")]
    fn what_cannot_be_read_is_found() {
        check_contrast("", "", &[("--ink", "#1f2328")]);
    }
}
