"""What would break a library that has Go's runtime: forks, threads at once, copies."""

import ctypes
import os
import threading

from .errors import BUSY, Error


class Process:
    """The process that has loaded a library. It does not go on in a child that is forked afterwards."""

    def __init__(self, library, failed):
        self.library, self.failed, self.pid = library, failed, None

    def begin(self):
        """From now on a child that is forked is refused."""
        self.pid = os.getpid()

    def forked(self):
        return self.pid is not None and self.pid != os.getpid()

    def check(self):
        """Raise in a forked child, where calls would hang for ever."""
        if self.forked():
            raise Error(self.failed, "this process was forked from one that had loaded %s, which does not work in a forked child: "
                        "start workers with context=\"spawn\" or \"forkserver\" (AsyncVectorEnv, torch's DataLoader), or by "
                        "multiprocessing.get_context(\"spawn\")" % self.library)

    def load(self, path, prefix, functions, remedy):
        """The library with the functions of its header, every one of which returns an int32."""
        try:
            lib = ctypes.CDLL(path)
            self.begin()
            for name, arguments in functions.items():
                function = getattr(lib, prefix + name)
                function.argtypes, function.restype = arguments, ctypes.c_int32
        except (OSError, AttributeError) as e:
            raise Error(self.failed, "%s is no %s: %s; %s" % (path, self.library, e, remedy)) from None
        return lib


def interruptible(call, undo):
    """What a long call returns, made on a thread of its own: an exception of the calling thread, as Ctrl-C raises it,
    counts at once. The call then goes on without anybody who waits, and undo takes back what came of it."""
    if threading.current_thread() is not threading.main_thread():
        return call()  # signals reach the main thread alone
    done, lock, came = threading.Event(), threading.Lock(), {}

    def work():
        try:
            result, error = call(), None
        except BaseException as e:
            result, error = None, e
        with lock:
            came.update(result=result, error=error)
            left = "left" in came
        done.set()
        if left and error is None:
            undo(result)

    try:
        threading.Thread(target=work, daemon=True).start()
        done.wait()
    except BaseException:
        with lock:
            came["left"] = True
            over = "result" in came
        if over and came["error"] is None:
            undo(came["result"])
        raise
    if came["error"] is not None:
        raise came["error"]
    return came["result"]


class Turn:
    """Lets one thread in at a time, and tells the others instead of letting them wait."""

    def __init__(self):
        self._lock = threading.RLock()  # an interrupt on the way in leaves nobody shut out of its own environment

    def __enter__(self):
        if not self._lock.acquire(blocking=False):
            raise Error(BUSY)

    def __exit__(self, *_):
        self._lock.release()


class Unshared:
    """Cars are in a library's memory: another object of the same cars would end them twice."""

    def __reduce_ex__(self, _):
        raise TypeError("a %s is neither copied nor pickled, its cars are in the library's memory: make another with the same "
                        "arguments and reset it with the same seed" % type(self).__name__)
