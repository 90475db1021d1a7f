//! The socket between a page and its engine.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::upgrade::Upgraded;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::sync::watch;
use tokio::time::{Instant, interval, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message, Utf8Bytes};

use super::answer::{PageAnswer, error};
use super::request::{is_own, query, session_id};
use super::state::{WebState, end};
use crate::engines::{Attached, PageDelivery, Said};
use tengen_engine::protocol::MAX_INPUT_LINE;

/// The time that a page has to take a line, and to show that it is there.
const PATIENCE: Duration = Duration::from_secs(30);
/// The pause before a line is said again to an engine that does not read.
const PAUSE: Duration = Duration::from_millis(10);

/// The time that a page has to answer when its socket is closed.
pub(super) const CLOSING: Duration = Duration::from_secs(2);

/// The session is open in another window.
const TAKEN_OVER: CloseCode = CloseCode::Library(4001);
/// The session is over.
const OVER: CloseCode = CloseCode::Library(4002);

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Makes a socket of a request, and gives it the engine of its session.
pub(super) fn upgrade(
    state: &Arc<WebState>,
    mut request: Request<Incoming>,
    host: &str,
) -> PageAnswer {
    if !is_own(&request, state.hosts, host) {
        return error(StatusCode::FORBIDDEN, "only pages of this server have engines");
    }
    let asked = request.uri().query().unwrap_or_default();
    let Some(session) = session_id(query(asked, "session")) else {
        return error(StatusCode::BAD_REQUEST, "session= is 8 to 64 letters, digits, - and _");
    };
    let engine = query(asked, "engine").map_or(Some(0), |text| text.parse().ok());
    let Some(engine) = engine else {
        return error(StatusCode::BAD_REQUEST, "engine= is a number of /api/info");
    };
    let response = match create_response_with_body(&request, Full::default) {
        Ok(response) => response,
        Err(fault) => return error(StatusCode::BAD_REQUEST, &fault.to_string()),
    };
    let Ok(place) = Arc::clone(&state.sockets).try_acquire_owned() else {
        return error(StatusCode::SERVICE_UNAVAILABLE, "too many pages are open");
    };
    let upgraded = hyper::upgrade::on(&mut request);
    let state = Arc::clone(state);
    tokio::spawn(async move {
        let Ok(upgraded) = upgraded.await else { return };
        let config = WebSocketConfig::default()
            .max_message_size(Some(MAX_INPUT_LINE))
            .max_frame_size(Some(MAX_INPUT_LINE))
            .read_buffer_size(8 * 1024)
            .write_buffer_size(0)
            .max_write_buffer_size(1 << 20);
        let io = TokioIo::new(upgraded);
        let mut socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
        let (code, why) = match state.sessions.attach(&session, engine) {
            Ok(attached) => serve(&mut socket, attached, state.ends.clone()).await,
            Err(fault) => {
                let _ = say(&mut socket, fault.state()).await;
                (OVER, "there is no engine")
            }
        };
        close(socket, code, why).await;
        drop(place);
    });
    response
}

/// Passes lines between a page and its engine, until one of them is gone; returns why the socket is closed.
async fn serve(
    socket: &mut Socket,
    mut attached: Attached,
    mut ends: watch::Receiver<bool>,
) -> (CloseCode, &'static str) {
    let ending = ends.clone();
    let mut ping = interval(PATIENCE / 2);
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            () = end(&mut ends) => return (CloseCode::Away, "the server ends"),
            _ = ping.tick() => {
                let is_silent = heard.elapsed() > PATIENCE;
                if is_silent || send(socket, Message::Ping(Default::default())).await.is_err() {
                    return (CloseCode::Away, "the page is silent");
                }
            }
            delivery = attached.next() => match delivery {
                PageDelivery::Lines(lines) => {
                    for line in lines {
                        if say(socket, line).await.is_err() {
                            return (CloseCode::Away, "the page does not read");
                        }
                    }
                }
                PageDelivery::TakenOver(last) => {
                    let _ = say(socket, last).await;
                    return (TAKEN_OVER, "the game is open in another window");
                }
                // Which of the two is noticed first is chance.
                PageDelivery::Over if *ending.borrow() => {
                    return (CloseCode::Away, "the server ends");
                }
                PageDelivery::Over => return (OVER, "the session is over"),
            },
            message = socket.next() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(line))) => {
                        if !pass_on(&attached, &line, &ending).await {
                            return (CloseCode::Again, "the engine does not read");
                        }
                    }
                    Some(Ok(Message::Binary(_))) => return (CloseCode::Unsupported, "lines are text"),
                    Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                    Some(Err(Error::Capacity(_))) => return (CloseCode::Size, "the line is too long"),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => {
                        return (CloseCode::Normal, "the page is closed");
                    }
                }
            }
        }
    }
}

/// Says a line to the engine as soon as that reads; returns whether it did in time.
async fn pass_on(attached: &Attached, line: &str, ends: &watch::Receiver<bool>) -> bool {
    let begun = Instant::now();
    // The end of a session is told by what comes next.
    while attached.say(line) == Said::Later {
        if begun.elapsed() > PATIENCE || *ends.borrow() {
            return false;
        }
        tokio::time::sleep(PAUSE).await;
    }
    true
}

async fn say(socket: &mut Socket, line: String) -> Result<(), Error> {
    send(socket, Message::Text(Utf8Bytes::from(line))).await
}

/// Sends a message to a page that takes it in time.
async fn send(socket: &mut Socket, message: Message) -> Result<(), Error> {
    timeout(PATIENCE, socket.send(message)).await.unwrap_or(Err(Error::ConnectionClosed))
}

/// Closes a socket, and waits for a moment until the other side does: what was sent last would be lost.
async fn close(mut socket: Socket, code: CloseCode, why: &'static str) {
    let frame = CloseFrame { code, reason: Utf8Bytes::from_static(why) };
    let closing = async {
        if socket.close(Some(frame)).await.is_ok() {
            while let Some(Ok(_)) = socket.next().await {}
        }
    };
    let _ = timeout(CLOSING, closing).await;
}
