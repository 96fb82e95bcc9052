"""Wants Ctrl-C to count while the worlds are made, and what was opened all the same to be closed."""

import os
import signal
import threading

from fieldbrain_env import CarVectorEnv, bindings
from fieldbrain_env.guard import interruptible


class Slow:
    """A library that opens when it is let, and says so."""

    def __init__(self, library):
        self._library, self.let, self.closed = library, threading.Event(), threading.Event()

    def __getattr__(self, name):
        return getattr(self._library, name)

    def fieldbrain_env_open(self, *arguments):
        os.kill(os.getpid(), signal.SIGINT)
        assert self.let.wait(60), "nobody lets it open"
        return self._library.fieldbrain_env_open(*arguments)

    def fieldbrain_env_close(self, handle):
        code = self._library.fieldbrain_env_close(handle)
        assert code == 0, code
        self.closed.set()
        return code


def interrupted(does):
    try:
        does()
    except KeyboardInterrupt:
        return True
    return False


signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
signal.alarm(60)
slow, library = Slow(bindings.library()), bindings.library
bindings.library = lambda: slow
assert interrupted(lambda: CarVectorEnv("avoid", worlds=1)), "it opened, and Ctrl-C was forgotten"
assert not slow.closed.is_set(), "Ctrl-C counted when the worlds were there"
slow.let.set()
assert slow.closed.wait(60), "what was opened in vain stays open"
bindings.library = library
CarVectorEnv("avoid", worlds=1).close()


def fails():
    raise ValueError("as it is")


undone = []
assert interruptible(lambda: 7, undone.append) == 7 and not undone
try:
    interruptible(fails, undone.append)
except ValueError as e:
    assert str(e) == "as it is" and not undone
print("interrupted")
