//! `tengen convert` and `tengen show` with the real binary.

use std::process::Output;

use crate::place::Place;

impl Place {
    /// Returns standard output and standard error of a command that succeeds.
    fn succeed(&self, args: &[&str], input: &str) -> (String, String) {
        let output = self.run(args, input);
        let (out, err) = texts(&output);
        assert!(output.status.success(), "{args:?}: {err}");
        (out, err)
    }

    /// Returns the only line of a command that fails.
    fn refusal(&self, args: &[&str]) -> String {
        let output = self.run(args, "");
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {err}");
        assert!(out.is_empty(), "{args:?}: {out}");
        assert_eq!(err.lines().count(), 1, "{err}");
        err.trim_end().to_owned()
    }
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

const PSQ: &str = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n8,9,812\n9,8,40\n8,10,5\n9,9,40\n\
                   8,11,5\n9,10,40\n8,7,5\none\ntwo\n0\n";

#[test]
fn a_game_becomes_another_format_by_extension() {
    let place = Place::new("convert-one");
    place.write("game.psq", PSQ);
    let (out, err) = place.succeed(&["convert", "game.psq", "-o", "game.sgf"], "");
    assert_eq!((out.as_str(), err.as_str()), ("", ""));
    let root = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[tengen:{}]SZ[15]PB[one]PW[two]RE[?]",
        env!("CARGO_PKG_VERSION")
    );
    let sgf = place.read("game.sgf");
    assert!(sgf.starts_with(&root), "{sgf}");
    assert!(sgf.contains("\n;B[hh];W[ig];B[hi]C[812ms];W[ih]C[40ms];"), "{sgf}");
    place.succeed(&["convert", "game.sgf", "-o", "back.psq"], "");
    assert_eq!(place.read("back.psq"), PSQ);
    assert_eq!(place.files("."), ["back.psq", "game.psq", "game.sgf"]);
}

#[test]
fn standard_input_and_output_serve_as_files() {
    let place = Place::new("convert-stream");
    let (out, err) = place.succeed(&["convert", "--rule", "standard", "--to", "json", "-"], PSQ);
    assert_eq!(
        out,
        "{\"tengen\":1,\"size\":[15,15],\"rule\":\"standard\",\"black\":\"one\",\"white\":\"two\",\
         \"result\":\"black\",\"reason\":\"five\",\"opening\":0,\"moves\":\"h8i7h9i8h10i9h11i10h7\",\
         \"times\":[null,null,812,40,5,40,5,40,5]}\n"
    );
    assert_eq!(err, "");
    let (again, err) = place.succeed(&["convert", "--to", "psq", "-o", "-", "-"], &out);
    assert_eq!(again, PSQ);
    assert_eq!(err, "Lost, as psq cannot hold it: the rule, the result, the reason\n");
}

/// A library: h8 with a name, then i7 or a marked i8 with texts on the board, in an old code page.
const LIB: &[u8] = b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\
    \x78\x08\xd7\xf7\0\0\x69\xc0\x79\x51\0\x01!\0";

#[test]
fn libraries_become_games_and_libraries_again() {
    let place = Place::new("convert-lib");
    std::fs::write(place.path("game.lib"), LIB).unwrap();
    let convert = ["convert", "--encoding", "gbk"];
    let (_, err) = place.succeed(&[&convert[..], &["game.lib", "-o", "game.sgf"]].concat(), "");
    assert_eq!(err, "");
    let sgf = place.read("game.sgf");
    assert!(sgf.contains(";B[hh]N[作]LB[ih:!]"), "{sgf}");
    assert!(sgf.contains("(;W[ih]MA[ih])"), "{sgf}");
    let (_, err) = place.succeed(&[&convert[..], &["game.sgf", "-o", "back.lib"]].concat(), "");
    assert_eq!(err, "");
    assert_eq!(std::fs::read(place.path("back.lib")).unwrap(), LIB);
    let (out, _) = place.succeed(&["show", "back.lib", "--encoding", "gbk", "--after", "1"], "");
    assert!(out.contains("  1. h8    2. i7\nMove 1, black h8: 作\n"), "{out}");
    let (_, err) = place.succeed(&["convert", "game.lib", "-o", "game.psq"], "");
    assert_eq!(err, "Lost, as psq cannot hold it: marks on moves, variations\n");
}

#[test]
fn what_is_no_library_leaves_no_file() {
    let place = Place::new("convert-no-lib");
    std::fs::write(place.path("cut.lib"), &LIB[..24]).unwrap();
    assert_eq!(
        place.refusal(&["convert", "cut.lib", "-o", "game.sgf"]),
        "Error: cut.lib: byte 24: expected the end of a text"
    );
    place.write("c.lib", "!<arch>\n");
    assert_eq!(
        place.refusal(&["convert", "c.lib", "-o", "game.sgf"]),
        "Error: c.lib: byte 0: expected the head of a RenLib library"
    );
    place.write("large.sgf", "(;SZ[20];B[hh])");
    let error = place.refusal(&["convert", "large.sgf", "-o", "large.lib"]);
    assert!(error.ends_with("lib holds only games on boards of 15x15"), "{error}");
    assert_eq!(place.files("."), ["c.lib", "cut.lib", "large.sgf"]);
}

#[test]
fn several_games_go_to_numbered_files_where_one_holds_only_one() {
    let place = Place::new("convert-many");
    place.write("a.pos", "h8i9\n\nj10\n");
    place.write("b.txt", "0,0, 1,1\r\n");
    let (_, err) = place.succeed(&["convert", "a.pos", "b.txt", "-o", "out.psq"], "");
    assert_eq!(err, "");
    assert_eq!(place.files("."), ["a.pos", "b.txt", "out-1.psq", "out-2.psq", "out-3.psq"]);
    assert_eq!(place.read("out-2.psq"), "Piskvorky 15x15, 11:11, 0\n10,10,0\n-1\n");
    let names = ["out-1.psq", "out-2.psq", "out-3.psq"];
    let (out, _) = place.succeed(&[&["convert", "--to", "pos"][..], &names].concat(), "");
    assert_eq!(out, "h8i9\nj10\nh8i9\n");
    let complaint = place.refusal(&["convert", "a.pos", "--to", "psq"]);
    assert!(complaint.starts_with("Error: psq holds one game a file, and there are 2"));
}

#[test]
fn a_file_is_replaced_as_a_whole_or_not_at_all() {
    let place = Place::new("convert-whole");
    place.write("good.pos", "h8i9\n");
    place.write("bad.pos", "h8h8\nh8i9h9x\n");
    place.write("out.sgf", "old");
    let output = place.run(&["convert", "bad.pos", "-o", "out.sgf"], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(place.read("out.sgf"), "old", "nothing could be converted");
    let complaint = place.refusal(&["convert", "good.pos", "gone.pos", "-o", "out.sgf"]);
    assert!(complaint.starts_with("Error: cannot read gone.pos"), "{complaint}");
    assert_eq!(place.read("out.sgf"), "old");
    place.succeed(&["convert", "good.pos", "-o", "out.sgf"], "");
    assert!(place.read("out.sgf").contains(";B[hh];W[ii]"));
    place.write("empty.sgf", "(;GM[4])");
    let complaint = place.refusal(&["convert", "empty.sgf", "-o", "out.pos"]);
    assert_eq!(complaint, "Error: empty.sgf, game 1: pos cannot hold games without moves");
    let complaint = place.refusal(&["convert", "good.pos", "-o", "nowhere/out.sgf"]);
    assert!(complaint.starts_with("Error: cannot write nowhere/out.sgf"), "{complaint}");
    assert_eq!(place.files("."), ["bad.pos", "empty.sgf", "good.pos", "out.sgf"]);
}

#[test]
fn games_are_never_written_to_where_they_were_read() {
    let place = Place::new("convert-apart");
    let three = "h8i9h10\nh8i9h8\nj10\n";
    place.write("three.pos", three);
    let output = place.run(&["convert", "three.pos", "-o", "./three.pos"], "");
    let (_, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(err.ends_with("Error: cannot write ./three.pos: the same file has another use\n"));
    assert_eq!(place.read("three.pos"), three);
    place.write("two.pos", "h8\nj10\n");
    place.write("out-1.psq", PSQ);
    let inputs = ["convert", "two.pos", "out-1.psq", "-o", "out.psq"];
    let complaint = place.refusal(&inputs);
    assert_eq!(complaint, "Error: cannot write out-1.psq: the same file has another use");
    assert_eq!(place.read("out-1.psq"), PSQ);
    assert_eq!(place.files("."), ["out-1.psq", "three.pos", "two.pos"]);
    // One whose name only gets numbers stays as it is.
    place.write("out.psq", PSQ);
    place.succeed(&["convert", "two.pos", "out.psq", "-o", "out.psq"], "");
    assert_eq!(place.read("out.psq"), PSQ);
    assert!(place.read("out-3.psq").contains("\n8,8,0\n"));
}

#[test]
fn a_bad_game_is_named_and_the_others_are_converted() {
    let place = Place::new("convert-bad");
    place.write("a.pos", "h8i9\n\nh8i9h9x\nj10\n");
    place.write(
        "b.sgf",
        "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[zz])(;GM[4]SZ[15])(;GM[4]SZ[15];B[aa])",
    );
    place.write("c.psq", "what?\n");
    place.write("d.pos", "\n");
    place.write("e.pos", "a2\n");
    let files = ["a.pos", "b.sgf", "c.psq", "d.pos", "e.pos"];
    let output = place.run(&[&["convert", "--to", "pos"][..], &files].concat(), "");
    let (out, err) = texts(&output);
    assert_eq!((out.as_str(), output.status.code()), ("h8i9\nj10\nh8\na1\na2\n", Some(1)));
    let said = [
        "Error: a.pos:3:7: expected a cell such as h8 (game 2)",
        "Error: b.sgf:1:37: expected a cell of a 15x15 board (game 2)",
        "Error: b.sgf, game 3: pos cannot hold games without moves",
        "Error: c.psq:1:1: expected `Piskvorky`",
        "Error: there are no games in d.pos",
    ];
    assert_eq!(err.lines().collect::<Vec<_>>(), said);
    let output = place.run(&[&["convert", "-o", "out.psq"][..], &files].concat(), "");
    assert_eq!(output.status.code(), Some(1));
    let made: Vec<String> =
        place.files(".").into_iter().filter(|name| name.starts_with("out")).collect();
    assert_eq!(made, (1..=6).map(|n| format!("out-{n}.psq")).collect::<Vec<_>>());
}

#[test]
fn what_cannot_be_told_has_to_be_named() {
    let place = Place::new("convert-unclear");
    place.write("game.txt", "hello\n");
    place.write("none.pos", "\n");
    place.write("head.jsonl", "{\"tengen_match\":1,\"event\":\"a\"}\n");
    place.write("game.psq", PSQ);
    for (args, complaint) in [
        (
            &["convert", "game.txt", "--to", "sgf"][..],
            "Error: cannot tell the format of game.txt: name it with --from",
        ),
        (
            &["convert", "game.psq"],
            "Error: name the format with --to, or by the extension of a file for --output",
        ),
        (&["convert", "none.pos", "--to", "sgf"], "Error: there are no games in none.pos"),
        (&["convert", "head.jsonl", "--to", "sgf"], "Error: there are no games in head.jsonl"),
        (&["show", "game.psq", "--game", "2"], "Error: there is no game 2: game.psq has 1 game"),
        (&["show", "game.psq", "--game", "0"], "Error: there is no game 0: game.psq has 1 game"),
        (&["show", "game.psq", "--after", "10"], "Error: there is no move 10: game 1 has 9 moves"),
    ] {
        assert_eq!(place.refusal(args), complaint, "{args:?}");
    }
}

#[test]
fn a_game_is_shown_with_its_last_move_marked() {
    let place = Place::new("show");
    place.write("game.psq", PSQ);
    let (out, err) = place.succeed(&["show", "--rule", "standard", "game.psq"], "");
    assert_eq!(err, "");
    assert!(out.starts_with("Game 1 of 1: one (X) - two (O), 15x15, standard\n\n"), "{out}");
    assert!(out.contains("\n  7 . . . . . . .(X)O . . . . . .\n  8 . . . . . . . X O"), "{out}");
    let end = "\n\n  1. h8    2. i7    3. h9    4. i8    5. h10   6. i9    7. h11   8. i10   9. h7\n\
               Move 9, black h7: 5 ms\nResult: black won (five)\n";
    assert!(out.ends_with(end), "{out}");
    let (out, _) = place.succeed(&["show", "--after", "2", "game.psq"], "");
    assert!(out.contains("\n  7 . . . . . . . .(O). . . . . .\n  8 . . . . . . . X ."), "{out}");
    let (out, _) = place.succeed(&["show", "--after", "0", "-"], PSQ);
    assert!(!out.contains("(X)O") && !out.contains("(O)."), "{out}");
    let thought = "{\"tengen\":1,\"size\":[15,15],\"moves\":\"h8\",\"times\":[7],\
                   \"scores\":[-3],\"depths\":[9],\"nodes\":[5120]}";
    let (out, _) = place.succeed(&["show", "-"], thought);
    assert!(out.contains("\nMove 1, black h8: 7 ms, score -3, depth 9, 5120 nodes\n"), "{out}");
}

#[test]
fn rows_of_cells_count_from_the_edge_that_is_asked_for() {
    let place = Place::new("convert-origin");
    // The help text of Yixin-Board has this one, counted from the bottom.
    let (from_bottom, from_top) = ("f11h7g10h6i10h5\n", "f5h9g6h10i6h11\n");
    let args = ["convert", "--from", "pos", "--to", "pos", "-"];
    let convert = |more: &[&str]| place.succeed(&[&args[..], more].concat(), from_bottom).0;
    assert_eq!(convert(&[]), from_bottom);
    assert_eq!(convert(&["--origin", "bottom"]), from_top);
    assert_eq!(convert(&["--output-origin", "bottom"]), from_top);
    assert_eq!(convert(&["--origin", "bottom", "--output-origin", "bottom"]), from_bottom);
    let noted = "(;FF[4]GM[4]SZ[15];B[hh]TR[hh])";
    let from_sgf = ["convert", "--from", "sgf", "--to", "pos", "-", "--output-origin", "bottom"];
    assert!(place.succeed(&from_sgf, noted).1.contains("marks on moves"));
    let to_sgf = ["convert", "--to", "sgf", "--origin", "bottom", "--from", "pos", "-"];
    assert!(place.succeed(&to_sgf, from_bottom).0.contains(";B[fe]"));
}

#[test]
fn renju_is_shown_with_rows_from_the_bottom_as_it_is_printed() {
    let place = Place::new("show-origin");
    let game = "{\"tengen\":1,\"size\":[15,15],\"rule\":\"renju\",\"moves\":\"h8h6\"}";
    let (out, _) = place.succeed(&["show", "-"], game);
    assert!(out.contains("\n 15 . ") && out.contains("\n 10 . . . . . . .(O)"), "{out}");
    assert!(out.contains("  1. h8    2. h10\n"), "{out}");
    let (out, _) = place.succeed(&["show", "-", "--origin", "top"], game);
    assert!(out.contains("\n  6 . . . . . . .(O)") && out.contains("  2. h6\n"), "{out}");
    let (out, _) = place.succeed(&["show", "-", "--svg", "-"], game);
    assert!(out.contains("y=\"40\" dy=\"0.36em\">15</text>"), "{out}");
    // Text in rows of cells is not turned, whatever the rule.
    let (out, _) = place.succeed(&["show", "-", "--rule", "renju"], "h8h6\n");
    assert!(out.contains("\n  6 . . . . . . .(O)") && out.contains("  2. h6\n"), "{out}");
    let (out, _) = place.succeed(&["show", "-", "--origin", "bottom"], "h8h6\n");
    assert!(out.contains("\n  6 . . . . . . .(O)") && out.contains("\n 15 . "), "{out}");
}

#[test]
fn a_result_that_nobody_told_is_found_by_the_rule() {
    let place = Place::new("show-result");
    let moves = "h8 a1 i8 a3 j8 a5 k8 a7 l8";
    let won = "black won (five)";
    let shown = |args: &[&str], input: &str| place.succeed(&[&["show"], args].concat(), input).0;
    let typed = ["--moves", moves, "--rule", "renju"];
    let sgf = "(;SZ[15];B[hh];W[aa];B[ih];W[ac];B[jh];W[ae];B[kh];W[ag];B[lh])";
    let told = sgf.replace("SZ", "RE[W+R]SZ");
    assert!(shown(&typed, "").contains(won), "{}", shown(&typed, ""));
    let of_file = shown(&["-", "--rule", "renju"], sgf);
    assert!(of_file.contains(won), "{of_file}");
    for (args, input) in [(&["-", "--rule", "renju"][..], &told[..]), (&["-"], sgf)] {
        assert!(!shown(args, input).contains(won), "{input}");
    }
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_opened_once() {
    let place = Place::new("convert-pipe");
    let pipe = place.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    // Who writes is done after the first who opens it.
    let writer = std::thread::spawn(move || std::fs::write(pipe, "h8i9\n"));
    let (out, _) = place.succeed(&["convert", "--from", "pos", "--to", "pos", "pipe"], "");
    assert_eq!(out, "h8i9\n");
    writer.join().expect("no panic").expect("all is written");
}

#[test]
fn a_picture_is_drawn_to_a_file() {
    let place = Place::new("svg");
    place.write("game.psq", PSQ);
    let (out, _) = place.succeed(&["show", "game.psq", "--svg", "game.svg"], "");
    assert_eq!(out, "");
    let svg = place.read("game.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains("<title>one - two</title>"), "{svg}");
    let (out, _) = place.succeed(&["show", "game.psq", "--svg", "-"], "");
    assert_eq!(out, svg);
}

#[test]
fn typed_moves_are_shown_without_a_file() {
    let place = Place::new("show-moves");
    let (out, _) = place.succeed(&["show", "--moves", "h8 i9", "--rule", "renju"], "");
    assert!(out.starts_with("Game 1 of 1: Black (X) - White (O), 15x15, renju\n\n"), "{out}");
    assert!(out.contains("\n  8 . . . . . . . X"), "{out}");
    assert!(out.contains("\n  9 . . . . . . . .(O)"), "{out}");
    let (out, _) = place.succeed(&["show", "--moves", "h8 i9", "--size", "20", "--after", "1"], "");
    assert!(out.contains("20x20") && out.contains("(X)") && !out.contains("(O)."), "{out}");
    assert_eq!(
        place.refusal(&["show", "--moves", "h8 h8"]),
        "Error: --moves: 1:4: expected an empty cell"
    );
}

/// Options had other names once, which scripts may use.
#[test]
fn old_names_of_the_number_of_moves_still_count() {
    let place = Place::new("show-old");
    place.write("game.psq", PSQ);
    let shown = |option: &str| place.succeed(&["show", option, "2", "game.psq"], "").0;
    let solved = |option: &str| {
        let args = ["solve", "game.psq", option, "2", "--nodes", "20", "--quiet"];
        let (out, _) = texts(&place.run(&args, ""));
        out.lines().next().map(str::to_owned)
    };
    let analysed = |option: &str| {
        let args = ["--position", "game.psq", option, "2", "--depth", "1", "--hash", "1"];
        let out = place.succeed(&[&["analyse"], &args[..]].concat(), "").0;
        out.lines().next().map(str::to_owned)
    };
    for old in ["--move", "--ply"] {
        assert_eq!(shown(old), shown("--after"));
        assert_eq!(solved(old), solved("--after"));
        assert_eq!(analysed(old), analysed("--after"));
    }
}
