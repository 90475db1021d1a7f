//! The border between the store and everything else.
//!
//! Checksums say that a file is as somebody wrote it, not that a store did. On pages that were made up
//! the store may find a contradiction, or panic. Either way that is an error here, the file is never
//! written again, and nothing more is asked of the store: what is left of it is leaked, since its own
//! end could panic as well.

use std::any::type_name;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use super::blocks::Damage;
use super::{DatabaseError, PositionEntry, PositionKey, code};
use tengen_core::sys::panics::catch;
use tengen_files::resume::FileError;

/// The data of a file that calls of the store and errors need.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) path: PathBuf,
    pub(super) damage: Damage,
}

impl Context {
    /// Calls the store, unless it has failed before.
    pub(super) fn ask<T, E: Into<redb::Error>>(
        &self,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, DatabaseError> {
        if self.damage.contradiction().is_some() {
            return Err(self.fault(redb::Error::PreviousIo));
        }
        match catch(call) {
            Ok(result) => result.map_err(|error| self.error(error)),
            Err(panic) => {
                self.damage.contradict(panic.to_string());
                Err(self.fault(redb::Error::PreviousIo))
            }
        }
    }

    /// Calls the store for something of its own.
    pub(super) fn hold<T, E: Into<redb::Error>>(
        &self,
        call: impl FnOnce() -> Result<T, E>,
    ) -> Result<Held<T>, DatabaseError> {
        Ok(Held { inner: Some(self.ask(call)?), damage: self.damage.clone() })
    }

    /// Makes one of our errors of one of the store.
    pub(super) fn error(&self, error: impl Into<redb::Error>) -> DatabaseError {
        let error = error.into();
        if self.damage.place().is_none()
            && let redb::Error::Corrupted(fault) = &error
        {
            self.damage.contradict(fault.clone());
        }
        self.fault(error)
    }

    fn fault(&self, error: redb::Error) -> DatabaseError {
        let path = self.path.clone();
        if let Some(place) = self.damage.place() {
            return DatabaseError::Damaged { path, place };
        }
        if let Some(fault) = self.damage.contradiction() {
            return DatabaseError::Contradiction { path, fault: fault.to_owned() };
        }
        match error {
            redb::Error::Io(error) => FileError::io("use", &path, error).into(),
            error => DatabaseError::Store { path, message: error.to_string() },
        }
    }

    /// Returns an error that says that the file contradicts itself, and makes it so.
    pub(super) fn contradiction(&self, fault: &str) -> DatabaseError {
        self.damage.contradict(fault.to_owned());
        self.fault(redb::Error::PreviousIo)
    }

    pub(super) fn key(&self, bytes: &[u8]) -> Result<PositionKey, DatabaseError> {
        PositionKey::from_bytes(bytes).map_err(|error| DatabaseError::BadKey {
            path: self.path.clone(),
            key: bytes.to_vec(),
            error,
        })
    }

    pub(super) fn entry(
        &self,
        key: &PositionKey,
        bytes: &[u8],
    ) -> Result<PositionEntry, DatabaseError> {
        code::decode(bytes, key.size()).map_err(|error| DatabaseError::BadEntry {
            path: self.path.clone(),
            key: key.clone(),
            error,
        })
    }
}

/// Something of the store, whose end is a call of the store like any other.
pub(super) struct Held<T> {
    /// Is there until it is taken.
    inner: Option<T>,
    damage: Damage,
}

impl<T> Held<T> {
    /// Hands it to a call of the store that ends it.
    pub(super) fn take(mut self) -> T {
        self.inner.take().expect("it is taken once")
    }

    /// Ends it now.
    pub(super) fn end(&mut self) {
        let Some(inner) = self.inner.take() else { return };
        if self.damage.contradiction().is_some() {
            std::mem::forget(inner);
        } else if let Err(panic) = catch(|| drop(inner)) {
            self.damage.contradict(panic.to_string());
        }
    }
}

impl<T> Held<Option<T>> {
    /// Returns what there is, if anything.
    pub(super) fn opened(mut self) -> Option<Held<T>> {
        let inner = self.inner.take().flatten();
        inner.map(|inner| Held { inner: Some(inner), damage: self.damage.clone() })
    }
}

impl<T> Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.inner.as_ref().expect("it was not taken")
    }
}

impl<T> DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.inner.as_mut().expect("it was not taken")
    }
}

impl<T> Drop for Held<T> {
    fn drop(&mut self) {
        self.end();
    }
}

impl<T> fmt::Debug for Held<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(type_name::<T>())
    }
}
