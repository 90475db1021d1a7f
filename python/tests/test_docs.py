import ast
import inspect
from pathlib import Path
from typing import Iterator, Tuple

import pytest

import tengen
from tengen import _native

STUB = Path(tengen.__file__).with_name("_native.pyi")


def described() -> Iterator[Tuple[str, str]]:
    """Yields the names of what the stub describes, each with its description."""
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name, ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef):
            members = list(zip(node.body, [*node.body[1:], None]))
            for member, after in members:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("__"):
                    yield f"{node.name}.{member.name}", ast.get_docstring(member) or ""
                elif isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                        yield f"{node.name}.{member.target.id}", str(after.value.value)


@pytest.mark.parametrize("name, text", [pair for pair in described() if pair[1]])
def test_help_says_what_editors_say(name: str, text: str) -> None:
    found: object = _native
    for part in name.split("."):
        found = getattr(found, part)
    assert (inspect.getdoc(found) or "").split() == text.split()


def test_everything_public_is_described() -> None:
    for name in set(tengen.__all__) - {"Cell"}:
        assert inspect.getdoc(getattr(tengen, name)), name
    assert sum(1 for _, text in described() if text) > 60
