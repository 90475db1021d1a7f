//! What pages are shown while it happens.

use std::sync::{Arc, Mutex, PoisonError};

/// A text of JSON that somebody else keeps up to date, for pages that ask for it again and again.
///
/// Clones are the same text. It is `null` at first.
#[derive(Clone, Debug)]
pub struct LiveText(Arc<Mutex<String>>);

impl Default for LiveText {
    fn default() -> LiveText {
        LiveText(Arc::new(Mutex::new("null".to_owned())))
    }
}

impl LiveText {
    /// Replaces the text.
    pub fn set(&self, json: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = json;
    }

    /// Returns the text.
    #[must_use]
    pub fn get(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
