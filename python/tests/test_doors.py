"""Which door an address means, and what the paths are; needs no cluster."""

import fsspec
import pytest
from fsspec.registry import get_filesystem_class

from lambdafs import LambdaFileSystem, doors

SITE = "<configuration><property><name>{}</name><value>{}</value></property></configuration>"


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch, tmp_path):
    for name in ("HADOOP_CONF_DIR", "HADOOP_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LAMBDAFS_DIR", str(tmp_path / "cluster"))


def test_is_registered():
    assert get_filesystem_class("lambdafs") is LambdaFileSystem


def test_takes_host_and_port():
    assert doors.door("there", 8020) == "hdfs://there:8020"
    assert doors.door("lambdafs", None) == "hdfs://lambdafs"


@pytest.mark.parametrize("name, value", [("fs.defaultFS", "hdfs://lambdafs"), ("dfs.nameservices", "other,lambdafs")])
@pytest.mark.parametrize("where", ["HADOOP_CONF_DIR", "HADOOP_HOME", "config_dir"])
def test_reads_hadoops_configuration(monkeypatch, tmp_path, name, value, where):
    directory = tmp_path / "etc" / "hadoop"
    directory.mkdir(parents=True)
    (directory / "core-site.xml").write_text(SITE.format(name, value))
    if where != "config_dir":
        monkeypatch.setenv(where, str(tmp_path if where == "HADOOP_HOME" else directory))
    assert doors.door(None, None, directory if where == "config_dir" else None) == "hdfs://lambdafs"


def test_does_not_take_another_default(monkeypatch, tmp_path):
    (tmp_path / "core-site.xml").write_text(SITE.format("fs.defaultFS", "s3a://bucket"))
    monkeypatch.setenv("HADOOP_CONF_DIR", str(tmp_path))
    with pytest.raises(ValueError, match="no door is named"):
        doors.door(None, None)


def test_finds_the_door_of_the_clusters_directory(tmp_path):
    run = tmp_path / "cluster" / "run"
    run.mkdir(parents=True)
    (run / "hdfs.port").write_text("4711\n")
    assert doors.door(None, None) == "hdfs://127.0.0.1:4711"


@pytest.mark.parametrize(
    "url, path, options",
    [
        ("lambdafs://host:8020/a/b", "/a/b", {"host": "host", "port": 8020}),
        ("lambdafs://lambdafs/a", "/a", {"host": "lambdafs"}),
        ("lambdafs://host", "/", {"host": "host"}),
        ("lambdafs:///a/b/", "/a/b", {}),
        ("lambdafs:/a", "/a", {}),
        ("/a#b?c=d", "/a#b?c=d", {}),
        ("a/b", "/a/b", {}),
        ("", "/", {}),
    ],
)
def test_splits_addresses(url, path, options):
    assert LambdaFileSystem._strip_protocol(url) == path
    assert LambdaFileSystem._get_kwargs_from_urls(url) == options


def test_opens_by_address(door, fs_path):
    host, port = door
    url = f"lambdafs://{host}:{port}{fs_path}/by-address"
    with fsspec.open(url, "w") as out:
        out.write("text")
    with fsspec.open(url, "r") as found:
        assert found.read() == "text"


def test_opens_by_hadoops_configuration(door, fs_path, monkeypatch, tmp_path):
    (tmp_path / "core-site.xml").write_text(SITE.format("fs.defaultFS", "hdfs://{}:{}".format(*door)))
    monkeypatch.setenv("HADOOP_CONF_DIR", str(tmp_path))
    fs = fsspec.filesystem("lambdafs", skip_instance_cache=True)
    assert fs.info("lambdafs://" + fs_path)["type"] == "directory"


def test_opens_by_the_name_of_all_doors(door, fs_path, tmp_path):
    properties = {
        "dfs.nameservices": "lambdafs",
        "dfs.ha.namenodes.lambdafs": "door,door-2",
        "dfs.namenode.rpc-address.lambdafs.door": "127.0.0.1:1",
        "dfs.namenode.rpc-address.lambdafs.door-2": "{}:{}".format(*door),
    }
    lines = "".join(f"<property><name>{k}</name><value>{v}</value></property>" for k, v in properties.items())
    (tmp_path / "core-site.xml").write_text(f"<configuration>{lines}</configuration>")
    assert LambdaFileSystem("lambdafs", config_dir=str(tmp_path)).exists(fs_path)
