"""The scripts of ``examples/``, as they are, each in a process of its own."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NEEDED = {"with_pandas": ["pandas", "pyarrow"], "with_pyarrow": ["pyarrow"], "with_duckdb": ["duckdb"]}
NEEDED["with_deltalake"] = ["deltalake", "pandas", "pyarrow"]


def test_all_are_run():
    assert {each.stem for each in EXAMPLES.glob("*.py")} == set(NEEDED)


@pytest.mark.parametrize("name", NEEDED)
def test_example(name, door, fs_path):
    missing = [each for each in NEEDED[name] if importlib.util.find_spec(each) is None]
    if missing:
        pytest.skip(f"{name} needs {', '.join(missing)}")
    host, port = door
    run = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", f"lambdafs://{host}:{port}{fs_path}"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout == "equal\n"
