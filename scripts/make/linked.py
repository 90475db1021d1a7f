"""What the programs of packages are built of: crates.io's crates that are linked into them."""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("tengen", "tengen-engine")


def output(*command):
    """Returns what a command prints, run in the root of the repository."""
    return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout


def host():
    """Returns the system of this machine, as Rust calls it."""
    return re.search("host: (.*)", output("rustc", "-vV"))[1]


def linked(target, programs=PROGRAMS):
    """Returns names and versions of the crates that are linked into packages, and of no others."""
    command = ["cargo", "tree", "--locked", "--prefix", "none", "--edges", "normal,no-proc-macro", "--target", target]
    command += [word for program in programs for word in ("--package", program)]
    lines = output(*command, "--format", "{p}").splitlines()
    return {(name, version.removeprefix("v")) for name, version, *_ in map(str.split, filter(None, lines))}


def metadata():
    """Returns what cargo knows of the repository's packages and of all crates that they depend on."""
    return json.loads(output("cargo", "metadata", "--format-version", "1", "--locked"))
