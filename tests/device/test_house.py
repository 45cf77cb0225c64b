"""The house itself: what stands where, who may know whom, and that what the papers promise is there."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.places import ROOT
from tests.support.sources import nodes, statements

from cribboard import RULES
from cribboard.competition.formats import FORMATS
from cribd.cli.main import COMMANDS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GAME = sorted((ROOT / "board" / "cribboard").rglob("*.py"))

WORLDLY = {
    module
    for contract in PROJECT["tool"]["importlinter"]["contracts"]
    if contract.get("source_modules") == ["cribboard"]
    for module in contract["forbidden_modules"]
} - {"cribd"}
"""Modules of the standard library that read a clock, a file, a socket or chance: law 1, as pyproject.toml has it."""
WORLDLY_CALLS = {"open", "input", "print", "exec", "eval", "__import__", "breakpoint"}


def test_the_folders_of_the_packages_are_no_packages_themselves() -> None:
    for folder in ("board", "firmware", "tests", "tests/game", "tests/device", "tests/journey"):
        assert (ROOT / folder).is_dir()
        assert not (ROOT / folder / "__init__.py").exists(), f"{folder}/__init__.py would shadow another package"


def test_one_wheel_carries_the_game_and_the_device() -> None:
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["board/cribboard", "firmware/cribd"]
    assert PROJECT["project"]["scripts"] == {"cribboard": "cribd.__main__:main"}


def imports(source: str) -> set[str]:
    """The top names of everything that a module imports, wherever in it."""
    names: set[str] = set()
    for node in nodes(source):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.partition(".")[0])
    return names


def calls(source: str) -> set[str]:
    """The plain names that a module calls."""
    return {node.func.id for node in nodes(source) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def test_law_1_forbids_the_clock_files_sockets_and_randomness() -> None:
    assert {"time", "datetime", "os", "pathlib", "socket", "random", "secrets"} <= WORLDLY <= sys.stdlib_module_names


def test_imports_are_found_wherever_they_hide() -> None:
    assert imports("def f():\n    import os.path\n    from random import choice\n") == {"os", "random"}
    assert calls("x = [open(p) for p in ()]") == {"open"}


@pytest.mark.parametrize("module", GAME, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_game_imports_nothing_that_reads_a_clock_a_file_a_socket_or_chance(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    assert imports(source) <= (sys.stdlib_module_names | {"cribboard"}) - WORLDLY
    assert not calls(source) & WORLDLY_CALLS


def test_the_game_imports_alone_with_nothing_but_the_standard_library() -> None:
    modules = [".".join(path.relative_to(ROOT / "board").with_suffix("").parts) for path in GAME]
    program = """if True:
        import sys
        import collections, dataclasses, enum, fractions, functools, hashlib, itertools, json, re, typing
        before = set(sys.modules)
        sys.path.insert(0, sys.argv[1])
        import importlib
        for name in sys.argv[2:]:
            importlib.import_module(name.removesuffix(".__init__"))
        new = {name.partition(".")[0] for name in set(sys.modules) - before} - {"cribboard", "importlib"}
        print(*sorted(new))
    """
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(ROOT / "board"), *modules],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.split()) <= sys.stdlib_module_names - WORLDLY


def from_test_modules(source: str) -> list[str]:
    """What a module imports from test modules and conftests, wherever in it."""
    names: list[str] = []
    for node in statements(ast.parse(source)):
        match node:
            case ast.Import():
                names += [alias.name for alias in node.names]
            case ast.ImportFrom(module=str(module)):
                names += [f"{module}.{alias.name}" for alias in node.names]
    return [name for name in names if re.match(r"tests\.(.+\.)?(test_\w+|conftest)(\.|$)", name)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("from tests.game.test_laws import scores_of", ["tests.game.test_laws.scores_of"]),
        ("from tests.game import test_laws", ["tests.game.test_laws"]),
        ("import tests.device.conftest", ["tests.device.conftest"]),
        ("from tests.support import seats", []),
        ("from aiohttp.test_utils import TestClient", []),
    ],
)
def test_an_import_from_a_test_module_is_found(line: str, found: list[str]) -> None:
    assert from_test_modules(f"def f():\n    {line}\n") == found


@pytest.mark.parametrize("file", ["board/cribboard/position.py", "board/cribboard/view.py"])
def test_every_field_has_its_comment_where_it_stands(file: str) -> None:
    source = (ROOT / file).read_text(encoding="utf-8")
    lines = source.splitlines()
    fields = [
        field
        for each in ast.parse(source).body
        if isinstance(each, ast.ClassDef)
        for field in each.body
        if isinstance(field, ast.AnnAssign)
    ]
    assert len(fields) > 20
    assert [lines[field.lineno - 1] for field in fields if "  # " not in lines[field.lineno - 1]] == []


def type_names(source: str) -> list[tuple[str, int]]:
    """The classes of a module, nested ones too, and the types that it names (`Press = HolePressed | CardRead`).

    Each with its line. Names that begin with an underscore are of one module alone, and left out."""
    tree = ast.parse(source)
    found = [(node.name, node.lineno) for node in statements(tree) if isinstance(node, ast.ClassDef)]
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                if name[0].isupper() and not name.isupper():
                    found.append((name, node.lineno))
    return sorted((name, line) for name, line in found if not name.startswith("_"))


def test_classes_nested_classes_and_named_types_are_found() -> None:
    source = "class A:\n    class B: ...\nclass _C: ...\nDue = A | None\nLIMIT = 31\nrules = 1\nShown: TypeAlias = A\n"
    assert type_names(source) == [("A", 1), ("B", 2), ("Due", 4), ("Shown", 7)]


def test_no_two_public_classes_or_named_types_outside_the_tests_nested_ones_included_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    folders = ("board/cribboard", "firmware/cribd", "bench", "tools")
    for file in sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        for name, line in type_names(file.read_text(encoding="utf-8")):
            places.setdefault(name, []).append(f"{file.relative_to(ROOT)}:{line}")
    assert len(places) > 900
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.slow
def test_nothing_is_imported_from_a_test_module() -> None:
    """What tests share is in `tests/support`."""
    files = [file for folder in ("tests", "bench", "tools") for file in (ROOT / folder).rglob("*.py")]
    assert len(files) > 250
    for file in files:
        assert not from_test_modules(file.read_text(encoding="utf-8")), file


@pytest.mark.slow
def test_the_laws_on_who_may_import_whom_are_kept() -> None:
    linter = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert linter, "import-linter is missing: it is in the dev extra"
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("board", "firmware"))
    ran = subprocess.run(
        [linter, "--no-cache"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": paths},
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


#: What starts before the pages do, or never needs them: a board answers presses while aiohttp is still to be loaded.
EARLY = (
    "cribd.cli.main",
    *(f"cribd.cli.{name.replace('-', '_')}" for name in COMMANDS),
    "cribd.daemon.service",
    "cribd.web.http.addresses",
    "cribd.web.kiosk.shared.competition_json",
    "cribd.web.kiosk.desk.competition_files",
    "cribd.web.kiosk.shared.score_json",
)


def test_the_daemon_starts_without_loading_a_web_library() -> None:
    assert loaded_by(EARLY, "aiohttp") == "none"


def test_a_board_without_a_club_loads_nothing_of_the_room() -> None:
    assert loaded_by(("cribd.daemon.service",), "cribd.club", "aiomqtt", "paho", "cryptography") == "none"


def loaded_by(modules: Sequence[str], *libraries: str) -> str:
    """One process imports one module after another, and stops at the first that loads a library."""
    program = """if True:
        import importlib, sys
        libraries, *modules = sys.argv[1:]
        for module in modules:
            importlib.import_module(module)
            if loaded := [name for name in sys.modules if name.startswith(tuple(libraries.split()))]:
                sys.exit(f"{module} loads {loaded}")
        print("none")
    """
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("board", "firmware"))
    ran = subprocess.run(
        [sys.executable, "-c", program, " ".join(libraries), *modules],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    return (ran.stdout + ran.stderr).strip()


NAMES = frozenset({*RULES, *FORMATS})


def names_compared(source: str) -> list[str]:
    """The names of presets and formats that a module compares with."""
    found: list[str] = []
    for node in nodes(source):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            parts = node.args
        else:
            continue
        within = (each for part in parts for each in ast.walk(part) if isinstance(each, ast.Constant))
        found += [each.value for each in within if isinstance(each.value, str) and each.value.rstrip("/") in NAMES]
    return found


@pytest.mark.parametrize(
    "line", ['rules.name == "acc"', 'label.startswith(("britannica/", "a"))', 'form.rules in ("fadoq",)']
)
def test_a_comparison_with_the_name_of_a_preset_is_found(line: str) -> None:
    assert names_compared(line)


@pytest.mark.slow
def test_no_code_compares_the_name_of_a_preset() -> None:
    modules = {*(ROOT / "board").rglob("*.py"), *(ROOT / "firmware").rglob("*.py")}
    found = {str(module.relative_to(ROOT)): names_compared(module.read_text(encoding="utf-8")) for module in modules}
    assert {module: names for module, names in found.items() if names} == {}
    scripts = [*(ROOT / "firmware").rglob("*.js")]
    by_name = re.compile(rf"(?:[=!]==? |startsWith\()'(?:{'|'.join(NAMES)})[/']")
    assert [script.name for script in scripts if by_name.search(script.read_text(encoding="utf-8"))] == []


def clocks_read(source: str) -> list[str]:
    """Where a module reads a clock or sleeps; to let others run is no sleep."""
    found = sorted(imports(source) & {"time", "sched"})
    for node in nodes(source):
        match node:
            case ast.Call(func=ast.Attribute(attr="now" | "utcnow" | "today", value=ast.Name("datetime" | "date"))):
                found.append("datetime")
            case ast.Call(func=ast.Attribute(attr="sleep", value=ast.Name("asyncio")), args=[ast.Constant(0)]):
                pass
            case ast.Call(func=ast.Attribute(attr="sleep" | "time", value=ast.Name("asyncio" | "time" | "loop"))):
                found.append("asyncio")
    return found


def test_nothing_of_the_device_but_its_clock_reads_one_or_sleeps() -> None:
    """Design law 7. `monotonic` is the clock's own, apart from it because asyncio is long to import."""
    device = (ROOT / "firmware").rglob("*.py")
    read = {file.name for file in device if clocks_read(file.read_text(encoding="utf-8"))}
    assert read == {"clock.py", "monotonic.py"}


@pytest.mark.parametrize(
    "line",
    ["import time", "from time import monotonic", "datetime.now(UTC)", "await asyncio.sleep(0.1)", "loop.time()"],
)
def test_a_clock_that_is_read_is_found(line: str) -> None:
    assert clocks_read(f"async def f():\n    {line}\n")


def commands(document: str) -> list[str]:
    """The lines of the shell blocks of a document."""
    blocks = re.findall(r"^```sh\n(.*?)^```", document, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("document", ["README.md", "hardware/README.md", "docs/install.md"])
def test_every_make_target_in_a_document_exists(document: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    goals = set(re.findall(r"^([a-z0-9.-]+):", makefile, re.MULTILINE))
    for line in commands((ROOT / document).read_text(encoding="utf-8")):
        command = line.removeprefix("sudo ")
        if command.startswith("make "):
            assert command.split()[1] in goals, f"{document} says {command}"


@pytest.mark.parametrize(("heading", "command"), [("Try it", "make run"), ("Test it", "make test")])
def test_ci_takes_the_command_alone_from_the_readme(heading: str, command: str) -> None:
    ran = subprocess.run([ROOT / ".ci" / "readme", heading], capture_output=True, text=True, check=True)
    assert ran.stdout == f"{command}\n"


def test_the_readme_gives_the_two_commands() -> None:
    assert {"make run", "make test"} <= set(commands((ROOT / "README.md").read_text(encoding="utf-8")))


def test_ci_runs_the_test_command_of_the_readme_and_then_the_tests_on_the_wires_and_of_a_club(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "README.md").write_text(readme.replace("\nmake test\n", '\necho "proved, CI=$CI"\n'), encoding="utf-8")
    rules = ('test-wires:\n\t@echo "on the wires, CI=$$CI"\n', 'test-club:\n\t@echo "in a club, CI=$$CI"\n')
    (tmp_path / "Makefile").write_text("".join(rules), encoding="utf-8")
    ran = subprocess.run([tmp_path / ".ci" / "run"], capture_output=True, text=True, check=True)
    assert re.search("proved, CI=true.*on the wires, CI=true.*in a club, CI=true", ran.stdout, re.DOTALL)


@pytest.mark.parametrize("fails", ["test-wires", "test-club"])
def test_ci_fails_where_a_test_on_the_wires_or_of_a_club_fails(tmp_path: Path, fails: str) -> None:
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "README.md").write_text("## Test it\n\n```sh\ntrue\n```\n", encoding="utf-8")
    (tmp_path / "Makefile").write_text(f"test-wires test-club:\n{fails}:\n\tfalse\n", encoding="utf-8")
    assert subprocess.run([tmp_path / ".ci" / "run"], capture_output=True, check=False).returncode != 0


def test_ci_fails_where_the_readme_gives_no_test_command(tmp_path: Path) -> None:
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "README.md").write_text("# Nothing\n", encoding="utf-8")
    assert subprocess.run([tmp_path / ".ci" / "run"], capture_output=True, check=False).returncode != 0


def anchors(document: Path) -> set[str]:
    """The anchors of the headings, as they are shown on the web: lower case, no signs, a dash for each space."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    found: dict[str, int] = {}
    for heading in re.findall(r"(?m)^#+ (.*)", text):
        plain = re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading).lower()).replace(" ", "-")
        found[plain] = found.get(plain, -1) + 1
    return {f"{plain}-{n}" if n else plain for plain, times in found.items() for n in range(times + 1)}


DOCUMENTS = sorted(file for folder in (".", "docs", "hardware") for file in (ROOT / folder).glob("*.md"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if not link.startswith("http"):
            name, _, anchor = link.partition("#")
            file = document.parent / name if name else document
            assert file.exists(), link
            assert not anchor or anchor in anchors(file), link


def requirements() -> list[str]:
    project = PROJECT["project"]
    everything = [*project["dependencies"], *PROJECT["build-system"]["requires"]]
    everything += [line for extra in project["optional-dependencies"].values() for line in extra]
    return [name[0] for line in everything if (name := re.match(r"[\w.-]+", line))]


@pytest.mark.parametrize("package", requirements())
def test_contributing_says_why_each_dependency_was_chosen(package: str) -> None:
    assert f"`{package}`" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_only_the_extra_of_the_wires_asks_for_what_has_no_wheel_for_every_python() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    wanted = {extra for extra, lines in extras.items() for line in lines if re.match("lgpio|spidev", line)}
    assert wanted == {"wires"}
    assert not {"lgpio", "spidev"} & set(PROJECT["project"]["dependencies"])


@pytest.mark.parametrize("suite", [[], [""], ["Bookworm"], ["../bookworm"], ["book worm", "run"], ["--help"]])
def test_a_bare_debian_is_made_of_a_suite_alone(suite: list[str]) -> None:
    ran = subprocess.run([ROOT / ".ci" / "fresh", *suite], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("usage: .ci/fresh SUITE")


def test_a_bare_debian_is_made_by_root_alone(tmp_path: Path) -> None:
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    (tmp_path / "id").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ran = subprocess.run(
        [ROOT / ".ci" / "fresh", "trixie", "run"], env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "Only root makes a tree. Please run: sudo .ci/fresh trixie run\n"


def debian(package: str, tools: Path, **programs: str) -> subprocess.CompletedProcess[str]:
    """Asks for a Debian package on a machine that has bash, env and these small programs, and no more."""
    for tool in ("bash", "env"):
        (tools / tool).symlink_to(shutil.which(tool) or "")
    for tool, script in programs.items():
        (tools / tool).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tools / tool).chmod(0o755)
    return subprocess.run(
        [str(ROOT / ".ci" / "debian"), package],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={"PATH": str(tools)},
    )


@pytest.mark.parametrize("package", ["chromium-headless-shell", "espeak-ng", "libatomic1"])
def test_a_missing_debian_package_is_reported_in_one_line_without_a_question(tmp_path: Path, package: str) -> None:
    """Without root, without sudo, without a library in the linker's cache: as on somebody else's machine."""
    ran = debian(package, tmp_path, id="echo 1000", ldconfig="true", **{"apt-get": "exit 1"})
    assert ran.returncode == 1
    assert ran.stderr.strip() == f"Missing: {package}. Please run: sudo apt install {package}"


def test_a_debian_package_without_a_check_is_never_installed(tmp_path: Path) -> None:
    ran = debian("chromium-heedless", tmp_path, id="echo 0", **{"apt-get": "echo installing >&2"})
    assert (ran.returncode, ran.stderr.strip()) == (2, "no test is known for chromium-heedless")


@pytest.mark.parametrize("goal", ["test", "bench", "test-wires"])
def test_a_target_that_opens_a_browser_installs_all_that_its_driver_needs(goal: str) -> None:
    recipe = subprocess.run(["make", "-n", goal], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    asked = re.search(r"^\.ci/debian (.*)", recipe, re.MULTILINE)
    assert asked, recipe
    assert {"chromium-headless-shell", "libatomic1"} <= set(asked[1].split())
