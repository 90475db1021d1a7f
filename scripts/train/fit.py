"""A training run: steps, reports, checkpoints, and the files it leaves.

In the run's folder: `checkpoint.npz`, `curves.svg`, `report.json`; at the end also the engine's file `RULE.net` and
`vectors.json`.
"""

import hashlib
import json
import math
import sys
import time
import zipfile
import zlib
from dataclasses import asdict
from pathlib import Path

import numpy as np

from . import charts, integer, model, report
from .config import Config
from .samples import Batch, Corpus, SampleError
from .step import State, trainer

CHECKPOINT_SECONDS = 60
PROGRESS_SECONDS = 5
CURVE_POINTS = 400


class ResumeError(Exception):
    """A checkpoint that does not belong to this run, or would be replaced by it."""


class StartError(Exception):
    """A checkpoint that a run cannot start from."""


class SpreadError(Exception):
    """A network whose scores cannot be compared with those of a run."""


def rate_at(config: Config, step: int, steps: int) -> float:
    """The learning rate of a step, counted from 0: a warm-up, then a cosine down to zero."""
    warm = max(1, min(config.warm_up, steps // 10))
    return config.rate * min(1.0, (step + 1) / warm) * 0.5 * (1 + math.cos(math.pi * step / steps))


def say(text: str) -> None:
    print(text, flush=True)


def arrays_of(checkpoint: Path) -> dict[str, np.ndarray]:
    """The arrays of a checkpoint, by name. Raises `ValueError` for a file that is none."""
    try:
        with np.load(checkpoint) as arrays:
            return dict(arrays)
    except (ValueError, TypeError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError("not a checkpoint") from error


def start_of(path: Path, rule: str) -> model.Parameters:
    """The parameters of an engine's network, or of another run's checkpoint or folder, as this rule has them."""
    path = path / "checkpoint.npz" if path.is_dir() else path
    try:
        if path.suffix == ".net":
            found = report.parameters_of(integer.read(path))
        else:
            arrays = arrays_of(path)
            arrays.pop("known", None)
            found = State.from_arrays(arrays).parameters
    except (ValueError, KeyError) as error:
        raise StartError(f"{path}: neither a checkpoint nor a network") from error
    wanted = model.initial(rule, 0)
    if found.keys() != wanted.keys():
        raise StartError(f"{path}: other parameters than those of this trainer")
    if len(found["W1"]) < len(wanted["W1"]):
        found = model.untied(found)
    if any(found[name].shape != value.shape for name, value in wanted.items()):
        raise StartError(f"{path}: its colours are not alike, as those of {rule} are")
    return found


def reference_of(path: Path, rule: str) -> integer.Network:
    """The engine's network of this rule whose scores have the spread that is wanted."""
    try:
        network = integer.read(path)
    except integer.FileError as error:
        raise SpreadError(f"{path}: not a network") from error
    if network.rule != rule:
        raise SpreadError(f"{path}: a network for {network.rule}, not {rule}")
    return network


class Run:
    """Everything that a run knows between two steps."""

    def __init__(
        self,
        config: Config,
        corpus: Corpus,
        folder: Path,
        start: Path | None = None,
        spread_of: Path | None = None,
    ) -> None:
        self.config, self.corpus, self.folder = config, corpus, folder
        self.reference = spread_of and reference_of(spread_of, corpus.rule)
        self.scale = round(corpus.win_scale())
        self.steps = max(1, min(config.most_steps, int(config.epochs * corpus.epoch_steps(config.batch))))
        self.trainer = trainer(config)
        self.order_scale = corpus.order_scale()
        if start is None:
            self.state = State(model.initial(corpus.rule, config.seed, self.order_scale))
            self.start = ""
        else:
            self.state = State(start_of(start, corpus.rule))
            parts = b"".join(np.asarray(value).tobytes() for value in self.state.parameters.values())
            self.start = hashlib.sha256(parts).hexdigest()
        self.step = 0
        self.recent: list[list[float]] = []
        """Losses of steps that are not yet a point of the curve, and of some before them."""
        self.curve: list[tuple[int, float, float]] = []
        self.reports: list[dict] = []
        self.held_out = report.HeldOut(
            corpus, self.scale, self.order_scale, config.report_share, min(4096, 4 * config.batch), config.most_held_out
        )

    def identity(self) -> str:
        """What a checkpoint must share with the run that goes on from it."""
        config = {name: value for name, value in asdict(self.config).items() if name not in ("threads", "reports")}
        files = [[file.width, file.height, len(file.records)] for group in self.corpus.groups for file in group.files]
        return json.dumps([config, self.corpus.rule, self.scale, self.steps, files, self.start])

    def save(self) -> None:
        """Writes the checkpoint, whole or not at all."""
        known = {
            "identity": self.identity(),
            "step": self.step,
            "curve": self.curve,
            "recent": self.recent,
            "reports": self.reports,
        }
        part = self.folder / "checkpoint.part.npz"
        np.savez(part, known=np.array(json.dumps(known)), **self.state.arrays())
        part.replace(self.folder / "checkpoint.npz")

    def load(self) -> None:
        """Takes up the checkpoint."""
        path = self.folder / "checkpoint.npz"
        try:
            arrays = arrays_of(path)
            known = json.loads(str(arrays.pop("known")))
            if known["identity"] != self.identity():
                raise ResumeError("the checkpoint belongs to other samples or another configuration")
            self.state = State.from_arrays(arrays)
            self.step, self.reports = known["step"], known["reports"]
            self.curve = [tuple(point) for point in known["curve"]]
            self.recent = known.get("recent", [])
        except (ValueError, KeyError, TypeError) as error:
            raise ResumeError(f"{path}: not a checkpoint, or a damaged one") from error

    def measure(self) -> None:
        """Adds a report of the losses on held-out samples."""
        losses = self.held_out.losses(self.trainer, self.state)
        self.reports.append({"step": self.step, **losses})
        say(f"step {self.step} of {self.steps}: held-out loss {line_of(losses)}")
        self.draw()

    def draw(self) -> None:
        """Draws the curves so far, in thousands of steps."""
        rule, blue, red, gray = self.corpus.rule, "#1f77b4", "#d62728", "#7f7f7f"

        def training(part: int) -> list[tuple[float, float]]:
            return [(point[0] / 1000, point[part]) for point in self.curve]

        def held_out(reports: list[tuple[int, dict]], *lines: tuple[str, str, str]) -> list[charts.Series]:
            """Lines of the reports' figures for all samples."""
            known = [(step, kinds["all"]) for step, kinds in reports if kinds["all"]["count"]]
            return [
                charts.Series(name, color, [(step / 1000, means[part]) for step, means in known], name != "net")
                for name, color, part in lines
            ]

        values = [(r["step"], r) for r in self.reports]
        policies = [(r["step"], r["policy"]) for r in self.reports]
        value = held_out(values, ("net", blue, "network"), ("tables", red, "tables"), ("floor", gray, "floor"))
        policy = held_out(policies, ("net", blue, "network"), ("tables", red, "tables"))
        results = [(r["step"], {"all": r["result"]}) for r in self.reports]
        result = held_out(results, ("net", blue, "network"), ("one margin", red, "one_margin"))
        first = held_out(policies, ("net", blue, "network_first"), ("tables", red, "tables_first"))
        config = self.config
        learning = f"{rule}: value, loss in training (score share {config.share})"
        panels = [
            charts.Chart(learning, [charts.Series("net", blue, training(1))]),
            charts.Chart(f"value, held out (score share {config.report_share}), over thousands of steps", value),
            charts.Chart("policy, loss in training", [charts.Series("net", blue, training(2))]),
            charts.Chart("policy, held out", policy),
            charts.Chart("policy, held out, share of first moves that are right", first),
            charts.Chart("results, held out", result),
        ]
        panels = [panel for panel in panels if panel.series and panel.series[0].points]
        charts.write(self.folder / "curves.svg", panels)

    def advance(self, batch: Batch) -> None:
        """A step, and at times a point of the curve: a mean over fixed steps, so that a resumed run draws the same one."""
        rate = rate_at(self.config, self.step, self.steps)
        found = self.trainer.step(self.state, batch, self.scale, self.step + 1, rate)
        every = max(1, self.steps // CURVE_POINTS)
        self.recent = [*self.recent, [float(found.value), float(found.policy)]][-max(every, 100) :]
        self.step += 1
        if self.step % every == 0:
            self.curve.append((self.step, *np.mean(self.recent[-every:], 0).tolist()))

    def learn(self) -> None:
        """All steps that are left."""
        config = self.config
        report_every = max(1, -(-self.steps // config.reports))
        begun = told = saved = time.monotonic()
        since = self.step
        if self.step == 0:
            self.measure()
        for batch in self.corpus.batches(config.batch, config.seed, self.step, self.steps):
            self.advance(batch)
            now = time.monotonic()
            if now - told > PROGRESS_SECONDS:
                told = now
                speed = (self.step - since) / (now - begun)
                left = (self.steps - self.step) / speed
                value, policy = np.mean(self.recent[-100:], 0)
                print(
                    f"step {self.step} of {self.steps}, loss {value:.4f}, policy {policy:.4f}, "
                    f"{speed * config.batch:,.0f} samples/s, {time_text(left)} left",
                    file=sys.stderr,
                    flush=True,
                )
            if self.step % report_every == 0 or self.step == self.steps:
                self.measure()
            if now - saved > CHECKPOINT_SECONDS or self.step == self.steps:
                self.save()
                saved = time.monotonic()

    def finish(self) -> None:
        """Writes the engine's file and its vectors, checks it, and sums up."""
        network = report.integer_network(self.corpus.rule, self.scale, self.state)
        apart = report.differences(network, self.corpus, self.trainer, self.state)
        spreads = {}
        if self.reference is not None:
            corpus, reference = self.corpus, self.reference
            own = report.score_spread(self.state.parameters, network.scale, corpus, self.trainer)
            parameters = report.parameters_of(reference)
            wanted = report.score_spread(parameters, reference.scale, corpus, self.trainer)
            if not (0 < own < math.inf and 0 < wanted < math.inf):
                raise SpreadError("no held-out samples with scores: they have no spread")
            spreads = {"learnt": own, "wanted": wanted}
            network = report.with_scores_scaled(network, wanted / own)
            say(f"the scores' standard deviation was {own:.0f} units and is {wanted:.0f}: win scale {network.scale}")
        # In its place when all is written: whoever goes on later takes it for the end.
        path, new = self.folder / f"{self.corpus.rule}.net", self.folder / "new.net"
        integer.write(new, network)
        network = integer.read(new)
        say(
            f"float beside integers on {apart['count']} held-out samples: at most {apart['max']:.2e} logits apart, "
            f"{apart['mean']:.2e} in the mean; cells {apart['policy']:.2e}, draws {apart['draw']:.2e}"
        )
        report.write_vectors(self.folder / "vectors.json", network, self.corpus)
        report.write_json(
            self.folder / "report.json",
            {
                "rule": self.corpus.rule,
                "samples": self.corpus.learnt(),
                "win_scale": network.scale,
                "spreads": spreads,
                "tables_share": network.tables / 256,
                "order_scale": network.order,
                "order_scale_alone": round(self.order_scale, 1),
                "config": asdict(self.config),
                "steps": self.steps,
                "held_out": self.reports[-1],
                "float_to_integer": apart,
                "reports": self.reports,
            },
        )
        new.replace(path)
        shares = f"tables' share {network.tables / 256:.3f}, order {network.order} a logit"
        say(f"{path}: {path.stat().st_size:,} bytes, {shares}")


def line_of(losses: dict[str, dict]) -> str:
    """Losses in one line."""
    values = [
        f"{kind} {means['network']:.4f} (tables {means['tables']:.4f}, floor {means['floor']:.4f}, {means['count']:,})"
        for kind in report.KINDS
        if (means := losses[kind])["count"]
    ]
    policies = [
        f"{kind} {means['network']:.4f}, first {means['network_first']:.1%} "
        f"(tables {means['tables']:.4f}, {means['tables_first']:.1%}, {means['count']:,})"
        for kind in report.KINDS
        if (means := losses["policy"][kind])["count"]
    ]
    result = losses["result"]
    results = [f"{result['network']:.4f} (one margin {result['one_margin']:.4f}, {result['count']:,})"]
    results = results if result["count"] else []
    parts = [("", values), ("\n  policy ", policies), ("\n  results ", results)]
    return "".join(name + "; ".join(lines) for name, lines in parts if lines)


def time_text(seconds: float) -> str:
    """A span of time for people."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def fit(
    config: Config,
    paths: list[Path],
    folder: Path,
    resume: bool,
    start: Path | None = None,
    spread_of: Path | None = None,
) -> Run:
    """Trains a network on sample files, from the parameters of another run, or of a network, if there is a start.

    Its scores are scaled to the spread of those of the network `spread_of`, if there is one.
    """
    checkpoint = folder / "checkpoint.npz"
    if checkpoint.exists() and not resume:
        raise ResumeError(f"{checkpoint}: of an earlier run; --resume goes on with it, another folder keeps it")
    corpus = Corpus(paths)
    run = Run(config, corpus, folder, start, spread_of)
    # Before anything of an earlier run is replaced.
    if not corpus.epoch_steps(config.batch):
        raise SampleError(f"fewer samples than a batch of {config.batch}")
    if not corpus.held_out():
        raise SampleError("no held-out samples: more games are needed")
    folder.mkdir(parents=True, exist_ok=True)
    sizes = ", ".join(f"{group.width}x{group.height}" for group in corpus.groups)
    say(
        f"{corpus.rule} {sizes}: {corpus.learnt():,} samples to learn from, {corpus.held_out():,} held out; "
        f"win scale {run.scale}, order {run.order_scale:.0f} a logit; {run.steps:,} steps of {config.batch}"
    )
    if checkpoint.exists():
        run.load()
        say(f"goes on from step {run.step}")
    run.learn()
    run.finish()
    return run
