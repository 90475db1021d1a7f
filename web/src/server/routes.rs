//! Who answers what.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::thread;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, StatusCode};
use serde::Serialize;

use super::answer::{PageAnswer, answer, bare, error, json, not_allowed, secure, unknown};
use super::request::{has_key, host, is_foreign, takes_gzip};
use super::state::WebState;
use super::{files, join, socket, ticket};
use crate::page::PageFile;
use tengen_engine::machine;

/// The bytes of a mebibyte.
const MIB: u64 = 1 << 20;

/// What a page needs to know of the server.
#[derive(Serialize)]
struct ServerInfo<'a> {
    version: &'a str,
    engines: Vec<EngineInfo<'a>>,
    /// True if the first engine plays at the levels of tengen.
    levels: bool,
    /// True if there is a folder of games.
    files: bool,
    /// The most threads of an engine.
    cores: usize,
    /// The memory of the machine, in MiB.
    memory_mb: Option<u64>,
    /// The most memory of an engine, in MiB.
    max_memory_mb: u64,
}

#[derive(Serialize)]
struct EngineInfo<'a> {
    id: usize,
    name: &'a str,
    levels: bool,
}

/// Answers a request.
pub(super) async fn respond(
    state: Arc<WebState>,
    peer: SocketAddr,
    request: Request<Incoming>,
) -> Result<PageAnswer, Infallible> {
    let Some(host) = host(&request, state.hosts) else {
        let mut refusal = error(StatusCode::FORBIDDEN, "this server has another name");
        secure(&mut refusal, "");
        return Ok(refusal);
    };
    let mut answer = route(&state, request, &host, peer.ip()).await;
    secure(&mut answer, &host);
    Ok(answer)
}

async fn route(
    state: &Arc<WebState>,
    request: Request<Incoming>,
    host: &str,
    from: IpAddr,
) -> PageAnswer {
    let path = request.uri().path().to_owned();
    if let (Some(door), join::PATH) = (&state.door, path.as_str()) {
        return join::join(state, door, request, host, from).await;
    }
    if path == ticket::PATH {
        return ticket::open(state, &request);
    }
    let Some(api) = path.strip_prefix("/api/") else { return page_file(state, &request, &path) };
    if is_foreign(&request, state.hosts, host) {
        return error(StatusCode::FORBIDDEN, "a request from the page of another site");
    }
    if !has_key(&request, &state.key) {
        return unknown(state.door.as_ref().map(|_| join::PATH));
    }
    match api {
        "info" if request.method() == Method::GET => json(StatusCode::OK, &info(state)),
        "engine" if request.method() == Method::GET => socket::upgrade(state, request, host),
        "match" if request.method() == Method::GET => match &state.live {
            Some(live) => answer(StatusCode::OK, "application/json", live.get()),
            None => error(StatusCode::NOT_FOUND, "no match is being watched"),
        },
        "info" | "engine" | "match" => not_allowed("GET"),
        _ => match api.strip_prefix("files") {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                files::answer_for(state, request, host, rest.trim_start_matches('/')).await
            }
            _ => error(StatusCode::NOT_FOUND, "there is nothing here"),
        },
    }
}

/// Returns what a page needs to know.
fn info(state: &WebState) -> ServerInfo<'_> {
    let engines = state.sessions.engines();
    let limits = state.sessions.limits();
    ServerInfo {
        version: env!("CARGO_PKG_VERSION"),
        engines: (0..)
            .zip(engines)
            .map(|(id, engine)| EngineInfo { id, name: &engine.name, levels: engine.levels })
            .collect(),
        levels: engines.first().is_some_and(|engine| engine.levels),
        files: state.folder.is_some(),
        cores: limits.threads.min(thread::available_parallelism().map_or(1, usize::from)),
        memory_mb: machine::total_bytes().map(|bytes| bytes / MIB),
        max_memory_mb: limits.memory / MIB,
    }
}

/// Returns a file of the page. Their paths are all there are: nothing is looked up on a disk.
fn page_file(state: &WebState, request: &Request<Incoming>, path: &str) -> PageAnswer {
    let path = if path == "/" { "/index.html" } else { path };
    let Some(file) = state.files.get(path) else {
        return answer(
            StatusCode::NOT_FOUND,
            "text/plain; charset=utf-8",
            "There is no such page.\n",
        );
    };
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return not_allowed("GET, HEAD");
    }
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let is_known = known.is_some_and(|tags| {
        tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == file.tag)
    });
    let mut answer = if is_known { bare(StatusCode::NOT_MODIFIED) } else { content(file, request) };
    let headers = answer.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&file.tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    // An address with the key is not for the disk of a browser.
    if request.uri().query().is_none() {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    answer
}

fn content(file: &PageFile, request: &Request<Incoming>) -> PageAnswer {
    match file.packed().filter(|_| takes_gzip(request)) {
        Some(packed) => {
            let mut answer = answer(StatusCode::OK, file.kind, Bytes::from_static(packed));
            let gzip = HeaderValue::from_static("gzip");
            answer.headers_mut().insert(header::CONTENT_ENCODING, gzip);
            answer
        }
        None => {
            let mut answer = answer(StatusCode::OK, file.kind, Bytes::new());
            *answer.body_mut() = Full::new(file.plain().into_owned().into());
            answer
        }
    }
}
