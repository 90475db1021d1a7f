"""All that a training run can be told, and the configurations that have names."""

from dataclasses import dataclass, replace
from typing import Any

CHANNELS = 64
"""Channels of a row; half of them are each colour's view where rules are alike for both."""
FEATURES = 32
"""Features pooled over the board."""
KINDS = 3
"""Kinds of cells whose features count in the policy of a cell: itself, those beside it, those at its corners."""
HIDDEN = 32
"""Units of both hidden layers of a head."""

RULES = ("freestyle", "standard", "renju", "caro", "caro-exact")
"""Rules by their number in a sample file."""
UNTIED_RULES = ("renju",)
"""Rules that are not alike for both colours."""

DECIDED = 29_000
"""Scores from here on are proven wins, negated proven losses."""


@dataclass(frozen=True)
class Config:
    """A training run, but for its data."""

    epochs: float = 4
    """Passes over the samples."""
    most_steps: int = 10**9
    """An end before the last pass."""
    batch: int = 4096
    rate: float = 0.007
    """Adam's highest learning rate: about 0.01 for a batch of 8,192."""
    pair_rate: float = 0.1
    """Factor of the learning rate for rows of whole lines."""
    pair_decay: float = 2.0
    """Weight decay of rows of whole lines, a unit of learning rate."""
    warm_up: int = 300
    """Steps until the highest learning rate, at most a tenth of all."""
    clip: float = 0.0
    """Highest norm of the head's gradients; 0 is none."""
    share: float = 0.75
    """Share of the search's score in the target, beside the result of the game."""
    report_share: float = 0.5
    """The same in the losses that are reported."""
    policy: float = 0.1
    """Weight of the policy's loss beside the value's."""
    most_held_out: int = 200_000
    """Held-out samples that losses are measured on."""
    reports: int = 10
    """Measurements on held-out samples in a run."""
    seed: int = 1
    trunk: str = "native"
    """`native`: kernel.rs on a CPU; `jax`: the plain model, for a GPU."""
    threads: int = 0
    """Threads of the native trunk; 0 is one a core."""

    def with_changes(self, **changes: Any) -> "Config":
        """The configuration with some numbers changed: those that are not None."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})


CONFIGS = {
    "small": Config(epochs=4, most_steps=1200, batch=1024, rate=0.005, most_held_out=20_000, reports=4),
    "full": Config(),
}
