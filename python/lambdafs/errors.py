"""Python's own exceptions for what the client of HDFS's wire reports."""

import errno
import re
from contextlib import contextmanager

REMOTE = re.compile(r'^RPCError\("[\w.$]*?(\w+)", "(.*)"\)$', re.DOTALL)
"""The class that a door names, and its message with the stack below it."""

KINDS = {
    "AccessControlException": (PermissionError, errno.EACCES),
    "FileNotFoundException": (FileNotFoundError, errno.ENOENT),
    "FileAlreadyExistsException": (FileExistsError, errno.EEXIST),
    "AlreadyExists": (FileExistsError, errno.EEXIST),
    "ParentNotDirectoryException": (NotADirectoryError, errno.ENOTDIR),
    "PathIsNotDirectoryException": (NotADirectoryError, errno.ENOTDIR),
    "PathIsNotEmptyDirectoryException": (OSError, errno.ENOTEMPTY),
}
OF_PYTHON = {
    FileNotFoundError: errno.ENOENT,
    FileExistsError: errno.EEXIST,
    IsADirectoryError: errno.EISDIR,
    NotADirectoryError: errno.ENOTDIR,
    PermissionError: errno.EACCES,
}


def translated(failure, path):
    """Returns the exception that Python has for a failure at a path."""
    text = str(failure)
    if isinstance(failure, OSError):
        known = type(failure) in OF_PYTHON and failure.errno is None
        return type(failure)(OF_PYTHON[type(failure)], text, path) if known else failure
    remote = REMOTE.match(text)
    if remote is None:
        kind, number = KINDS.get(text.partition("(")[0], (OSError, errno.EIO))
        return kind(number, text, path)
    name, message = remote.group(1), remote.group(2).partition("\\n")[0]
    if name == "PathIOException" and ": is a directory: " in message:
        return IsADirectoryError(errno.EISDIR, message, path)
    if name == "UnsupportedOperationException":
        return NotImplementedError(message)
    kind, number = KINDS.get(name, (OSError, errno.EIO))
    return kind(number, message if name in KINDS else f"{name}: {message}", path)


@contextmanager
def exact(path):
    """Has what is done within raise Python's own exceptions, with their errno and this path."""
    try:
        yield
    except (OSError, RuntimeError) as failure:
        exact_failure = translated(failure, path)
        if exact_failure is failure:
            raise
        raise exact_failure from failure
