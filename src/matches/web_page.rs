//! The page in the browser that shows a running match.

use super::args::MatchArgs;
use super::show::Publisher;

/// Serves the page if it is wanted, and returns who tells it how the match stands. It ends with that.
#[cfg(feature = "web")]
pub(super) fn publisher(args: &MatchArgs) -> anyhow::Result<Option<Publisher<'static>>> {
    Ok(if args.watch_web { Some(served::publisher()?) } else { None })
}

/// Returns nobody: this edition of the tool has no web server.
#[cfg(not(feature = "web"))]
pub(super) fn publisher(_: &MatchArgs) -> anyhow::Result<Option<Publisher<'static>>> {
    Ok(None)
}

#[cfg(feature = "web")]
mod served {
    use std::thread;
    use std::time::Duration;

    use super::Publisher;
    use crate::common::browser::open_in_browser;
    use crate::common::words::note;
    use tengen_web::engines::EngineLimits;
    use tengen_web::live::LiveText;
    use tengen_web::server::{WebOptions, WebServer};

    /// The page of the match.
    const PAGE: &str = "live.html";
    /// The time in which pages ask for the end, which is twice that between two questions.
    const LINGER: Duration = Duration::from_secs(1);

    /// A server that waits a moment before it ends, so that pages hear of the end of the match.
    struct MatchServer {
        live: LiveText,
        _server: WebServer,
    }

    impl Drop for MatchServer {
        fn drop(&mut self) {
            thread::sleep(LINGER);
        }
    }

    pub(super) fn publisher() -> anyhow::Result<Publisher<'static>> {
        let live = LiveText::default();
        let server = WebServer::start(WebOptions {
            address: std::net::Ipv4Addr::LOCALHOST.into(),
            port: Some(0),
            code: None,
            engines: Vec::new(),
            limits: EngineLimits { threads: 1, memory: 0 },
            files: None,
            live: Some(live.clone()),
        })?;
        let url = server.url(PAGE);
        note(format_args!("The match is shown at {url}"));
        open_in_browser(server.url_for_once(PAGE), "the address");
        let server = MatchServer { live, _server: server };
        Ok(Box::new(move |json| server.live.set(json)))
    }
}
