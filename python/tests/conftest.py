"""The tests' door: LAMBDAFS_TEST_DOOR, host:port, of a cluster that may be changed (``./lambdafs test --doors`` starts one)."""

import os
import secrets

import pytest

from lambdafs import LambdaFileSystem


@pytest.fixture(scope="session")
def door():
    address = os.environ.get("LAMBDAFS_TEST_DOOR")
    if not address:
        pytest.skip("LAMBDAFS_TEST_DOOR names no door")
    host, _, port = address.partition(":")
    return host, int(port)


@pytest.fixture(scope="session")
def fs(door):
    return LambdaFileSystem(*door)


@pytest.fixture
def fs_path(fs):
    path = "/python-" + secrets.token_hex(6)
    fs.mkdir(path)
    yield path
    fs.rm(path, recursive=True)
