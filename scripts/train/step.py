"""One step of training: loss, gradients, Adam; with the trunk in JAX or in the native kernel."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import kernel, model
from .config import Config
from .model import Parameters
from .samples import BLACK_TO_MOVE, UNKNOWN, Batch, tells_choice, tells_result, tells_value, unpack

BETAS = (0.9, 0.999)
EPSILON = 1e-8


class Sides(NamedTuple):
    """What the heads are given of each sample."""

    black: np.ndarray
    """Whether black moves."""
    tables: np.ndarray
    """The tables' logit."""
    target: np.ndarray
    value: np.ndarray
    """Its share in the value's loss: alike for samples that tell one, 0 for others."""
    choice: np.ndarray
    """Its share in the policy's loss."""
    result: np.ndarray
    """How the game ended: 0 lost, 1 drawn, 2 won."""
    played: np.ndarray
    """Its share in the loss of results."""


def side_arrays(batch: Batch, scale: float, share: float) -> Sides:
    """What the heads are given of a batch."""
    records = batch.records
    black = records["flags"] & BLACK_TO_MOVE != 0
    tables = records["classical"].astype(np.float32) / np.float32(scale)
    foretold = 1 / (1 + np.exp(-records["score"] / scale))
    result = records["result"]
    target = np.where(result == UNKNOWN, foretold, (1 - share) * result / 2 + share * foretold)
    value, choice, played = (
        (tells / max(1, np.count_nonzero(tells))).astype(np.float32)
        for tells in (tells_value(records), tells_choice(records), tells_result(records))
    )
    return Sides(black, tables, target.astype(np.float32), value, choice, result, played)


class Losses(NamedTuple):
    """The mean losses of a batch, of the samples that tell each."""

    value: float
    policy: float
    result: float


class Answers(NamedTuple):
    """What the network says of a batch."""

    logits: np.ndarray
    """The values."""
    policy_losses: np.ndarray
    """The losses of the policy, of samples that tell a choice."""
    firsts: np.ndarray
    """Whether the policy has the move first; a half if two are first, and so on."""
    margins: np.ndarray
    """The draw margins."""


def result_loss(logits: jax.Array, margins: jax.Array, sides: Sides) -> jax.Array:
    """The mean loss of results; the value does not learn from it."""
    return (model.result_losses(jax.lax.stop_gradient(logits), margins, sides.result) * sides.played).sum()


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
        self.jit_answers = jax.jit(self._answers, static_argnums=(0, 1))
        self.jit_policies = jax.jit(self._policies, static_argnums=(0, 1))

    @staticmethod
    def _policies(width, height, parameters, packed, symmetries, black):
        rows, empty = model.row_ids(packed, symmetries, width, height)
        features = model.mixed_features(model.trunk_of(parameters), rows, empty, width, height)
        pooled = model.pooled(features)
        weights = model.policy_weights(model.integer_heads(parameters), pooled, black)
        return pooled, jnp.where(empty, model.policies(features, weights, width, height), 0)

    def _answers(self, width, height, parameters, packed, orders, moves, symmetries, sides):
        pooled, policies = self._policies(width, height, parameters, packed, symmetries, sides.black)
        heads = model.integer_heads(parameters)
        values = model.logits(heads, pooled, sides.black, sides.tables)
        margins = model.draw_margins(heads, pooled, sides.black)
        orders = model.turned(orders, symmetries, width, height)
        chosen = model.choices(moves, symmetries, width, height)
        logits = model.policy_logits(policies, model.order_step(parameters["order"]), orders)
        losses, firsts = model.choice_losses(logits, chosen)
        return Answers(values, jnp.where(sides.choice > 0, losses, 0), firsts, margins)

    def _step(self, width, height, parameters, first, second, step, rate, *arrays):
        sides = arrays[-1]

        def loss(parameters: Parameters):
            found = self._answers(width, height, parameters, *arrays)
            value = (model.cross_entropy(found.logits, sides.target) * sides.value).sum()
            policy = (found.policy_losses * sides.choice).sum()
            result = result_loss(found.logits, found.margins, sides)
            return value + self.config.policy * policy + result, Losses(value, policy, result)

        (_, losses), gradients = jax.value_and_grad(loss, has_aux=True)(parameters)
        return losses, adam(self.config, parameters, first, second, gradients, step, rate)

    @staticmethod
    def _arrays(batch: Batch) -> tuple[np.ndarray, ...]:
        records = batch.records
        return records["cells"], records["orders"], records["move"].astype(np.int32), batch.symmetries

    def step(self, state: State, batch: Batch, scale: float, number: int, rate: float) -> Losses:
        """Learns from a batch; the losses before."""
        losses, after = self.jit_step(
            batch.width,
            batch.height,
            state.parameters,
            state.first,
            state.second,
            jnp.float32(number),
            jnp.float32(rate),
            *self._arrays(batch),
            side_arrays(batch, scale, self.config.share),
        )
        state.parameters, state.first, state.second = after
        return losses

    def answers(self, parameters: Parameters, batch: Batch, scale: float) -> Answers:
        """What the network says of a batch."""
        sides = side_arrays(batch, scale, 0)
        found = self.jit_answers(batch.width, batch.height, parameters, *self._arrays(batch), sides)
        return Answers(*(np.asarray(array) for array in found))

    def policies(self, parameters: Parameters, batch: Batch) -> np.ndarray:
        """The policy of every cell of a batch, 0 where not empty."""
        black = batch.records["flags"] & BLACK_TO_MOVE != 0
        cells = batch.records["cells"]
        _, found = self.jit_policies(batch.width, batch.height, parameters, cells, batch.symmetries, black)
        return np.asarray(found)


class NativeTrainer:
    """Steps with the trunk and the policy's cells in the native kernel; heads, factors and Adam in JAX."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.kernel = kernel.Kernel(config.threads)
        self.jit_trunk = jax.jit(self._trunk)
        self.jit_weights = jax.jit(self._weights)
        self.jit_heads = jax.jit(jax.value_and_grad(self._head_loss, argnums=(0, 1), has_aux=True))
        self.jit_update = jax.jit(self._update, donate_argnums=(0, 1, 2))
        self.jit_values = jax.jit(self._values)

    @staticmethod
    def _trunk(parameters: Parameters):
        return model.trunk_of(parameters)

    def trunk(self, parameters: Parameters) -> kernel.Trunk:
        """The trunk's integers."""
        return kernel.Trunk.of(self.jit_trunk(parameters))

    @staticmethod
    def _weights(parameters: Parameters, features: jax.Array, black: jax.Array):
        weights = model.policy_weights(model.integer_heads(parameters), features, black)
        return weights.astype(jnp.int8), model.order_step(parameters["order"])

    def weights(self, parameters: Parameters, features: np.ndarray, black: np.ndarray) -> tuple[np.ndarray, float]:
        """The policy's weights of features by kind of cell, and the logits in a step of the order."""
        weights, step = self.jit_weights(parameters, features, black)
        return np.asarray(weights), float(step)

    @staticmethod
    def _head_loss(parameters, features, sides: Sides, weights_pull, step_pull):
        """The losses of value and result, and what has the policy's gradients, which the kernel found."""
        heads = model.integer_heads(parameters)
        found = model.logits(heads, features, sides.black, sides.tables)
        value = (model.cross_entropy(found, sides.target) * sides.value).sum()
        weights = model.policy_weights(heads, features, sides.black)
        pulled = (weights * weights_pull).sum() + model.order_step(parameters["order"]) * step_pull
        result = result_loss(found, model.draw_margins(heads, features, sides.black), sides)
        return value + pulled + result, (value, result)

    @staticmethod
    def _values(parameters: Parameters, features: jax.Array, sides: Sides):
        heads = model.integer_heads(parameters)
        values = model.logits(heads, features, sides.black, sides.tables)
        return values, model.draw_margins(heads, features, sides.black)

    def _update(self, parameters, first, second, heads, pulls, step, rate):
        _, pull = jax.vjp(model.trunk_of, parameters)
        (trunk,) = pull(model.Trunk(*pulls))
        gradients = {name: trunk[name] + heads[name] for name in parameters}
        return adam(self.config, parameters, first, second, gradients, step, rate)

    def step(self, state: State, batch: Batch, scale: float, number: int, rate: float) -> Losses:
        """Learns from a batch; the losses before."""
        trunk = self.trunk(state.parameters)
        features = self.kernel.forward(batch, trunk, keep=True).astype(np.float32)
        sides = side_arrays(batch, scale, self.config.share)
        weights, order_step = self.weights(state.parameters, features, sides.black)
        told, _ = self.kernel.policy(weights, order_step, sides.choice * np.float32(self.config.policy))
        step_pull = told["kappa"].sum(dtype=np.float64).astype(np.float32)
        (_, (value, result)), (heads, pulls) = self.jit_heads(state.parameters, features, sides, told["weights"], step_pull)
        gradients = self.kernel.backward(trunk, np.asarray(pulls), weights)
        state.parameters, state.first, state.second = self.jit_update(
            state.parameters, state.first, state.second, heads, gradients, jnp.float32(number), jnp.float32(rate)
        )
        return Losses(value, float(told["loss"] @ sides.choice), result)

    def answers(self, parameters: Parameters, batch: Batch, scale: float) -> Answers:
        """What the network says of a batch."""
        sides = side_arrays(batch, scale, 0)
        features = self.kernel.forward(batch, self.trunk(parameters), keep=True).astype(np.float32)
        told, _ = self.kernel.policy(*self.weights(parameters, features, sides.black), sides.choice)
        logits, margins = (np.asarray(array) for array in self.jit_values(parameters, features, sides))
        return Answers(logits, told["loss"], told["first"], margins)

    def policies(self, parameters: Parameters, batch: Batch) -> np.ndarray:
        """The policy of every cell of a batch that is seen as it is, 0 where not empty."""
        assert not batch.symmetries.any()
        black = batch.records["flags"] & BLACK_TO_MOVE != 0
        features = self.kernel.forward(batch, self.trunk(parameters), keep=True).astype(np.float32)
        none = np.zeros(len(black), np.float32)
        _, found = self.kernel.policy(*self.weights(parameters, features, black), none, keep=True)
        empty = unpack(batch.records, batch.width * batch.height) == 0
        out = np.zeros(empty.shape, np.int32)
        out[empty] = found[np.arange(empty.shape[1]) < empty.sum(1)[:, None]]
        return out


def trainer(config: Config) -> JaxTrainer | NativeTrainer:
    """The trainer that a configuration names."""
    return JaxTrainer(config) if config.trunk == "jax" else NativeTrainer(config)
