//! Sessions with a scripted engine and a clock that tests own.

mod changed;
mod coach;
mod game;
mod opening;
mod programs;
mod session;
