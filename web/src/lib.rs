//! tengen in the browser: a web server on this machine, with a page and engines behind it.
//!
//! It serves a page that it carries, and connects it with engines, which are child processes that speak the
//! Gomocup/Piskvork protocol. Whoever has the key may use them, and nobody else: no page of another site, and
//! nobody on the network.
//!
//! The modules form levels, and each may use only modules of lower levels; see `DESIGN.md`.

pub mod access;
pub mod engines;
pub mod folder;
pub mod live;
pub mod page;
pub mod server;
