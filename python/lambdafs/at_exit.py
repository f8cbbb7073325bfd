"""Lets native threads give files back before the interpreter ends.

PyArrow drops the files that it reads in threads of its own, after the call that read them has returned. A thread that wants the interpreter
once that is ending is ended in the middle of C++, which aborts the process (apache/arrow#45214).
"""

import atexit
import gc
import inspect
import time
import weakref

LIMIT = 2.0
"""Seconds that a process waits at most."""

_files = weakref.WeakValueDictionary()  # by id: files of one path are equal


def track(file):
    """Has the end of the process wait while native code alone holds this file."""
    _files[id(file)] = file


@atexit.register
def wait():
    """Waits until native code alone holds no file, or for the limit. What the program itself still holds is not waited for."""
    if len(_files):
        gc.collect()
    until = time.monotonic() + LIMIT
    while any(_native_code_alone_holds(each) for each in _files.valuerefs()) and time.monotonic() < until:
        time.sleep(0.005)


def _native_code_alone_holds(reference):
    file = reference()
    return file is not None and all(inspect.isframe(holder) for holder in gc.get_referrers(file))
