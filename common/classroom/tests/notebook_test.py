#!/usr/bin/env python3
"""notebook_test.py FILE TEXT...: executes a notebook in its folder; the output of its cells must contain TEXT.  The
file is not changed, and contains no outputs.  Exit status 1 and a message on failure."""
import pathlib
import sys

import nbclient
import nbformat

path = pathlib.Path(sys.argv[1])
notebook = nbformat.read(path, as_version=4)
nbformat.validate(notebook)
for cell in notebook.cells:
    if cell.cell_type == "code" and (cell.outputs or cell.execution_count):
        sys.exit(f"{path}: it is kept without outputs: {cell.source[:60]}")
try:
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
except nbclient.exceptions.CellExecutionError as error:
    sys.exit(f"{path}: {error}")
said = "\n".join(output.get("text", "") + output.get("data", {}).get("text/html", "")
                 for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs)
for text in sys.argv[2:]:
    if text not in said:
        sys.exit(f"{path}: nothing says {text}\n{said[-3000:]}")
