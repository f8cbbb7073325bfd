"""The end of a process waits for files that native code alone holds, and for no other."""

import ctypes
import threading
import time

from lambdafs import at_exit


class File:
    """Stands for a file that is open."""


def seconds_of_wait():
    began = time.monotonic()
    at_exit.wait()
    return time.monotonic() - began


def tracked_file_of_native_code():
    """Returns the address of a file to which there is one reference, which the collector does not know."""
    file = File()
    at_exit.track(file)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(file))
    return id(file)


def give_back(address):
    ctypes.pythonapi.Py_DecRef(ctypes.c_void_p(address))


def test_waits_until_native_code_gives_a_file_back():
    address = tracked_file_of_native_code()
    threading.Timer(0.3, give_back, [address]).start()
    assert 0.25 < seconds_of_wait() < at_exit.LIMIT
    assert seconds_of_wait() < 0.25


def test_waits_for_the_limit_at_most(monkeypatch):
    monkeypatch.setattr(at_exit, "LIMIT", 0.2)
    address = tracked_file_of_native_code()
    assert 0.2 <= seconds_of_wait() < 1
    give_back(address)


def test_does_not_wait_for_what_the_program_holds():
    held = {"file": File()}
    at_exit.track(held["file"])
    assert seconds_of_wait() < 0.25
