"""A file that is open: read by ranges, or written beside its path and renamed when it is closed."""

from fsspec.spec import AbstractBufferedFile

from . import at_exit
from .errors import exact


class LambdaFile(AbstractBufferedFile):
    """A file of λFS. A new file is seen whole or not at all; after an exception within ``with`` it is not seen."""

    DEFAULT_BLOCK_SIZE = 4 << 20

    def __init__(self, fs, path, mode="rb", block_size=None, **kwargs):
        super().__init__(fs, path, mode, block_size or self.DEFAULT_BLOCK_SIZE, **kwargs)
        self._stream = None
        self._beside = None
        self.closed = True  # until it is open: what fails to open has nothing to close
        if mode == "rb":
            with exact(path):
                self._stream = fs.client.read(path)
            at_exit.track(self)
        else:
            # Now, not at the first block: a path that cannot be written fails where it is opened.
            self._initiate_upload()
            self.offset = 0
        self.closed = False

    def _fetch_range(self, start, end):
        with exact(self.path):
            return self._stream.read_range(start, end - start) if end > start else b""

    def _initiate_upload(self):
        if self._stream is not None:
            return
        if self.mode == "ab" and self.fs.exists(self.path):
            with exact(self.path):
                self._stream = self.fs.client.append(self.path)
            self.loc = self.fs.info(self.path)["size"]
        else:
            self.fs.require_writable(self.path, self.mode == "xb")
            self._beside = self.fs.beside(self.path)
            with exact(self.path):
                self._stream = self.fs.client.create(self._beside, self.fs.new_file(self.kwargs))

    def _upload_chunk(self, final=False):
        with exact(self.path):
            self._stream.write(self.buffer.getvalue())
            if final:
                self._stream.close()
        if final and self.autocommit:
            self.commit()
        return True

    def commit(self):
        """Makes the file that was written the file of its path."""
        if self._beside is not None:
            beside, self._beside = self._beside, None
            self.fs.put_in_place(beside, self.path, overwrite=self.mode != "xb")

    def discard(self):
        """Forgets what was written."""
        if self._beside is not None:
            beside, self._beside = self._beside, None
            with exact(self.path):
                self._stream.close()
                self.fs.client.delete(beside)

    def __exit__(self, kind, *failure):
        if kind is not None and self._beside is not None and not self.closed:
            self.discard()
            self.closed = True
        self.close()
