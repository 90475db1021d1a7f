//! A match that was played, for people and programs: as text, JSON or HTML.

mod course;
mod html;
mod json;
mod text;
mod words;

pub use html::html;
pub use json::json;
pub use text::text;
