//! The databases of managers of the Yixin family.
//!
//! A session parses a command about a database into a [`DatabaseRequest`] and puts it into the queue of its
//! [`DatabasePort`]. A [`DatabaseWorker`] carries requests out, one after the other, on a
//! [`crate::database::PositionDatabase`]; its [replies](DatabaseReply) are printed when they come, while a
//! search goes on or not.
//!
//! Without an open database nothing is said, and bodies and paths are consumed all the same.

mod exchange;
mod port;
mod position;
mod replies;
mod request;
mod whole;
mod worker;

pub(super) use port::{DatabasePort, PortEvent};
pub use request::{DatabaseBlock, DatabaseEdit, DatabaseFile, DatabaseReply, DatabaseRequest};
pub use worker::DatabaseWorker;
