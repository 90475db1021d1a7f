//! The engines that pages can choose.

use anyhow::{Context, bail};

use tengen_lab::arena::{ContestantKind, EngineWords};
use tengen_lab::process::EngineCommand;
use tengen_web::engines::WebEngine;

/// Returns the engines of the options, and this program after them.
pub(super) fn chosen(options: &[Vec<String>]) -> anyhow::Result<Vec<WebEngine>> {
    let own = std::env::current_exe().context("cannot find this program")?;
    let named = options.iter().map(|words| {
        let title = words.first().map_or("", String::as_str);
        engine(words).with_context(|| format!("--engine {title}"))
    });
    let tengen = WebEngine {
        name: "tengen".to_owned(),
        command: EngineCommand::new(own, &[]),
        dir: None,
        first: Vec::new(),
        levels: true,
    };
    named.chain([Ok(tengen)]).collect()
}

/// Returns the engine that words describe.
fn engine(words: &[String]) -> anyhow::Result<WebEngine> {
    let words = EngineWords::read(words)?;
    let Some(name) = words.name.clone().or_else(|| words.plain_name()) else {
        bail!("cmd= is missing: which program?");
    };
    let EngineWords { kind, dir, threads, memory, options, .. } = &words;
    let Some(ContestantKind::Process(command)) = kind else {
        bail!("only programs play with the page: cmd=./rapfi");
    };
    let used = EngineWords {
        kind: kind.clone(),
        name: words.name.clone(),
        dir: dir.clone(),
        threads: *threads,
        memory: *memory,
        options: options.clone(),
        ..EngineWords::default()
    };
    if used != words {
        bail!(
            "times, limits and levels are for the page to say: cmd, name, dir, threads, memory and INFO keys"
        );
    }
    let threads = threads.map(|threads| format!("INFO thread_num {threads}"));
    let memory = memory.map(|bytes| format!("INFO max_memory {bytes}"));
    let options = options.iter().map(|(key, value)| format!("INFO {key} {value}"));
    Ok(WebEngine {
        name,
        command: command.clone().with_absolute_paths(dir.as_deref()),
        dir: dir.clone(),
        first: threads.into_iter().chain(memory).chain(options).collect(),
        levels: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<WebEngine, String> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        engine(&words).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn engines_are_described_as_for_matches() {
        let engine =
            read(&["cmd=no-such -x 'a b'", "threads=4", "memory=64", "style=wild"]).unwrap();
        assert_eq!(engine.name, "no-such");
        assert_eq!(engine.command.args(), ["-x", "a b"]);
        assert_eq!(
            engine.first,
            ["INFO thread_num 4", "INFO max_memory 67108864", "INFO style wild"]
        );
        assert_eq!(read(&["cmd=x", "name=Ann"]).unwrap().name, "Ann");
    }

    #[test]
    fn what_is_for_the_page_to_say_is_refused() {
        for (words, why) in [
            (&["name=x"][..], "only programs play with the page: cmd=./rapfi"),
            (&["threads=3"], "cmd= is missing: which program?"),
            (&["builtin=shapes"], "only programs play with the page: cmd=./rapfi"),
            (
                &["cmd=x", "turn=5"],
                "times, limits and levels are for the page to say: cmd, name, dir, threads, memory and INFO keys",
            ),
            (
                &["cmd=x", "trun=5"],
                "trun=5: did you mean turn=? To send it as it is, write info:trun=5",
            ),
        ] {
            assert_eq!(read(words).map(|_| ()), Err(why.to_owned()));
        }
    }
}
