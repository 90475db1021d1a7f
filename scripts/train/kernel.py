"""The native trunk: builds kernel.rs once and calls it."""

import ctypes
import hashlib
import os
import platform
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .config import CHANNELS, FEATURES, KINDS
from .lines import ROWS
from .samples import Batch

SOURCE = Path(__file__).with_name("kernel.rs")


class NativeBatch(ctypes.Structure):
    """`Batch` of kernel.rs."""

    _fields_ = [
        ("records", ctypes.c_void_p),
        ("symmetries", ctypes.c_void_p),
        ("count", ctypes.c_uint64),
        ("record_bytes", ctypes.c_uint64),
        ("width", ctypes.c_uint64),
        ("height", ctypes.c_uint64),
    ]


TOLD = np.dtype([("loss", "f4"), ("first", "f4"), ("kappa", "f4"), ("weights", "f4", (KINDS, FEATURES))])
"""`Told` of kernel.rs: loss and gradients of the policy of a sample."""


def processor() -> str:
    """What programs for this very processor depend on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    # Called so on x86-64 and on ARM.
    instructions = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return f"{platform.system()} {platform.machine()} {platform.processor()} {instructions}"


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def build() -> Path:
    """The library, compiled for this machine unless it is there already."""
    folder = Path(os.environ.get("TRAIN_BUILD", "target/train"))
    folder.mkdir(parents=True, exist_ok=True)
    parts = SOURCE.read_bytes() + processor().encode()
    library = folder / f"kernel-{hashlib.sha256(parts).hexdigest()[:12]}.so"
    if not library.exists():
        own = library.with_suffix(f".{os.getpid()}")
        flags = ["--edition", "2024", "--crate-type", "cdylib", "-C", "opt-level=3", "-C", "target-cpu=native"]
        subprocess.run(["rustc", *flags, "-o", str(own), str(SOURCE)], check=True)
        own.replace(library)
    return library


def pointer(array: np.ndarray | None) -> ctypes.c_void_p:
    """Where an array's numbers lie; they must lie together."""
    if array is None:
        return ctypes.c_void_p(None)
    assert array.flags.c_contiguous
    return ctypes.c_void_p(array.ctypes.data)


@dataclass
class Trunk:
    """Rows (i8), weights (i8), biases (i32), and the depthwise layer's weights and biases (i16) as the engine has them."""

    rows: np.ndarray
    weights: np.ndarray
    bias: np.ndarray
    mix: np.ndarray
    mix_bias: np.ndarray

    @staticmethod
    def of(arrays: Iterable[Any]) -> "Trunk":
        """The trunk of these arrays, in their order."""
        kinds = (np.int8, np.int8, np.int32, np.int16, np.int16)
        return Trunk(*(np.asarray(array).astype(kind) for array, kind in zip(arrays, kinds, strict=True)))


class Kernel:
    """The compiled kernel with its buffers."""

    def __init__(self, threads: int = 0) -> None:
        self.library = ctypes.CDLL(str(build()))
        self.threads = ctypes.c_uint64(threads or cores())
        self.library.trace_bytes.restype = ctypes.c_uint64
        self.trace_bytes = self.library.trace_bytes()
        self.trace = np.empty(0, np.uint8)
        self.counts = np.empty(0, np.uint32)
        self.room = 0

    def forward(self, batch: Batch, trunk: Trunk, keep: bool) -> np.ndarray:
        """The pooled features of a batch; `keep` what `backward` needs."""
        count, self.room = len(batch.records), batch.width * batch.height
        records, symmetries = np.ascontiguousarray(batch.records), np.ascontiguousarray(batch.symmetries)
        for array, shape, kind in (
            (trunk.rows, (ROWS, CHANNELS), np.int8),
            (trunk.weights, (FEATURES, CHANNELS), np.int8),
            (trunk.bias, (FEATURES,), np.int32),
            (trunk.mix, (KINDS, FEATURES), np.int16),
            (trunk.mix_bias, (FEATURES,), np.int16),
        ):
            assert array.shape == shape and array.dtype == kind
        if keep and len(self.trace) < count * self.room * self.trace_bytes:
            self.trace = np.empty(count * self.room * self.trace_bytes, np.uint8)
        if keep and len(self.counts) < count:
            self.counts = np.empty(count, np.uint32)
        pooled = np.empty((count, FEATURES), np.int32)
        native = NativeBatch(
            pointer(records), pointer(symmetries), count, records.dtype.itemsize, batch.width, batch.height
        )
        self.library.forward(
            ctypes.byref(native),
            pointer(trunk.rows),
            pointer(trunk.weights),
            pointer(trunk.bias),
            pointer(trunk.mix),
            pointer(trunk.mix_bias),
            pointer(pooled),
            pointer(self.trace if keep else None),
            pointer(self.counts if keep else None),
            self.threads,
        )
        return pooled

    def policy(
        self, weights: np.ndarray, kappa: float, shares: np.ndarray, keep: bool = False
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """The policy of the samples that `forward` kept, if their share is not 0, by its weights (i8) of features, by kind of cell.

        `TOLD` of every sample, its gradients times the share; with `keep` also the policies of empty cells in order.
        """
        count = len(weights)
        assert weights.shape == (count, KINDS, FEATURES) and weights.dtype == np.int8
        shares = np.ascontiguousarray(shares, np.float32)
        told = np.empty(count, TOLD)
        policies = np.zeros((count, self.room), np.int32) if keep else None
        self.library.policy(
            pointer(self.trace),
            pointer(self.counts),
            ctypes.c_uint64(count),
            ctypes.c_uint64(self.room),
            pointer(weights),
            ctypes.c_float(kappa),
            pointer(shares),
            pointer(told),
            pointer(policies),
            self.threads,
        )
        return told, policies

    def backward(
        self, trunk: Trunk, pulls: np.ndarray, policy_weights: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        """Gradients of the trunk's arrays by those of the features that `forward` kept, and `policy`'s."""
        pulls = np.ascontiguousarray(pulls, np.float32)
        assert policy_weights.shape == (len(pulls), KINDS, FEATURES) and policy_weights.dtype == np.int8
        rows = np.empty((ROWS, CHANNELS), np.float32)
        weights = np.empty((FEATURES, CHANNELS), np.float32)
        bias = np.empty(FEATURES, np.float32)
        mix = np.empty((KINDS, FEATURES), np.float32)
        mix_bias = np.empty(FEATURES, np.float32)
        self.library.backward(
            pointer(self.trace),
            pointer(self.counts),
            ctypes.c_uint64(len(pulls)),
            ctypes.c_uint64(self.room),
            pointer(trunk.weights),
            pointer(trunk.mix),
            pointer(pulls),
            pointer(policy_weights),
            pointer(rows),
            pointer(weights),
            pointer(bias),
            pointer(mix),
            pointer(mix_bias),
            self.threads,
        )
        return rows, weights, bias, mix, mix_bias
