//! The files of the folder.

use std::sync::Arc;

use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::{Method, Request, StatusCode};
use serde::Serialize;

use super::answer::{PageAnswer, answer, bare, error, json, not_allowed};
use super::request::{decoded, is_own};
use super::state::WebState;
use crate::folder::{FolderError, GameFolder, ListedFile, MOST_BYTES};

/// The files of the folder, for scripts.
#[derive(Serialize)]
struct FileList {
    files: Vec<ListedFile>,
}

/// Answers for the folder, or for the file of it that the end of a path names.
pub(super) async fn answer_for(
    state: &WebState,
    request: Request<Incoming>,
    host: &str,
    name: &str,
) -> PageAnswer {
    let Some(folder) = state.folder.clone() else {
        return error(StatusCode::NOT_FOUND, "tengen web was started without --files");
    };
    let Some(name) = decoded(name) else {
        return error(StatusCode::BAD_REQUEST, "the name is no text");
    };
    let done = match (request.method(), name.as_str()) {
        (&Method::GET, "") => {
            blocking(folder, |folder| Ok(json(StatusCode::OK, &FileList { files: folder.list()? })))
                .await
        }
        (&Method::GET, _) => blocking(folder, move |folder| folder.read(&name).map(download)).await,
        (&Method::PUT, name) if !name.is_empty() && is_own(&request, state.hosts, host) => {
            write(folder, name.to_owned(), request).await
        }
        (&Method::PUT, name) if !name.is_empty() => {
            return error(StatusCode::FORBIDDEN, "only pages of this server write files");
        }
        _ => return not_allowed("GET, PUT"),
    };
    done.unwrap_or_else(|fault| error(status_of(&fault), &fault.to_string()))
}

async fn write(
    folder: Arc<GameFolder>,
    name: String,
    request: Request<Incoming>,
) -> Result<PageAnswer, FolderError> {
    let new = request.headers().contains_key(header::IF_NONE_MATCH);
    // The name is checked before the content is received.
    folder.place(&name)?;
    let body = Limited::new(request.into_body(), MOST_BYTES).collect().await;
    let content = body.map_err(|_| FolderError::Long)?.to_bytes();
    blocking(folder, move |folder| {
        folder.write(&name, &content, new)?;
        Ok(bare(StatusCode::NO_CONTENT))
    })
    .await
}

/// Does what waits for the disk where it stops nobody.
async fn blocking(
    folder: Arc<GameFolder>,
    work: impl FnOnce(&GameFolder) -> Result<PageAnswer, FolderError> + Send + 'static,
) -> Result<PageAnswer, FolderError> {
    let done = tokio::task::spawn_blocking(move || work(&folder)).await;
    done.unwrap_or_else(|fault| Err(FolderError::System(fault.into())))
}

/// Returns a file that browsers save and do not show: it is no page of ours.
fn download(content: Vec<u8>) -> PageAnswer {
    let mut answer = answer(StatusCode::OK, "application/octet-stream", content);
    let attachment = HeaderValue::from_static("attachment");
    answer.headers_mut().insert(header::CONTENT_DISPOSITION, attachment);
    answer
}

const fn status_of(fault: &FolderError) -> StatusCode {
    match fault {
        FolderError::Name(_) => StatusCode::BAD_REQUEST,
        FolderError::Missing(_) => StatusCode::NOT_FOUND,
        FolderError::Exists(_) => StatusCode::PRECONDITION_FAILED,
        FolderError::Long => StatusCode::PAYLOAD_TOO_LARGE,
        FolderError::System(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
