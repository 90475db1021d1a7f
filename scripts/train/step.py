"""One step of training: loss, gradients, Adam; with the trunk in JAX or in the native kernel."""

import jax
import jax.numpy as jnp
import numpy as np

from . import kernel, model
from .config import Config
from .model import Parameters
from .samples import BLACK_TO_MOVE, UNKNOWN, Batch

BETAS = (0.9, 0.999)
EPSILON = 1e-8


def side_arrays(batch: Batch, scale: float, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whether black moves, the tables' logit, and the target, of each sample."""
    records = batch.records
    black = records["flags"] & BLACK_TO_MOVE != 0
    tables = records["classical"].astype(np.float32) / np.float32(scale)
    foretold = 1 / (1 + np.exp(-records["score"] / scale))
    result = records["result"]
    target = np.where(result == UNKNOWN, foretold, (1 - share) * result / 2 + share * foretold)
    return black, tables, target.astype(np.float32)


class State:
    """Parameters, and Adam's first and second moments of their gradients."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.first = {name: jnp.zeros_like(value) for name, value in parameters.items()}
        self.second = {name: jnp.zeros_like(value) for name, value in parameters.items()}

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything by name."""
        parts = {"value": self.parameters, "first": self.first, "second": self.second}
        return {f"{part}.{name}": np.asarray(array) for part, arrays in parts.items() for name, array in arrays.items()}

    @staticmethod
    def from_arrays(arrays: dict[str, np.ndarray]) -> "State":
        """A state of what `arrays` returned."""

        def part(kind: str) -> Parameters:
            return {n.split(".")[1]: jnp.asarray(a) for n, a in arrays.items() if n.startswith(f"{kind}.")}

        state = State(part("value"))
        state.first, state.second = part("first"), part("second")
        return state


def adam(
    config: Config, parameters: Parameters, first: Parameters, second: Parameters, gradients: Parameters, step, rate
) -> tuple[Parameters, Parameters, Parameters]:
    """Adam with weight decay of the rows of whole lines; `step` counts from 1."""
    after: tuple[Parameters, Parameters, Parameters] = ({}, {}, {})
    if config.clip:
        heads = [gradients[name] for name in gradients if name not in model.TRUNK_NAMES]
        norm = jnp.sqrt(sum((gradient**2).sum() for gradient in heads))
        factor = jnp.minimum(1, config.clip / (norm + 1e-12))
        gradients = {n: g if n in model.TRUNK_NAMES else g * factor for n, g in gradients.items()}
    for name, value in parameters.items():
        gradient = gradients[name]
        one = BETAS[0] * first[name] + (1 - BETAS[0]) * gradient
        two = BETAS[1] * second[name] + (1 - BETAS[1]) * gradient**2
        change = one / (1 - BETAS[0] ** step) / (jnp.sqrt(two / (1 - BETAS[1] ** step)) + EPSILON)
        own_rate = rate
        if name == "pair":
            own_rate = rate * config.pair_rate
            change = change + config.pair_decay * value
        value = value - own_rate * change
        if name in model.LIMITS:
            value = jnp.clip(value, -model.LIMITS[name], model.LIMITS[name])
        after[0][name], after[1][name], after[2][name] = value, one, two
    return after


class JaxTrainer:
    """Steps wholly in JAX: one compiled function a board size. For a GPU; on a CPU the meaning, slowly."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.jit_step = jax.jit(self._step, static_argnums=(0, 1), donate_argnums=(2, 3, 4))
        self.jit_logits = jax.jit(self._logits, static_argnums=(0, 1))

    def _logits(self, width, height, parameters, packed, symmetries, black, tables):
        rows, empty = model.row_ids(packed, symmetries, width, height)
        features = model.pooled(model.trunk_of(parameters), rows, empty)
        return model.logits(model.integer_heads(parameters), features, black, tables)

    def _step(self, width, height, parameters, first, second, step, rate, packed, symmetries, black, tables, target):
        def loss(parameters: Parameters) -> jax.Array:
            found = self._logits(width, height, parameters, packed, symmetries, black, tables)
            return model.cross_entropy(found, target).mean()

        value, gradients = jax.value_and_grad(loss)(parameters)
        return value, adam(self.config, parameters, first, second, gradients, step, rate)

    def step(self, state: State, batch: Batch, scale: float, number: int, rate: float) -> jax.Array:
        """Learns from a batch; the loss before."""
        loss, after = self.jit_step(
            batch.width,
            batch.height,
            state.parameters,
            state.first,
            state.second,
            jnp.float32(number),
            jnp.float32(rate),
            batch.records["cells"],
            batch.symmetries,
            *side_arrays(batch, scale, self.config.share),
        )
        state.parameters, state.first, state.second = after
        return loss

    def logits(self, parameters: Parameters, batch: Batch, scale: float) -> np.ndarray:
        """The network's values of a batch."""
        black, tables, _ = side_arrays(batch, scale, 0)
        cells = batch.records["cells"]
        return np.asarray(
            self.jit_logits(batch.width, batch.height, parameters, cells, batch.symmetries, black, tables)
        )


class NativeTrainer:
    """Steps with the trunk in the native kernel; head, factors and Adam in JAX."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.kernel = kernel.Kernel(config.threads)
        self.jit_trunk = jax.jit(self._trunk)
        self.jit_head = jax.jit(jax.value_and_grad(model.head_loss, argnums=(0, 1)))
        self.jit_update = jax.jit(self._update, donate_argnums=(0, 1, 2))
        self.jit_logits = jax.jit(lambda p, *arrays: model.logits(model.integer_heads(p), *arrays))

    @staticmethod
    def _trunk(parameters: Parameters):
        trunk = model.trunk_of(parameters)
        return trunk.rows.astype(jnp.int8), trunk.weights.astype(jnp.int8), trunk.bias.astype(jnp.int32)

    def trunk(self, parameters: Parameters) -> kernel.Trunk:
        """The trunk's integers."""
        return kernel.Trunk(*(np.asarray(array) for array in self.jit_trunk(parameters)))

    def _update(self, parameters, first, second, heads, pulls, step, rate):
        _, pull = jax.vjp(model.trunk_of, parameters)
        (trunk,) = pull(model.Trunk(*pulls))
        gradients = {name: trunk[name] + heads[name] for name in parameters}
        return adam(self.config, parameters, first, second, gradients, step, rate)

    def step(self, state: State, batch: Batch, scale: float, number: int, rate: float) -> jax.Array:
        """Learns from a batch; the loss before."""
        trunk = self.trunk(state.parameters)
        features = self.kernel.forward(batch, trunk, keep=True).astype(np.float32)
        arrays = side_arrays(batch, scale, self.config.share)
        loss, (heads, pulls) = self.jit_head(state.parameters, features, *arrays)
        gradients = self.kernel.backward(trunk, np.asarray(pulls))
        state.parameters, state.first, state.second = self.jit_update(
            state.parameters, state.first, state.second, heads, gradients, jnp.float32(number), jnp.float32(rate)
        )
        return loss

    def logits(self, parameters: Parameters, batch: Batch, scale: float) -> np.ndarray:
        """The network's values of a batch."""
        black, tables, _ = side_arrays(batch, scale, 0)
        features = self.kernel.forward(batch, self.trunk(parameters), keep=False).astype(np.float32)
        return np.asarray(self.jit_logits(parameters, features, black, tables))


def trainer(config: Config) -> JaxTrainer | NativeTrainer:
    """The trainer that a configuration names."""
    return JaxTrainer(config) if config.trunk == "jax" else NativeTrainer(config)
