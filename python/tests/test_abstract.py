"""fsspec's own suite for file systems."""

import pytest
from fsspec.tests import abstract


class Fixtures(abstract.AbstractFixtures):
    @pytest.fixture(scope="class")
    @classmethod
    def local_fs(cls):
        return abstract.LocalFileSystem(auto_mkdir=True)

    @pytest.fixture
    def fs(self, door):
        from lambdafs import LambdaFileSystem

        return LambdaFileSystem(*door)

    @pytest.fixture
    def fs_path(self, fs):
        path = "/abstract"
        fs.makedirs(path, exist_ok=True)
        yield path
        fs.rm(path, recursive=True)

    @pytest.fixture
    def fs_join(self):
        return lambda *parts: "/".join(parts)


class TestCopy(abstract.AbstractCopyTests, Fixtures):
    pass


class TestGet(abstract.AbstractGetTests, Fixtures):
    pass


class TestPut(abstract.AbstractPutTests, Fixtures):
    pass


class TestOpen(abstract.AbstractOpenTests, Fixtures):
    pass


class TestPipe(abstract.AbstractPipeTests, Fixtures):
    pass
