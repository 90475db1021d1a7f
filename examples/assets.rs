//! Makes what packages hold besides the programs: manual pages, and completions for shells.
//!
//! `assets DIR DATE` writes `man/*.1` and `completions/*` to a folder, from the definitions of the command line. The
//! pages bear the date. The tool does not do it itself, as it would be larger.

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [dir, date] = args.as_slice() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "usage: assets DIR DATE"));
    };
    let [man, completions] = ["man", "completions"].map(|name| PathBuf::from(dir).join(name));
    fs::create_dir_all(&man)?;
    fs::create_dir_all(&completions)?;
    for mut command in tengen::command_lines() {
        let name = command.get_name().to_owned();
        // `help` needs no pages of its own.
        let mut with_pages = command.clone().disable_help_subcommand(true);
        with_pages.build();
        write_pages(&with_pages, &man, date)?;
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
            clap_complete::generate_to(shell, &mut command, &name, &completions)?;
        }
    }
    Ok(())
}

/// Writes the pages of a command and of those below it.
fn write_pages(command: &Command, dir: &Path, date: &str) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, dir, date)?;
    }
    let after = command.get_after_long_help().or(command.get_after_help());
    let after = after.map(ToString::to_string).unwrap_or_default();
    // Mangen would fill the explanations after the options as if they were one paragraph.
    let command = command.clone().after_help(None).after_long_help(None);
    let man = Man::new(command).date(date).source(concat!("tengen ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render(&mut page)?;
    explanations(&after).to_writer(&mut page)?;
    fs::write(dir.join(man.get_filename()), page)
}

/// Sets the explanations after the options as sections. A paragraph may begin with a heading, a line with a colon
/// at its end; entries of lists are indented, two blanks or more between a term and its text.
fn explanations(text: &str) -> Roff {
    let mut roff = Roff::new();
    let mut in_notes = false;
    for paragraph in text.split("\n\n") {
        let mut lines = paragraph;
        if let Some((heading, rest)) = heading(paragraph) {
            roff.control("SH", [heading.to_uppercase().as_str()]);
            (in_notes, lines) = (false, rest);
        }
        let mut continues = false;
        for line in lines.lines() {
            let words = line.trim_start();
            match line.len() - words.len() {
                0 if !continues && in_notes => _ = roff.control("PP", []),
                0 if !continues => {
                    roff.control("SH", ["NOTES"]);
                    in_notes = true;
                }
                2 => {
                    add_entry(&mut roff, words);
                    continues = false;
                    continue;
                }
                _ => {}
            }
            continues = !line.starts_with(' ');
            roff.text([roman(words)]);
        }
    }
    roff
}

/// Adds the first line of an entry of a list.
fn add_entry(roff: &mut Roff, words: &str) {
    if let Some(item) = words.strip_prefix("- ") {
        roff.control("IP", ["\\(bu", "2"]);
        roff.text([roman(item)]);
        return;
    }
    let (term, meaning) = words.split_once("  ").unwrap_or((words, ""));
    roff.control("TP", []);
    roff.text([bold(term)]);
    if !meaning.is_empty() {
        roff.text([roman(meaning.trim_start())]);
    }
}

/// Returns the heading that a paragraph begins with, and the list below it.
fn heading(paragraph: &str) -> Option<(&str, &str)> {
    let (first, list) = paragraph.split_once('\n')?;
    Some((first.strip_suffix(':').filter(|_| list.starts_with("  "))?, list))
}
