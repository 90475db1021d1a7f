//! The transcripts that the program carries: those of `protocol-tests`.

use super::parse::ParseError;
use super::script::Transcript;

/// Makes a table of files of `protocol-tests` with their text.
macro_rules! embedded {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../protocol-tests/", $name)))),*]
    };
}

/// The name and the text of each transcript, in the order of the names.
#[rustfmt::skip]
const TRANSCRIPTS: &[(&str, &str)] = embedded! {
    "001-silent-start.txt"
    "002-start-15.txt"
    "003-start-20.txt"
    "004-smallest-and-largest.txt"
    "005-start-too-small.txt"
    "006-start-too-large.txt"
    "007-start-malformed.txt"
    "008-start-after-errors.txt"
    "009-start-two-numbers.txt"
    "010-start-rectangle.txt"
    "011-rectstart-square.txt"
    "012-rectstart.txt"
    "013-rectstart-malformed.txt"
    "014-about-before-start.txt"
    "015-about-format.txt"
    "016-start-in-one-burst.txt"
    "017-restart-before-start.txt"
    "018-commands-before-start.txt"
    "019-arguments.txt"
    "020-crlf.txt"
    "021-case-of-commands.txt"
    "022-blanks-in-commands.txt"
    "023-blank-lines.txt"
    "024-unknown-command.txt"
    "025-done-outside-block.txt"
    "026-cell-outside-block.txt"
    "027-overlong-line.txt"
    "028-odd-bytes.txt"
    "029-last-line-without-end.txt"
    "030-line-discipline.txt"
    "031-silent-stderr.txt"
    "032-info-keys.txt"
    "033-info-malformed.txt"
    "034-info-key-case.txt"
    "035-timeout-turn-0.txt"
    "036-unlimited-until-stopped.txt"
    "037-unlimited-match.txt"
    "038-time-overrun.txt"
    "039-node-limit.txt"
    "040-max-memory.txt"
    "041-standard-overline.txt"
    "042-folder.txt"
    "043-evaluate.txt"
    "044-rule-before-or-after-start.txt"
    "045-unsupported-rule.txt"
    "046-extension-keys.txt"
    "047-begin.txt"
    "048-begin-with-stones.txt"
    "049-turn-first.txt"
    "050-turn-twice.txt"
    "051-turn-on-own-stone.txt"
    "052-turn-malformed.txt"
    "053-turn-with-blanks.txt"
    "054-turn-with-more.txt"
    "055-whole-games.txt"
    "056-board-full.txt"
    "057-one-empty-cell.txt"
    "058-won-already.txt"
    "059-own-open-four.txt"
    "060-judge-standard.txt"
    "061-judge-renju.txt"
    "062-judge-caro.txt"
    "063-renju-forbidden-by-opponent.txt"
    "064-renju-forbidden-own.txt"
    "065-renju-five-and-overline.txt"
    "066-board-empty.txt"
    "067-board-in-playing-order.txt"
    "068-board-in-any-order.txt"
    "069-board-counts.txt"
    "070-board-odd-counts.txt"
    "071-board-malformed.txt"
    "072-board-neutral-stones.txt"
    "073-board-blank-line.txt"
    "074-board-on-one-line.txt"
    "075-board-mixed-line-ends.txt"
    "076-board-twice.txt"
    "077-board-end-of-input.txt"
    "078-board-end.txt"
    "079-yxboard-then-turn.txt"
    "080-board-too-long.txt"
    "081-takeback.txt"
    "082-takeback-not-last.txt"
    "083-takeback-nothing.txt"
    "084-restart.txt"
    "085-restart-begin.txt"
    "086-play.txt"
    "087-play-illegal.txt"
    "088-start-again.txt"
    "089-swap2-opening.txt"
    "090-swap2-three.txt"
    "091-swap2-five.txt"
    "092-swap2-malformed.txt"
    "093-swap2-third-field.txt"
    "094-swap2-then-board.txt"
    "095-yixin-swap2.txt"
    "096-stop.txt"
    "097-yxstop.txt"
    "098-stop-idle.txt"
    "099-move-now.txt"
    "100-clock-during-search.txt"
    "101-end-during-search.txt"
    "102-end-of-input-during-search.txt"
    "103-end-of-input-without-limit.txt"
    "104-end-of-input-idle.txt"
    "105-output-closed.txt"
    "106-sigterm.txt"
    "107-yixin-board-abort.txt"
    "108-query-during-search.txt"
    "109-about-during-search.txt"
    "110-begin-during-search.txt"
    "111-threads-during-search.txt"
    "112-thousand-games.txt"
    "113-suspended.txt"
    "114-yxshowinfo.txt"
    "115-yxshowforbid-freestyle.txt"
    "116-yxshowforbid-renju.txt"
    "117-yxshowforbid-white.txt"
    "118-yxnbest.txt"
    "119-yxnbest-without-info.txt"
    "120-yxblock.txt"
    "121-yxblock-undone.txt"
    "122-yxblock-all.txt"
    "123-hash-files.txt"
    "124-yxblockpath.txt"
    "125-yxbalanceone.txt"
    "126-yxbalancetwo.txt"
    "127-words-without-effect.txt"
    "128-rule-2.txt"
    "129-forbidden-after-own-move.txt"
    "130-info-behind-board.txt"
    "131-yxedittextdatabase.txt"
    "132-yxquerydatabaseallt.txt"
    "133-gomocalc.txt"
    "134-judge-burst.txt"
    "135-hundred-games.txt"
    "136-info-book.txt"
    "137-script.txt"
    "138-script-end.txt"
    "139-script-stop.txt"
    "140-stones-of-other-commands.txt"
    "141-folder-with-blanks.txt"
    "142-own-open-four-rules.txt"
    "143-whole-game-by-board.txt"
    "201-piskvork-first-player.txt"
    "202-piskvork-second-player.txt"
    "203-piskvork-undo.txt"
    "204-piskvork-move-now.txt"
    "205-piskvork-new-game.txt"
    "206-piskvork-loaded-position.txt"
    "207-yixin-board-start.txt"
    "208-yixin-board-engine-to-move.txt"
    "209-yixin-board-human-moved.txt"
    "210-yixin-board-undo.txt"
    "211-yixin-board-stop.txt"
    "212-yixin-board-console.txt"
    "213-yixin-board-swap2.txt"
    "214-yixin-board-soosorv.txt"
    "215-qpiskvork-first-player.txt"
    "216-qpiskvork-continue.txt"
    "217-qpiskvork-swap2.txt"
    "218-c-gomoku-cli.txt"
    "219-gomocalc-game.txt"
    "220-gomocalc-stop.txt"
    "221-judge.txt"
    "222-judge-swap2.txt"
    "223-pygomo.txt"
    "224-judge-local.txt"
    "225-cute.txt"
    "226-yixin-board-database.txt"
    "227-piskvork-rectangle.txt"
    "301-piskvork-recorded.txt"
    "302-yixin-board-recorded.txt"
    "303-yixin-board-fork-recorded.txt"
    "304-qpiskvork-recorded.txt"
    "305-c-gomoku-cli-recorded.txt"
    "306-judge-recorded.txt"
    "307-gomocalc-recorded.txt"
    "308-pygomo-recorded.txt"
    "309-yixin-board-database-recorded.txt"
    "310-yixin-board-fork-database-recorded.txt"
};

/// Returns the transcripts that the program carries.
///
/// # Errors
///
/// Returns the first one that is not a transcript.
pub fn builtin() -> Result<Vec<Transcript>, ParseError> {
    TRANSCRIPTS.iter().map(|(name, text)| Transcript::parse(name, text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_file_of_protocol_tests_is_carried() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../protocol-tests");
        let names = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> =
            names.map(|name| name.into_string().expect("names are ASCII")).collect();
        names.retain(|name| name.ends_with(".txt"));
        names.sort();
        assert!(TRANSCRIPTS.iter().map(|(name, _)| *name).eq(names.iter().map(String::as_str)));
        assert_eq!(builtin().expect("all transcripts parse").len(), names.len());
    }
}
