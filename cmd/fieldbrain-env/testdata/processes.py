"""Wants calls in a forked child refused at once, workers that are started otherwise to work,
and threads that call at once told so."""

import gc
import multiprocessing
import os
import signal
import sys
import threading

import numpy as np

from fieldbrain_env import CarEnv, CarVectorEnv, Error, bindings


def works(answers=None):
    """A small environment, from its beginning to its end."""
    one = CarEnv("avoid", worlds=1)
    one.reset(seed=1)
    total = float(np.sum([one.step([0.2, 0.1])[0] for _ in range(5)]))
    one.close()
    if answers is not None:
        answers.put(total)
    return total


def asked(answers):
    """What the error says in a worker."""
    signal.alarm(20)
    try:
        works()
    except Error as e:
        answers.put(str(e))


def child(does):
    """The exit code of a child that is forked and does something, then ends as Python ends."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        signal.alarm(20)  # a child that hangs is killed by it
        does()
        sys.exit(0)
    _, status = os.waitpid(pid, 0)
    assert os.WIFEXITED(status), "a forked child ended by signal %d" % os.WTERMSIG(status)
    return os.WEXITSTATUS(status)


def forks(cars):
    """Every call that enters the library, in a forked child."""
    before = cars.observations.copy()

    def does():
        for call in (cars.step, cars.reset, lambda: cars.reset(seed=3), cars.poses, lambda: cars.world(0), works, bindings.library):
            try:
                call()
            except Error as e:
                assert "forked" in str(e) and "spawn" in str(e) and "forkserver" in str(e), str(e)
            else:
                raise AssertionError("a forked child used the library")
        cars.close()
        cars.close()
        gc.collect()

    assert child(does) == 0
    assert child(lambda: None) == 0  # where the end of Python alone ends the environment
    assert np.array_equal(cars.observations, before)
    cars.step()


def workers(want):
    """By multiprocessing, as learners start them."""
    for method in ("spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        answers = context.Queue()
        worker = context.Process(target=works, args=(answers,))
        worker.start()
        assert answers.get(timeout=60) == want, method
        worker.join(60)
        assert worker.exitcode == 0, (method, worker.exitcode)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    worker = context.Process(target=asked, args=(answers,))
    worker.start()
    assert "spawn" in answers.get(timeout=60)
    worker.join(60)
    assert worker.exitcode == 0, worker.exitcode


def threads(cars):
    """Calls at once from two threads."""
    said, done = [], []

    def turn():
        for n in range(300):
            try:
                (cars.step if n % 10 else cars.reset)()
                done.append(n)
            except Error as e:
                said.append((e.code, str(e)))

    both = [threading.Thread(target=turn) for _ in range(2)]
    for t in both:
        t.start()
    for t in both:
        t.join()
    assert done and said, (len(done), len(said))
    assert all(code == bindings.BUSY and "another thread" in text for code, text in said), said[:3]
    cars.step()
    cars.close()


def main():
    assert child(lambda: works() and None) == 0  # a child of one that has not loaded the library has its own
    want = works()
    cars = CarVectorEnv("avoid", 1024, worlds=2, threads=2)
    cars.reset(seed=1)
    forks(cars)
    workers(want)
    threads(cars)
    print("refused")


if __name__ == "__main__":
    main()
