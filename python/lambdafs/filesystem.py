"""The file system: asynchronous calls, and fsspec's synchronous ones by them."""

import asyncio
import errno
import os
import re
import secrets
from contextlib import asynccontextmanager
from datetime import datetime, timezone

from fsspec.asyn import AsyncFileSystem, _run_coros_in_chunks, sync_wrapper
from fsspec.callbacks import DEFAULT_CALLBACK
from fsspec.utils import tokenize
from hdfs_native import AsyncClient, Client, WriteOptions

from . import doors
from .errors import exact
from .open_file import LambdaFile

CHUNK = 4 << 20
AUTHORITY = re.compile(r"^lambdafs:(?://([^/]*))?(?=/|$)")


class LambdaFileSystem(AsyncFileSystem):
    """Files of a λFS cluster, by one of its doors. A whole file that is written replaces the former at once."""

    protocol = "lambdafs"
    root_marker = "/"
    cachable = True

    def __init__(self, host=None, port=None, config_dir=None, config=None, **kwargs):
        super().__init__(host=host, port=port, config_dir=config_dir, config=config, **kwargs)
        self.url = doors.door(host, port, config_dir)
        self.client = Client(self.url, config, config_dir)
        self._calls = AsyncClient(self.url, config, config_dir)

    @property
    def fsid(self):
        return "lambdafs_" + tokenize(self.url)

    @classmethod
    def _strip_protocol(cls, path):
        if isinstance(path, list):
            return [cls._strip_protocol(each) for each in path]
        path = AUTHORITY.sub("", os.fspath(path))
        return "/" + path.strip("/") if path.strip("/") else cls.root_marker

    @staticmethod
    def _get_kwargs_from_urls(url):
        found = AUTHORITY.match(url)
        host, _, port = (found.group(1) or "").partition(":") if found else ("", "", "")
        return ({"host": host} if host else {}) | ({"port": int(port)} if port else {})

    # How a file is written: beside its path, then renamed.

    @staticmethod
    def beside(path):
        """Returns a path in the same directory for what is being written: hidden from readers of data sets."""
        parent, _, name = path.rpartition("/")
        return f"{parent}/.{name}.{secrets.token_hex(8)}.tmp"

    @staticmethod
    def new_file(options):
        """Returns how the client makes a new file."""
        chosen = {name: options[name] for name in ("replication", "permission") if name in options}
        return WriteOptions(overwrite=False, create_parent=True, **chosen)

    async def _require_writable(self, path, exclusive):
        try:
            found = await self._info(path)
        except FileNotFoundError:
            return
        if exclusive:
            raise FileExistsError(errno.EEXIST, "file exists", path)
        if found["type"] == "directory":
            raise IsADirectoryError(errno.EISDIR, "is a directory", path)

    async def _put_in_place(self, beside, path, overwrite=True):
        try:
            with exact(path):
                await self._calls.rename(beside, path, overwrite)
        except BaseException:
            await self._calls.delete(beside)
            raise

    require_writable = sync_wrapper(_require_writable)
    put_in_place = sync_wrapper(_put_in_place)

    @asynccontextmanager
    async def _written(self, path, exclusive=False, **options):
        """Yields a writer of a new file, which is there when the block ends well, and not otherwise."""
        await self._require_writable(path, exclusive)
        beside = self.beside(path)
        with exact(path):
            out = await self._calls.create(beside, self.new_file(options))
            try:
                yield out
                await out.close()
            except BaseException:
                await self._calls.delete(beside)
                raise
        await self._put_in_place(beside, path, not exclusive)

    # Names.

    @staticmethod
    def _entry(status):
        return {
            "name": status.path,
            "size": status.length,
            "type": "directory" if status.isdir else "file",
            "mode": status.permission,
            "owner": status.owner,
            "group": status.group,
            "mtime": status.modification_time / 1000,
            "atime": status.access_time / 1000,
        }

    async def _info(self, path, **kwargs):
        path = self._strip_protocol(path)
        with exact(path):
            return self._entry(await self._calls.get_file_info(path))

    async def _ls(self, path, detail=True, **kwargs):
        path = self._strip_protocol(path)
        with exact(path):
            found = [self._entry(each) async for each in self._calls.list_status(path, False)]
        return found if detail else sorted(each["name"] for each in found)

    async def _mkdir(self, path, create_parents=True, permission=0o755, **kwargs):
        path = self._strip_protocol(path)
        if await self._exists(path):
            raise FileExistsError(errno.EEXIST, "file exists", path)
        with exact(path):
            await self._calls.mkdirs(path, permission, create_parents)

    async def _makedirs(self, path, exist_ok=False):
        path = self._strip_protocol(path)
        if not exist_ok:
            await self._mkdir(path)
        else:
            with exact(path):
                await self._calls.mkdirs(path, 0o755, True)

    async def _rmdir(self, path):
        path = self._strip_protocol(path)
        if (await self._info(path))["type"] != "directory":
            raise NotADirectoryError(errno.ENOTDIR, "not a directory", path)
        with exact(path):
            await self._calls.delete(path, False)

    rmdir = sync_wrapper(_rmdir)

    async def _rm_file(self, path, **kwargs):
        path = self._strip_protocol(path)
        if (await self._info(path))["type"] == "directory":
            raise IsADirectoryError(errno.EISDIR, "is a directory", path)
        with exact(path):
            await self._calls.delete(path, False)

    async def _rm(self, path, recursive=False, maxdepth=None, batch_size=None, **kwargs):
        if maxdepth is not None:
            raise NotImplementedError("a tree is removed whole, without maxdepth")
        for each in await self._expand_path(path):
            if recursive:
                with exact(each):
                    if not await self._calls.delete(each, True):
                        raise FileNotFoundError(errno.ENOENT, "no such file or directory", each)
            else:
                await self._rm_file(each)

    async def _mv_file(self, path1, path2, **kwargs):
        path1, path2 = self._strip_protocol(path1), self._strip_protocol(path2)
        with exact(path1):
            await self._calls.rename(path1, path2, True)

    async def _mv(self, path1, path2, recursive=False, maxdepth=None, **kwargs):
        """Renames a file or a directory at once; into a directory that is there, keeping its name."""
        source, target = self._strip_protocol(path1), self._strip_protocol(path2)
        if await self._isdir(target):
            target = target.rstrip("/") + "/" + source.rpartition("/")[2]
        with exact(source):
            await self._calls.rename(source, target, not await self._isdir(source))

    mv = sync_wrapper(_mv)

    def modified(self, path):
        return datetime.fromtimestamp(self.info(path)["mtime"], timezone.utc)

    def touch(self, path, truncate=True, **kwargs):
        """Makes an empty file, or, without truncating one that is there, sets its times to now."""
        path = self._strip_protocol(path)
        if truncate or not self.exists(path):
            self.pipe_file(path, b"")
        else:
            now = int(datetime.now(timezone.utc).timestamp() * 1000)
            with exact(path):
                self.client.set_times(path, now, now)

    # Contents.

    def _open(self, path, mode="rb", block_size=None, autocommit=True, cache_options=None, **kwargs):
        if mode not in ("rb", "wb", "xb", "ab"):
            raise ValueError(f"mode {mode} is none of rb, wb, xb, ab")
        return LambdaFile(
            self, path, mode, block_size, autocommit=autocommit, cache_options=cache_options, **kwargs
        )

    async def _reader(self, path):
        with exact(path):
            return await self._calls.read(path)

    @staticmethod
    async def _range(reader, path, start, end):
        size = len(reader)
        start, end, _ = slice(start, end).indices(size)
        with exact(path):
            return bytes(await reader.read_range(start, end - start)) if end > start else b""

    async def _cat_file(self, path, start=None, end=None, **kwargs):
        path = self._strip_protocol(path)
        return await self._range(await self._reader(path), path, start, end)

    async def _cat_ranges(self, paths, starts, ends, max_gap=None, batch_size=None, on_error="return", **kwargs):
        """Reads ranges, all at once as far as the batch size goes; each file is opened once."""
        if max_gap is not None:
            raise NotImplementedError("max_gap")
        paths = [self._strip_protocol(each) for each in paths]
        starts = starts if isinstance(starts, (list, tuple)) else [starts] * len(paths)
        ends = ends if isinstance(ends, (list, tuple)) else [ends] * len(paths)
        if not len(paths) == len(starts) == len(ends):
            raise ValueError("as many starts and ends as paths")
        opened = {each: asyncio.ensure_future(self._reader(each)) for each in paths}

        async def one(path, start, end):
            return await self._range(await opened[path], path, start, end)

        found = await _run_coros_in_chunks(
            [one(*each) for each in zip(paths, starts, ends)],
            batch_size=batch_size or self.batch_size,
            nofiles=True,
            return_exceptions=True,
        )
        if on_error == "raise":
            for failure in found:
                if isinstance(failure, Exception):
                    raise failure
        return found

    async def _pipe_file(self, path, value, mode="overwrite", **kwargs):
        async with self._written(self._strip_protocol(path), mode == "create", **kwargs) as out:
            await out.write(value)

    async def _cp_file(self, path1, path2, **kwargs):
        path1, path2 = self._strip_protocol(path1), self._strip_protocol(path2)
        if await self._isdir(path1):
            return await self._makedirs(path2, exist_ok=True)
        reader = await self._reader(path1)
        async with self._written(path2) as out:
            if len(reader):
                async for each in reader.read_range_stream(0, len(reader)):
                    await out.write(each)

    async def _put_file(self, lpath, rpath, mode="overwrite", callback=DEFAULT_CALLBACK, **kwargs):
        rpath = self._strip_protocol(rpath)
        if os.path.isdir(lpath):
            return await self._makedirs(rpath, exist_ok=True)
        with open(lpath, "rb") as source:
            callback.set_size(os.fstat(source.fileno()).st_size)
            async with self._written(rpath, mode == "create", **kwargs) as out:
                while chunk := source.read(CHUNK):
                    await out.write(chunk)
                    callback.relative_update(len(chunk))

    async def _get_file(self, rpath, lpath, callback=DEFAULT_CALLBACK, **kwargs):
        rpath = self._strip_protocol(rpath)
        if await self._isdir(rpath):
            return os.makedirs(lpath, exist_ok=True)
        reader = await self._reader(rpath)
        callback.set_size(len(reader))
        if parent := os.path.dirname(lpath):
            os.makedirs(parent, exist_ok=True)
        with open(lpath, "wb") as target:
            if len(reader):
                with exact(rpath):
                    async for each in reader.read_range_stream(0, len(reader)):
                        target.write(each)
                        callback.relative_update(len(each))
