"""Names, and the exceptions that Python has for what cannot be."""

import errno

import pytest

from lambdafs import LambdaFileSystem


@pytest.fixture
def tree(fs, fs_path):
    fs.pipe({f"{fs_path}/file": b"file", f"{fs_path}/dir/inner": b"inner"})
    return fs_path


ABSENT = {
    "info": lambda fs, path: fs.info(path),
    "ls": lambda fs, path: fs.ls(path),
    "cat_file": lambda fs, path: fs.cat_file(path),
    "open": lambda fs, path: fs.open(path, "rb"),
    "rm_file": lambda fs, path: fs.rm_file(path),
    "rm": lambda fs, path: fs.rm(path),
    "rm of a tree": lambda fs, path: fs.rm(path, recursive=True),
    "rmdir": lambda fs, path: fs.rmdir(path),
    "mv": lambda fs, path: fs.mv(path, path + "-moved"),
    "cp_file": lambda fs, path: fs.cp_file(path, path + "-copy"),
    "get_file": lambda fs, path: fs.get_file(path, "/tmp/never-made-by-this"),
}


@pytest.mark.parametrize("call", ABSENT)
def test_says_that_nothing_is_there(fs, tree, call):
    with pytest.raises(FileNotFoundError) as failure:
        ABSENT[call](fs, f"{tree}/none")
    assert "none" in str(failure.value)


def refusals():
    return {
        "mkdir on a file": (FileExistsError, lambda fs, t: fs.mkdir(f"{t}/file")),
        "mkdir on a directory": (FileExistsError, lambda fs, t: fs.mkdir(f"{t}/dir")),
        "makedirs on a directory": (FileExistsError, lambda fs, t: fs.makedirs(f"{t}/dir")),
        "makedirs on a file": (FileExistsError, lambda fs, t: fs.makedirs(f"{t}/file", exist_ok=True)),
        "exclusive open": (FileExistsError, lambda fs, t: fs.open(f"{t}/file", "xb")),
        "exclusive pipe": (FileExistsError, lambda fs, t: fs.pipe_file(f"{t}/file", b"", mode="create")),
        "reading a directory": (IsADirectoryError, lambda fs, t: fs.cat_file(f"{t}/dir")),
        "opening a directory": (IsADirectoryError, lambda fs, t: fs.open(f"{t}/dir", "rb")),
        "writing a directory": (IsADirectoryError, lambda fs, t: fs.open(f"{t}/dir", "wb")),
        "piping to a directory": (IsADirectoryError, lambda fs, t: fs.pipe_file(f"{t}/dir", b"")),
        "rm_file of a directory": (IsADirectoryError, lambda fs, t: fs.rm_file(f"{t}/dir")),
        "rm of a directory": (IsADirectoryError, lambda fs, t: fs.rm(f"{t}/dir")),
        "rmdir of a file": (NotADirectoryError, lambda fs, t: fs.rmdir(f"{t}/file")),
        "mkdir below a file": (NotADirectoryError, lambda fs, t: fs.mkdir(f"{t}/file/dir")),
        "writing below a file": (NotADirectoryError, lambda fs, t: fs.open(f"{t}/file/inner", "wb")),
        "piping below a file": (NotADirectoryError, lambda fs, t: fs.pipe_file(f"{t}/file/inner", b"")),
    }


@pytest.mark.parametrize("case", refusals())
def test_refuses_by_pythons_exceptions(fs, tree, case):
    kind, call = refusals()[case]
    with pytest.raises(kind) as failure:
        call(fs, tree)
    assert type(failure.value) is kind
    assert failure.value.errno
    assert sorted(fs.find(tree)) == [f"{tree}/dir/inner", f"{tree}/file"]


def test_refuses_to_remove_a_directory_that_has_entries(fs, tree):
    with pytest.raises(OSError) as failure:
        fs.rmdir(f"{tree}/dir")
    assert failure.value.errno == errno.ENOTEMPTY
    assert fs.exists(f"{tree}/dir/inner")


@pytest.mark.parametrize(
    "call",
    [
        lambda fs, t: fs.cat_file(f"{t}/dir/inner"),
        lambda fs, t: fs.open(f"{t}/dir/inner", "rb"),
        lambda fs, t: fs.ls(f"{t}/dir"),
        lambda fs, t: fs.pipe_file(f"{t}/dir/new", b""),
        lambda fs, t: fs.open(f"{t}/dir/new", "wb"),
        lambda fs, t: fs.mkdir(f"{t}/dir/new"),
        lambda fs, t: fs.rm(f"{t}/dir/inner"),
        lambda fs, t: fs.mv(f"{t}/dir/inner", f"{t}/moved"),
    ],
)
def test_refuses_who_may_not(door, fs, tree, call, monkeypatch):
    fs.client.set_permission(f"{tree}/dir", 0o700)
    monkeypatch.setenv("HADOOP_USER_NAME", "somebody-else")
    other = LambdaFileSystem(*door, skip_instance_cache=True)
    with pytest.raises(PermissionError):
        call(other, tree)


def test_tells_what_is_there(fs, tree):
    assert fs.isfile(f"{tree}/file") and fs.isdir(f"{tree}/dir") and not fs.exists(f"{tree}/none")
    found = fs.info(f"{tree}/file")
    assert (found["name"], found["type"], found["size"]) == (f"{tree}/file", "file", 4)
    assert fs.ls(tree, detail=False) == [f"{tree}/dir", f"{tree}/file"]
    assert fs.du(tree) == 9
    assert fs.glob(f"{tree}/*/in*") == [f"{tree}/dir/inner"]
    assert [(path, dirs, files) for path, dirs, files in fs.walk(tree)][1] == (f"{tree}/dir", [], ["inner"])
    assert fs.ls(f"{tree}/file", detail=False) == [f"{tree}/file"]


def test_lists_many(fs, fs_path):
    fs.pipe({f"{fs_path}/{n:05}": b"" for n in range(1_200)})
    assert fs.ls(fs_path, detail=False) == [f"{fs_path}/{n:05}" for n in range(1_200)]


@pytest.mark.parametrize("name", ["with space", "ünïcödé λ", "a#b", "a?b=c", "a%20b", "a+b", "a:b", "{a}"])
def test_takes_any_name(fs, fs_path, name):
    path = f"{fs_path}/{name}"
    if ":" in name:
        with pytest.raises(OSError):
            fs.pipe_file(path, b"")
        return
    fs.pipe_file(path, name.encode())
    assert fs.cat_file(path) == name.encode()
    assert fs.ls(fs_path, detail=False) == [path]
    fs.mv(path, path + "-moved")
    assert fs.ls(fs_path, detail=False) == [path + "-moved"]


def test_moves(fs, tree):
    fs.mv(f"{tree}/file", f"{tree}/dir")
    assert fs.cat_file(f"{tree}/dir/file") == b"file"
    fs.mv(f"{tree}/dir", f"{tree}/other", recursive=True)
    assert fs.cat_file(f"{tree}/other/file") == b"file"
    fs.mv(f"{tree}/other/file", f"{tree}/other/inner")
    assert fs.cat_file(f"{tree}/other/inner") == b"file"


def test_touches(fs, fs_path):
    path = f"{fs_path}/touched"
    fs.touch(path)
    assert fs.cat_file(path) == b""
    fs.pipe_file(path, b"kept")
    fs.client.set_times(path, 1_000, 1_000)
    fs.touch(path, truncate=False)
    assert fs.cat_file(path) == b"kept"
    assert fs.modified(path).year > 2000
    fs.touch(path)
    assert fs.cat_file(path) == b""


def test_removes_many(fs, tree):
    fs.rm([f"{tree}/file", f"{tree}/dir"], recursive=True)
    assert fs.ls(tree) == []
