"""Contents: whole or not at all, by ranges, appended to; sync and async."""

import asyncio
import random

import pytest

from lambdafs import LambdaFileSystem

SIZES = [0, 1, 511, 512, 64 << 10, (9 << 20) + 17]


def content(size):
    return random.Random(size).randbytes(size)


def hidden(fs, directory):
    return [each for each in fs.ls(directory, detail=False) if each.rpartition("/")[2].startswith(".")]


@pytest.mark.parametrize("size", SIZES)
def test_keeps_contents(fs, fs_path, size, tmp_path):
    data = content(size)
    fs.pipe_file(f"{fs_path}/piped", data)
    with fs.open(f"{fs_path}/opened", "wb") as out:
        for at in range(0, size, 1_000_003):
            out.write(data[at : at + 1_000_003])
    fs.cp_file(f"{fs_path}/piped", f"{fs_path}/copied")
    fs.get_file(f"{fs_path}/copied", str(tmp_path / "got"))
    assert (tmp_path / "got").read_bytes() == data
    fs.put_file(str(tmp_path / "got"), f"{fs_path}/put")
    for name in ("piped", "opened", "copied", "put"):
        assert fs.cat_file(f"{fs_path}/{name}") == data
        assert fs.info(f"{fs_path}/{name}")["size"] == size
        with fs.open(f"{fs_path}/{name}", "rb") as found:
            assert found.read() == data
    assert hidden(fs, fs_path) == []


def test_reads_ranges(fs, fs_path):
    data = content(SIZES[-1])
    path = f"{fs_path}/ranges"
    fs.pipe_file(path, data)
    dice = random.Random(7)
    starts = [dice.randrange(len(data)) for _ in range(200)]
    ends = [start + dice.randrange(1, 20_000) for start in starts]
    assert fs.cat_ranges([path] * 200, starts, ends) == [data[a:b] for a, b in zip(starts, ends)]
    for start, end in [(None, 5), (5, None), (-5, None), (3, -3), (10, 10), (10, 5), (len(data) + 1, None)]:
        assert fs.cat_file(path, start, end) == data[start:end]
    with fs.open(path, "rb") as found:
        for start in starts[:20]:
            found.seek(start)
            assert found.read(1_000) == data[start : start + 1_000]


def test_reads_ranges_at_the_same_time(fs, fs_path, monkeypatch):
    path = f"{fs_path}/parallel"
    fs.pipe_file(path, b"0123456789")
    under_way, together = 0, asyncio.Event()
    former = LambdaFileSystem._range

    async def meeting(*arguments):
        nonlocal under_way
        under_way += 1
        if under_way == 10:
            together.set()
        await together.wait()
        return await former(*arguments)

    monkeypatch.setattr(LambdaFileSystem, "_range", staticmethod(meeting))
    assert fs.cat_ranges([path] * 10, list(range(10)), list(range(1, 11))) == [b"%d" % n for n in range(10)]


def test_tells_failures_of_ranges(fs, fs_path):
    fs.pipe_file(f"{fs_path}/there", b"there")
    paths = [f"{fs_path}/there", f"{fs_path}/none"]
    found = fs.cat_ranges(paths, [0, 0], [2, 2])
    assert found[0] == b"th"
    assert isinstance(found[1], FileNotFoundError)
    with pytest.raises(FileNotFoundError):
        fs.cat_ranges(paths, [0, 0], [2, 2], on_error="raise")


def test_shows_a_file_whole_or_not_at_all(fs, fs_path):
    path = f"{fs_path}/atomic"
    fs.pipe_file(path, b"former")
    with fs.open(path, "wb", block_size=1_024) as out:
        out.write(b"x" * 10_000)
        assert fs.cat_file(path) == b"former"
    assert fs.cat_file(path) == b"x" * 10_000
    assert hidden(fs, fs_path) == []


def test_keeps_the_former_file_if_writing_fails(fs, fs_path, tmp_path):
    path = f"{fs_path}/atomic"
    fs.pipe_file(path, b"former")
    with pytest.raises(KeyError):
        with fs.open(path, "wb", block_size=1_024) as out:
            out.write(b"x" * 10_000)
            raise KeyError("in the middle")
    with pytest.raises(TypeError):
        fs.pipe_file(path, object())
    assert fs.cat_file(path) == b"former"
    assert hidden(fs, fs_path) == []


def test_ends_a_transaction_at_once(fs, fs_path):
    with fs.transaction:
        with fs.open(f"{fs_path}/one", "wb") as out:
            out.write(b"1")
        assert not fs.exists(f"{fs_path}/one")
    assert fs.cat_file(f"{fs_path}/one") == b"1"
    with pytest.raises(KeyError):
        with fs.transaction:
            with fs.open(f"{fs_path}/two", "wb") as out:
                out.write(b"2")
            raise KeyError("in the middle")
    assert fs.ls(fs_path, detail=False) == [f"{fs_path}/one"]


def test_lets_one_of_many_create(fs, fs_path):
    path = f"{fs_path}/exclusive"
    writers = [fs.open(path, "xb") for _ in range(5)]
    won = 0
    for number, out in enumerate(writers):
        out.write(b"%d" % number)
        try:
            out.close()
            won += 1
        except FileExistsError:
            pass
    assert won == 1
    assert fs.cat_file(path) == b"0"
    assert hidden(fs, fs_path) == []


def test_appends(fs, fs_path):
    path = f"{fs_path}/appended"
    for part in (b"one", b"two"):
        with fs.open(path, "ab") as out:
            out.write(part)
    assert fs.cat_file(path) == b"onetwo"
    with fs.open(path, "ab") as out:
        assert out.tell() == 6


def test_is_asynchronous(door, fs, fs_path):
    async def run():
        own = LambdaFileSystem(*door, asynchronous=True, skip_instance_cache=True)
        await own._pipe({f"{fs_path}/{n}": b"%d" % n for n in range(20)})
        found = await own._cat(fs_path + "/*")
        assert sorted(found.values()) == sorted(b"%d" % n for n in range(20))
        assert len(await own._find(fs_path)) == 20
        await own._mv(f"{fs_path}/0", f"{fs_path}/moved")
        await own._rm(f"{fs_path}/1")
        assert await own._exists(f"{fs_path}/moved")
        return await own._ls(fs_path, detail=False)

    assert len(asyncio.run(run())) == 19
