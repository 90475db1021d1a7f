"""The command line of the trainer."""

import argparse
import math
import subprocess
import sys
import unittest
from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import fit, integer, samples
from .config import CONFIGS, RULES


def whole(least: int, most: int = 2**31 - 1) -> Callable[[str], int]:
    """Reads whole numbers between bounds."""

    def number(text: str) -> int:
        if not least <= (found := int(text)) <= most:
            raise argparse.ArgumentTypeError(f"{found}: a number from {least} to {most} is needed")
        return found

    return number


def positive(text: str) -> float:
    """Reads a number above 0."""
    if not (math.isfinite(found := float(text)) and found > 0):
        raise argparse.ArgumentTypeError(f"{text}: a number above 0 is needed")
    return found


def parser() -> argparse.ArgumentParser:
    """Commands and options."""
    top = argparse.ArgumentParser(prog="train", description="Trains the line network on sample files.")
    commands = top.add_subparsers(dest="command", required=True)

    learn = commands.add_parser("fit", help="train a network")
    learn.add_argument("samples", nargs="+", type=Path, help="files of `tengen tune samples`, of one rule")
    learn.add_argument("-o", "--output", type=Path, required=True, help="folder of the run")
    learn.add_argument("--config", choices=CONFIGS, default="full")
    learn.add_argument("--resume", action="store_true", help="go on from the folder's checkpoint, if there is one")
    learn.add_argument("--start", type=Path, help="begin with the parameters of a network or of another run")
    learn.add_argument(
        "--spread-of", type=Path, metavar="NET", help="scale the scores to the spread of those of this network"
    )
    learn.add_argument("--seed", type=whole(0))
    learn.add_argument("--trunk", choices=("native", "jax"), help="native kernel (CPU) or plain JAX (GPU)")
    learn.add_argument("--threads", type=whole(0, 4096), help="of the native trunk; one a core by default")
    learn.add_argument("--epochs", type=positive)
    learn.add_argument("--batch", type=whole(1))
    learn.add_argument("--rate", type=positive, help="highest learning rate")
    learn.add_argument("--policy", type=float, help="weight of the policy's loss")
    learn.add_argument("--most-steps", type=whole(1), help="end before the last epoch")

    random = commands.add_parser("random", help="write samples of random stones, to try the trainer with")
    random.add_argument("-o", "--output", type=Path, required=True)
    random.add_argument("--rule", choices=RULES, default="freestyle")
    random.add_argument("--size", type=whole(5, 22), default=15)
    random.add_argument("--count", type=whole(0), default=200_000)
    random.add_argument("--seed", type=whole(0), default=1)

    rewrite = commands.add_parser("rewrite", help="write a network of a former form as networks are today")
    rewrite.add_argument("network", type=Path)
    rewrite.add_argument("-o", "--output", type=Path, required=True)

    commands.add_parser("test", help="run the trainer's tests")
    return top


def main() -> int:
    """Runs a command."""
    options = parser().parse_args()
    if options.command == "test":
        suite = unittest.defaultTestLoader.loadTestsFromName("train.test_train")
        return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1
    try:
        run(options)
    except subprocess.CalledProcessError as error:
        print(f"error: {error.cmd[0]} has failed: it is told above why", file=sys.stderr)
        return 1
    except (OSError, samples.SampleError, fit.ResumeError, fit.StartError, fit.SpreadError, integer.FileError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def run(options: argparse.Namespace) -> None:
    """Runs any command but the tests."""
    if options.command == "fit":
        config = CONFIGS[options.config].with_changes(
            seed=options.seed,
            trunk=options.trunk,
            threads=options.threads,
            epochs=options.epochs,
            batch=options.batch,
            rate=options.rate,
            policy=options.policy,
            most_steps=options.most_steps,
        )
        fit.fit(config, options.samples, options.output, options.resume, options.start, options.spread_of)
    elif options.command == "random":
        generator = np.random.default_rng(options.seed)
        records = samples.random_records(generator, options.size, options.size, options.count)
        samples.write(options.output, options.rule, options.size, options.size, records)
    else:
        integer.write(options.output, integer.read(options.network))


if __name__ == "__main__":
    sys.exit(main())
