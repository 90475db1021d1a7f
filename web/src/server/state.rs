//! What all connections share.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use super::join::CodeDoor;
use super::ticket::Ticket;
use crate::access::{AccessKey, ServedHosts};
use crate::engines::Sessions;
use crate::folder::GameFolder;
use crate::live::LiveText;
use crate::page::PageFile;

/// The most sockets at a time: more than sessions, as a page that comes back has two for a moment.
pub(super) const MOST_SOCKETS: u32 = 64;

/// What all connections share.
#[derive(Debug)]
pub(super) struct WebState {
    pub(super) hosts: ServedHosts,
    pub(super) key: AccessKey,
    pub(super) ticket: Ticket,
    /// The door for guests on the network.
    pub(super) door: Option<CodeDoor>,
    /// The files of the page by their paths, as in `/app.js`.
    pub(super) files: HashMap<String, PageFile>,
    pub(super) folder: Option<Arc<GameFolder>>,
    pub(super) sessions: Arc<Sessions>,
    /// The match that is watched.
    pub(super) live: Option<LiveText>,
    /// The sockets that may still be opened.
    pub(super) sockets: Arc<Semaphore>,
    /// True once the server ends.
    pub(super) ends: watch::Receiver<bool>,
}

/// Waits until the server ends.
pub(super) async fn end(ends: &mut watch::Receiver<bool>) {
    // Without a sender it has ended, too.
    let _ = ends.wait_for(|&ends| ends).await;
}
