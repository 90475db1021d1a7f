"""The command line of the trainer."""

import argparse
import struct
import sys
import unittest
import zlib
from pathlib import Path

import numpy as np

from . import fit, integer, samples
from .config import CONFIGS, RULES


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
    learn.add_argument("--seed", type=int)
    learn.add_argument("--trunk", choices=("native", "jax"), help="native kernel (CPU) or plain JAX (GPU)")
    learn.add_argument("--threads", type=int, help="of the native trunk; one a core by default")
    learn.add_argument("--epochs", type=float)
    learn.add_argument("--batch", type=int)
    learn.add_argument("--rate", type=float, help="highest learning rate")
    learn.add_argument("--policy", type=float, help="weight of the policy's loss")
    learn.add_argument("--most-steps", type=int, help="end before the last epoch")

    random = commands.add_parser("random", help="write samples of random stones, to try the trainer with")
    random.add_argument("-o", "--output", type=Path, required=True)
    random.add_argument("--rule", choices=RULES, default="freestyle")
    random.add_argument("--size", type=int, default=15)
    random.add_argument("--count", type=int, default=200_000)
    random.add_argument("--seed", type=int, default=1)

    rewrite = commands.add_parser("rewrite", help="write a network of a former form as networks are today")
    rewrite.add_argument("network", type=Path)
    rewrite.add_argument("-o", "--output", type=Path, required=True)

    commands.add_parser("test", help="run the trainer's tests")
    return top


def main() -> int:
    """Runs a command."""
    options = parser().parse_args()
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
        try:
            fit.fit(config, options.samples, options.output, options.resume, options.start, options.spread_of)
        except (OSError, samples.SampleError, fit.ResumeError, fit.StartError, fit.SpreadError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    elif options.command == "random":
        generator = np.random.default_rng(options.seed)
        records = samples.random_records(generator, options.size, options.size, options.count)
        samples.write(options.output, options.rule, options.size, options.size, records)
    elif options.command == "rewrite":
        try:
            integer.write(options.output, integer.read(options.network))
        except (OSError, ValueError, struct.error, zlib.error) as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    else:
        suite = unittest.defaultTestLoader.loadTestsFromName("train.test_train")
        return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
