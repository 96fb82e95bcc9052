#!/usr/bin/env python3
"""The dense field step in PyTorch, timed on the card beside two yardsticks.

What a good PyTorch programmer would write for the same job: 64 channels of
32x32x32 cells, of which 24 are Amari's, 18 linear, 16 memory traces, 3 leaky
traces, 3 maps; per tick the output, both lateral interactions by separable
convolution, diffusion, Gaussian stimuli, the update, the traces and the sums
along every axis. It runs eagerly, through torch.compile, and both again as a
CUDA graph, with the convolutions once as conv3d and once as banded matrices.

Not the same as fieldbrain's step: lateral sums are floating point (fieldbrain's
are integers), all three axes are convolved (fieldbrain leaves out those along
which a channel is uniform), one normal random number per cell of one channel;
body motion, maps and couplings are left out, which favours PyTorch.

One JSON object on standard output. Without torch, or without a card, it says so
in there and ends with 0: a missing peer is no failed measurement.
"""

import argparse
import json
import math
import statistics
import sys
import time

SIDE, CHANNELS = 32, 64
AMARI, INHIBITED, LINEAR, MEMORY, LEAKY = 24, 13, 18, 16, 3
EXCITE = [6690, 5904, 4058, 2172, 905]
INHIBIT = [3382, 3276, 2983, 2551, 2050, 1548, 1097, 731, 457]
DYNAMIC = AMARI + LINEAR  # channels that are updated by their own equation
TRACES = MEMORY + LEAKY
GRAPH, COPIES = "copy 8+8 MiB, CUDA graph", 20  # as many copies in one graph


def taps(torch, half, device):
    """The whole kernel of one half, summing to 1."""
    return torch.tensor(half[:0:-1] + half, dtype=torch.float32, device=device) / 32768


def banded(torch, half, wrap, device):
    """The matrix that convolves a row of 32 cells."""
    m = torch.zeros(SIDE, SIDE)
    for i in range(SIDE):
        for d in range(1 - len(half), len(half)):
            j = i + d
            if wrap:
                m[i, j % SIDE] += half[abs(d)] / 32768
            elif 0 <= j < SIDE:
                m[i, j] += half[abs(d)] / 32768
    return m.to(device)


def conv_form(torch, device):
    """Returns blur(f, half) by conv3d, one axis after the other."""
    pad = torch.nn.functional.pad
    kernels = {len(h): taps(torch, h, device) for h in (EXCITE, INHIBIT)}

    def blur(f, half):
        k, n, g = kernels[len(half)], len(half) - 1, f.unsqueeze(1)
        g = torch.conv3d(pad(g, (0, 0, 0, 0, n, n), mode="circular"), k.view(1, 1, -1, 1, 1))
        g = torch.conv3d(g, k.view(1, 1, 1, -1, 1), padding=(0, n, 0))
        return torch.conv3d(g, k.view(1, 1, 1, 1, -1), padding=(0, 0, n)).squeeze(1)

    return blur


def matrix_form(torch, device):
    """Returns blur(f, half) by products with banded matrices."""
    rounds = {len(h): banded(torch, h, True, device) for h in (EXCITE, INHIBIT)}
    flats = {len(h): banded(torch, h, False, device) for h in (EXCITE, INHIBIT)}

    def blur(f, half):
        r, m = rounds[len(half)], flats[len(half)]
        g = torch.matmul(r, f.reshape(-1, SIDE, SIDE * SIDE)).reshape(f.shape)
        return torch.matmul(torch.matmul(m, g), m)  # both are symmetric

    return blur


class Field:
    """State, inputs and one tick, everything in place for a CUDA graph."""

    def __init__(self, torch, device, blur):
        self.torch, self.blur = torch, blur
        generator = torch.Generator().manual_seed(7)
        self.u = (torch.rand(CHANNELS, SIDE, SIDE, SIDE, generator=generator) * 4 - 4).to(device)
        self.rows = torch.rand(3, DYNAMIC, 2, SIDE, generator=generator).to(device)  # two stimuli per channel
        self.amp = (torch.rand(DYNAMIC, 2, 1, generator=generator) * 8).to(device)
        self.sums = [torch.zeros(CHANNELS, SIDE, device=device) for _ in range(3)]

    def tick(self):
        torch, u = self.torch, self.u
        d = u[:DYNAMIC]
        t = ((u[:AMARI] + 3) / 6).clamp(0, 1)
        f = t * t * (3 - 2 * t)
        lateral = 25 * self.blur(f, EXCITE)
        lateral[:INHIBITED] -= 25 * self.blur(f[:INHIBITED], INHIBIT)
        lateral -= (0.02 * f.sum(dim=(1, 2, 3), keepdim=True)).clamp(max=40)
        lateral[:MEMORY] += 1.5 * u[DYNAMIC:DYNAMIC + MEMORY]  # preshaped by their traces
        d = d + 0.02 * self.laplacian(d)
        x, y, z = self.rows
        s = torch.einsum("ctx,cty,ctz->cxyz", x * self.amp, y, z).clamp(-20, 12)
        b = s - 5
        b[:AMARI] += lateral
        fresh = d + 0.15 * (b - d)
        fresh[0] += 0.1 * torch.randn_like(fresh[0])
        out = torch.cat((f, fresh[AMARI:].clamp(0, 1)))[:TRACES]
        p = u[DYNAMIC:DYNAMIC + TRACES]
        traced = torch.where(out > 0.5, p + 0.01 * (out - p), p * 0.999)
        u[:DYNAMIC] = fresh
        u[DYNAMIC:DYNAMIC + TRACES] = traced
        t = ((u[:AMARI] + 3) / 6).clamp(0, 1)
        q = torch.cat((t * t * (3 - 2 * t), u[AMARI:].clamp(0, 1)))
        self.sums[0].copy_(q.sum(dim=(2, 3)))
        self.sums[1].copy_(q.sum(dim=(1, 3)))
        self.sums[2].copy_(q.sum(dim=(1, 2)))

    def laplacian(self, d):
        """Six neighbours: around the circle along the first axis, edges repeated."""
        torch = self.torch
        sum_ = torch.roll(d, 1, 1) + torch.roll(d, -1, 1)
        for axis in (2, 3):
            first, last = d.narrow(axis, 0, 1), d.narrow(axis, SIDE - 1, 1)
            sum_ = sum_ + torch.cat((first, d.narrow(axis, 0, SIDE - 1)), axis)
            sum_ = sum_ + torch.cat((d.narrow(axis, 1, SIDE - 1), last), axis)
        return sum_ - 6 * d


def captured(torch, run):
    """Returns run as the replay of a CUDA graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            run()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        run()
    return graph.replay


def timed(torch, run, repeats, cuda):
    """Microseconds of one run, on the device where there is one: repeats of it
    between two events, so that the host's launches are hidden where they can be."""
    if not cuda:
        begin = time.perf_counter()
        for _ in range(repeats):
            run()
        return (time.perf_counter() - begin) * 1e6 / repeats
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(repeats):
        run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e3 / repeats


def subjects(torch, device, cuda, errors, until):
    """Everything that takes turns: the yardsticks, then each form of the tick."""
    a, b = torch.rand(CHANNELS, SIDE, SIDE, SIDE, device=device), torch.empty(CHANNELS, SIDE, SIDE, SIDE, device=device)
    yield "copy 8+8 MiB", lambda: b.copy_(a)
    yield "scale 8+8 MiB", lambda: torch.mul(a, 0.999, out=b)
    if cuda:
        yield GRAPH, captured(torch, lambda: [b.copy_(a) for _ in range(COPIES)])
    for name, form in (("conv3d", conv_form), ("matrices", matrix_form)):
        makers = {"eager": lambda f: f.tick}
        if hasattr(torch, "compile"):
            makers["torch.compile"] = lambda f: torch.compile(f.tick, dynamic=False)
        if cuda:
            for way, make in list(makers.items()):
                makers[way + ", CUDA graph"] = lambda f, make=make: captured(torch, make(f))
        for way, make in makers.items():
            label = f"tick, {name}, {way}"
            if time.monotonic() > until:
                errors[label] = "left out: no time left"
                continue
            try:
                run = make(Field(torch, device, form(torch, device)))
                for _ in range(3):
                    run()
                yield label, run
            except Exception as e:  # any of them may be missing in a build
                errors[label] = f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"[:300]


def measure(torch, args):
    cuda = args.device == "cuda"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    errors = {}
    with torch.no_grad():
        runs = list(subjects(torch, args.device, cuda, errors, time.monotonic() + args.seconds))
        times = {name: [] for name, _ in runs}
        for _ in range(args.rounds):
            for name, run in runs:
                run()  # brings its memory back into the caches
                times[name].append(timed(torch, run, args.repeats, cuda) / (COPIES if name == GRAPH else 1))
    few = max((k for k in range(1, args.rounds // 2 + 1) if tail(args.rounds, k) <= 0.025), default=1)
    copied = times.get(GRAPH) or times["copy 8+8 MiB"]
    half = len(copied) // 2
    moved = abs(statistics.median(copied[half:]) / statistics.median(copied[:half]) - 1) if half else 0.0
    rows = []
    for name, us in times.items():
        ratios = sorted(t / c for t, c in zip(us, copied))
        rows.append({"name": name, "us": statistics.median(us), "p99_us": sorted(us)[int(0.99 * (len(us) - 1) + 0.5)], "x_copy": {
            "ratio": statistics.median(ratios), "low": ratios[few - 1], "high": ratios[-few], "rounds": args.rounds,
            "level": max(0, 1 - 2 * tail(args.rounds, few))}})
    return {"rows": rows, "errors": errors, "moved": moved}


def tail(n, k):
    """How likely fewer than k of n rounds lie below their median (package verdict)."""
    return sum(math.comb(n, i) for i in range(k)) / 2**n


def main():
    p = argparse.ArgumentParser(description="The field step in PyTorch, timed.")
    p.add_argument("--rounds", type=int, default=30)
    p.add_argument("--repeats", type=int, default=20, help="ticks per timed run")
    p.add_argument("--seconds", type=float, default=120, help="no further form is built after this time")
    p.add_argument("--device", default="cuda", help="cuda, or cpu to try this script")
    args = p.parse_args()
    report = {"peer": "pytorch", "torch": None, "device": None, "rows": [], "errors": {}}
    try:
        import torch
    except Exception as e:
        report["note"] = f"no PyTorch here ({e}): nothing to compare with"
    else:
        report["torch"] = torch.__version__
        if args.device == "cuda" and not torch.cuda.is_available():
            report["note"] = "PyTorch sees no card: nothing to compare with"
        else:
            report["device"] = torch.cuda.get_device_name() if args.device == "cuda" else "cpu, to try the script: times mean nothing"
            report.update(measure(torch, args))
    json.dump(report, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
