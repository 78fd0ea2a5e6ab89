"""What some students type to get marks that they do not deserve, or to stop the grader."""

# Tricks that are tried in some assignments only, and those of them that keep the grader waiting.
WAITING = {
    "endless_loop": "Endless-loop",
    "endless_and_stubborn": "Endless-and-stubborn",
    "flood": "Flood",
}
TRICKS = {
    "rebinds": "Rebinds",
    "forgets_the_grader": "Forgets",
    "changes_its_inputs": "Changes-inputs",
    "patches": "Patches",
    "patches_deep": "Patches-deep",
    "hides_errors": "Hides-errors",
    "crash": "Crash",
    "killed": "Killed",
    "huge_output": "Huge-output",
    **WAITING,
}

REBIND = """\
for name in [name for name in dir() if name.startswith("check_")]:
    globals()[name] = lambda *answers, **options: None
"""
PATCH_CHECKS = """\
import casebook.checks
from casebook.checks.engine import verdict
for name in casebook.checks.__all__:
    setattr(casebook.checks, name, lambda *answers, **options: None)
verdict._say = lambda *given: None
"""
PATCH_DEEP = """\
import builtins, sys, types
from casebook.checks.engine import compare, diagnosis
compare.same = diagnosis.same = lambda *given, **options: True
diagnosis.examine.__code__ = (lambda *given: None).__code__
"""
HIDE_ERRORS = """\
class NoChecks(__import__("ast").NodeTransformer):
    def visit_Expr(self, node):
        return None if "again" in __import__("ast").unparse(node) else node
get_ipython().ast_transformers.append(NoChecks())
get_ipython().set_custom_exc((Exception,), lambda *given, **options: None)
"""
FORGET_GRADER = """\
import os
os.environ.pop("NBGRADER_EXECUTION", None)
"""
READ_SOLUTIONS = """\
import json, pathlib, sqlite3, subprocess
import casebook
here, package = pathlib.Path.cwd(), pathlib.Path(casebook.__file__)
for root in [here, *here.parents, *package.parents]:
    try:
        for path in root.glob("solutions/*/STEM.ipynb"):
            for cell in json.loads(path.read_text("utf-8"))["cells"]:
                if "BEGIN SOLUTION" in "".join(cell["source"]):
                    exec("".join(cell["source"]), globals())
                    print("read", path.name)
    except OSError as error:
        print("no:", error)
    try:
        database = sqlite3.connect(f"file:{root}/gradebook.db?mode=ro", uri=True)
        print("read", *database.execute("select source from source_cell"))
    except (OSError, sqlite3.OperationalError) as error:
        print("no:", error)
try:
    print("read", subprocess.run(["python3", "--version"], capture_output=True, text=True).stdout)
except OSError as error:
    print("no:", error)
"""
ENDLESS_AND_STUBBORN = """\
import time
while True:
    try:
        time.sleep(1)
    except KeyboardInterrupt:
        pass
"""
FLOOD = """\
while True:
    print("x" * 10_000)
"""
