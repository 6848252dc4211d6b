"""Runs the code of notebooks, cell by cell, and fails where a cell fails: `python3 run.py <notebook> …`.

Cells tagged "plot" need matplotlib and are left out, with a line that says so, where it is not installed.
"""

import ast
import importlib.util
import json
import sys


def run(path):
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names = {"__name__": "__main__"}
    shown = None
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        if "plot" in cell["metadata"].get("tags", []) and importlib.util.find_spec("matplotlib") is None:
            print(f"{path}: cell {number} skipped: matplotlib is not installed")
            continue
        shown = run_cell("".join(cell["source"]), f"{path}, cell {number}", names)
    print(f"{path}: {shown!r}"[:200])


def run_cell(source, name, names):
    """Runs a cell and returns the value of its last expression, as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), names)


for notebook in sys.argv[1:]:
    run(notebook)
