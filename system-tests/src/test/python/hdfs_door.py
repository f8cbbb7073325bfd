"""The Rust client of HDFS, by its Python module, at a door: names, contents in parts, listings."""
import random
import sys

from hdfs_native import Client, WriteOptions

client = Client(sys.argv[1])
client.mkdirs("/native/dir", create_parent=True)
for size in (0, 1, 64 << 10, (3 << 20) + 17):
    content = random.Random(size).randbytes(size)
    path = f"/native/dir/{size}"
    with client.create(path, WriteOptions(overwrite=True)) as out:
        for at in range(0, size, 100_000):
            out.write(content[at : at + 100_000])
    with client.read(path) as found:
        assert found.size == size, (path, found.size)
        assert found.read() == content, path
    if size > 1_000:
        with client.read(path) as found:
            assert found.read_range(777, 1_000) == content[777 : 777 + 1_000], path
names = sorted(each.path for each in client.list_status("/native/dir"))
assert len(names) == 4, names
assert client.rename("/native/dir/1", "/native/moved") is None
assert client.get_file_info("/native/moved").length == 1
try:
    client.get_file_info("/native/none")
    raise AssertionError("found what is not there")
except FileNotFoundError:
    pass
with client.append("/native/moved") as out:
    out.write(b"more")
with client.read("/native/moved") as found:
    assert found.read()[1:] == b"more"
assert client.delete("/native", True)
print("equal")
