//! An engine that misbehaves on demand, for tests of programs that have to tolerate it.
//!
//! `hostile KIND [MOVES [FILE]]` plays the first empty cell, row by row, and after so many moves
//! (none if not given) does what its kind says. Who babbles adds a byte to the file whenever it has
//! said all. It needs nothing but the standard library.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

const HELP: &str = "usage: hostile KIND [MOVES [FILE]]
  good             plays some legal move at once
  silent           does not answer
  late:MS          answers so much later
  garbage          answers something else than a move
  label            answers h8
  unknown          answers UNKNOWN
  long-line        answers a line of 1 GB
  flood            answers lines without end
  crash            aborts
  exit             ends, exit code 0
  exit-nonzero     ends, exit code 3
  occupied         plays on a stone
  outside          plays off the board
  forbidden        as black, plays towards an overline
  memory:MIB       takes that much memory, and plays on
  babbles          says much, and even a move, after each answer
  complains        writes to its standard error without end, and plays on
  closes-stdout    closes its output, and lives on
  leaves-child     starts another program, and ends, exit code 0
  ignores-about, ignores-start, ignores-end, ignores-sigterm
  slow-start:MS    does nothing for so long at first
  refuses          answers ERROR to START
  ok-text, ok-small, ok-blank
                   accepts a board in other words than OK alone
  greets           says hello before it is asked for anything
  deaf             writes messages and reads nothing
  bad-end          ends with exit code 3 when it is told to
  suggests, suggests-forever
                   answers SUGGEST and a move, and the move or SUGGEST again when told to play it
  spaces, remark, two-moves, blank-lines, cr, crlf, debugs, twice, cell-and-more
                   plays on, and writes its moves in other ways than alone on a line";

/// A game as the engine sees it.
struct Game {
    width: usize,
    height: usize,
    /// The owners of the cells, row by row: 1 is the engine.
    cells: Vec<u8>,
    /// The moves that the engine has made.
    moves: usize,
    /// The spelling of moves: the kind of the engine.
    style: String,
}

impl Game {
    fn new(width: usize, height: usize, style: &str) -> Game {
        let cells = vec![0; width * height];
        Game { width, height, cells, moves: 0, style: style.to_owned() }
    }

    fn set(&mut self, text: &str, owner: u8) {
        let mut numbers = text.split(',').map(|number| number.trim().parse::<usize>());
        if let (Some(Ok(x)), Some(Ok(y))) = (numbers.next(), numbers.next())
            && x < self.width
            && y < self.height
        {
            let owner = numbers.next().and_then(Result::ok).map_or(owner, |n| n as u8);
            self.cells[y * self.width + x] = owner;
        }
    }

    /// Finds the next stone of five in a row with a gap, whose filling makes six.
    fn towards_overline(&self) -> Option<usize> {
        const ORDER: [usize; 6] = [0, 1, 2, 4, 5, 3];
        let rows = (0..self.height).flat_map(|y| (0..self.width - 5).map(move |x| (x, y)));
        let starts = rows.map(|(x, y)| y * self.width + x);
        let free = starts.filter(|&start| (0..6).all(|i| self.cells[start + i] != 2));
        let own = |start: usize| (0..6).filter(|i| self.cells[start + i] == 1).count();
        // Of equals the last, far from where others begin.
        let start = free.max_by_key(|&start| own(start))?;
        ORDER.into_iter().map(|i| start + i).find(|&cell| self.cells[cell] == 0)
    }

    fn first(&self, owner: u8) -> Option<usize> {
        self.cells.iter().position(|&cell| cell == owner)
    }

    fn play(&mut self, cell: Option<usize>) {
        let Some(cell) = cell else { return say("ERROR no move") };
        self.cells[cell] = 1;
        let (x, y) = (cell % self.width, cell / self.width);
        let text = match self.style.as_str() {
            "spaces" => format!("  {x} , {y} \n"),
            "remark" => format!("{x},{y} -12\n"),
            "cell-and-more" => format!("{x},{y},1\n"),
            "two-moves" => format!("{x},{y} 14,14\n"),
            "blank-lines" => format!("\n \n{x},{y}\n\n"),
            "cr" => format!("{x},{y}\r"),
            "crlf" => format!("MESSAGE a\r\n{x},{y}\r\n"),
            "debugs" => format!("DEBUG 3,3\nMESSAGE 4,4\nMESSAGE\n{x},{y}\nDEBUG done\n"),
            "twice" => format!("{x},{y}\n{x},{y}\n"),
            _ => format!("{x},{y}\n"),
        };
        write(text.as_bytes());
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(kind) = args.next() else {
        eprintln!("{HELP}");
        exit(2);
    };
    let patience: usize = args.next().and_then(|moves| moves.parse().ok()).unwrap_or(0);
    let (kind, number) = kind.split_once(':').unwrap_or((&kind, "0"));
    let number: u64 = number.parse().unwrap_or(0);
    match kind {
        "slow-start" => sleep(Duration::from_millis(number)),
        "ignores-sigterm" => through_shell("trap '' TERM; exec \"$0\" ignores-end"),
        "closes-stdout" => {
            through_shell(&format!("\"$0\" exit {patience}; exec >&-; exec sleep 600"));
        }
        "greets" => say("Welcome to hostile!"),
        "deaf" => loop {
            say("MESSAGE la la la");
            sleep(Duration::from_millis(10));
        },
        "complains" => {
            std::thread::spawn(|| while writeln!(io::stderr(), "a complaint").is_ok() {});
        }
        _ => {}
    }
    let mut was_asked = false;
    let mut game = Game::new(15, 15, kind);
    let mut lines = io::stdin().lock().lines();
    while let Some(Ok(line)) = lines.next() {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word.to_ascii_uppercase().as_str() {
            "ABOUT" if kind == "ignores-about" || kind == "slow-start" => {
                // An engine that was late is not asked again.
                if std::mem::replace(&mut was_asked, true) {
                    exit(4);
                }
                if kind == "slow-start" {
                    say("name=\"hostile\", version=\"1.0\"");
                }
            }
            "ABOUT" => say("name=\"hostile\", version=\"1.0\""),
            "START" | "RECTSTART" if kind != "ignores-start" => {
                let mut edges = rest.split(',').map(|edge| edge.trim().parse().unwrap_or(15));
                let width = edges.next().unwrap_or(15);
                game = Game::new(width, edges.next().unwrap_or(width), kind);
                say(match kind {
                    "refuses" => "ERROR unsupported size",
                    "ok-text" => "OK - everything is good",
                    "ok-small" => "ok",
                    "ok-blank" => "OK ",
                    _ => "OK",
                });
            }
            "BEGIN" => think(&mut game, kind, number, patience),
            "TURN" => {
                game.set(rest, 2);
                think(&mut game, kind, number, patience);
            }
            "BOARD" => {
                game.cells.fill(0);
                while let Some(Ok(line)) = lines.next() {
                    if line.trim() == "DONE" {
                        break;
                    }
                    game.set(line.trim(), 2);
                }
                think(&mut game, kind, number, patience);
            }
            "PLAY" if kind == "suggests" => {
                game.set(rest, 1);
                say(rest);
            }
            "PLAY" if kind == "suggests-forever" => say("SUGGEST 7,7"),
            "END" if kind == "bad-end" => exit(3),
            "END" if kind != "ignores-end" => return,
            _ => {}
        }
    }
    if kind == "ignores-end" {
        loop {
            sleep(Duration::from_secs(1));
        }
    }
}

/// Answers a question, or does what is wanted instead.
fn think(game: &mut Game, kind: &str, number: u64, patience: usize) {
    game.moves += 1;
    if game.moves <= patience {
        return game.play(game.first(0));
    }
    match kind {
        "silent" => return,
        "late" => sleep(Duration::from_millis(number)),
        "suggests" | "suggests-forever" => {
            let cell = game.first(0).unwrap_or(0);
            return say(&format!("SUGGEST {},{}", cell % game.width, cell / game.width));
        }
        "label" => return say("h8"),
        "garbage" => return say("hello world"),
        "unknown" => return say("UNKNOWN command"),
        "long-line" => endless(&[b'x'; 1 << 16], 1 << 14),
        "flood" => endless(&b"MESSAGE flood\n".repeat(1 << 12), usize::MAX),
        "crash" => {
            eprintln!("hostile: about to crash");
            std::process::abort();
        }
        "exit" => exit(0),
        "exit-nonzero" => exit(3),
        "occupied" if game.first(2).is_some() => return game.play(game.first(2)),
        "outside" => return say(&format!("{},{}", game.width, game.height)),
        "forbidden" => return game.play(game.towards_overline().or(game.first(0))),
        "memory" => {
            // Every page is touched, and nothing freed.
            std::mem::forget(vec![1_u8; (number as usize) << 20]);
        }
        "leaves-child" => {
            let _ = std::process::Command::new("sleep").arg("600").spawn();
            exit(0);
        }
        _ => {}
    }
    game.play(game.first(0));
    if kind == "babbles" {
        endless(&b"MESSAGE and another thing\n".repeat(1 << 10), 1 << 5);
        say("0,0");
        if let Some(file) = std::env::args_os().nth(3) {
            let file = OpenOptions::new().create(true).append(true).open(file);
            // The test that waits for it will tell.
            let _ = file.and_then(|mut file| file.write_all(b"."));
        }
    }
}

/// Writes a line.
fn say(line: &str) {
    write(format!("{line}\n").as_bytes());
}

/// Writes a piece again and again.
fn endless(piece: &[u8], times: usize) {
    (0..times).for_each(|_| write(piece));
}

fn write(bytes: &[u8]) {
    let mut stdout = io::stdout().lock();
    // Nobody listens any more if this fails.
    if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
        exit(1);
    }
}

/// Becomes a shell with a command, in which `$0` is this program.
#[cfg(unix)]
fn through_shell(command: &str) {
    use std::os::unix::process::CommandExt;
    let Ok(program) = std::env::current_exe() else { exit(2) };
    let error = std::process::Command::new("sh").arg("-c").arg(command).arg(program).exec();
    eprintln!("hostile: {error}");
    exit(2);
}

/// There is no such shell here.
#[cfg(not(unix))]
fn through_shell(_command: &str) {
    exit(2);
}
