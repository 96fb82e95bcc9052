"""What the libraries and this package refuse."""

OK, OPTIONS, HANDLE, MEMORY, RESET, SIZE, FAILED, BUSY = range(8)  # of fieldbrain_env.h

_REASONS = {
    OPTIONS: "a wrong option",
    HANDLE: "this environment is closed",
    MEMORY: "memory is missing",
    RESET: "call reset before step",
    SIZE: "library and package are of different versions: run make env again",
    FAILED: "the library failed",
    BUSY: "this environment is being stepped by another thread: let calls come one at a time, or give every thread its own",
}


class Error(Exception):
    """What was refused; code is one of fieldbrain_env.h, and on a card one of fieldbrain_card.h."""

    def __init__(self, code, text=""):
        super().__init__(text or _REASONS.get(code, "unknown code %d" % code))
        self.code = code

    def __reduce__(self):  # from a worker to who waits for it
        return type(self), (self.code, str(self))


class Wrong(Error, ValueError):
    """An argument that is not taken: the text says which, and what there is."""

    def __init__(self, text, code=OPTIONS):
        super().__init__(code, text)

    def __reduce__(self):
        return type(self), (str(self), self.code)


def check(code, text=""):
    """Raise what a code means."""
    if code == OPTIONS:
        raise Wrong(text or _REASONS[OPTIONS])
    if code != OK:
        raise Error(code, text)
