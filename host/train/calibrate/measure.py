"""Measures operators and training steps of PyTorch. Reads a request from the standard input and
prints it with the measured times, as JSON. Writes progress to the standard error, as "DONE/TOTAL".
"""

import json
import platform
import sys
import time

import torch
from torch import nn
from torch.nn import functional

POOL = 1 << 28  # float32 values that all tables share; more than the caches hold
SCRUB = 1 << 22  # float32 values that a step moves between two uses of the same data
RATE = 1e-4  # small, so that no value diverges


class DLRM(nn.Module):
    """Bottom MLP, a pooled vector of each table, dot products of all pairs, top MLP."""

    def __init__(self, pool, tables, dim, bottom, top):
        super().__init__()
        self.bottom, self.tables = mlp(bottom, nn.ReLU()), views(pool, tables, dim)
        self.top = mlp([dim + tables * (tables + 1) // 2, *top], nn.Sigmoid())
        self.pairs = pairs(tables + 1, pool.device)

    def forward(self, dense, rows):
        x = self.bottom(dense)
        vectors = [table(r) for table, r in zip(self.tables, rows)]
        return self.top(interact([x, *vectors], self.pairs))


def mlp(widths, last):
    layers = []
    for i, o in zip(widths, widths[1:]):
        layers += [nn.Linear(i, o), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last)


def views(pool, tables, dim):
    """Tables that divide the pool among them."""
    rows = POOL // (tables * dim)
    parts = pool[: tables * rows * dim].view(tables, rows, dim)
    return nn.ModuleList(nn.EmbeddingBag.from_pretrained(p, freeze=False, mode="sum", sparse=True) for p in parts)


def pairs(features, device):
    i, j = torch.tril_indices(features, features, offset=-1, device=device)
    return i * features + j


def interact(vectors, pairs):
    together = torch.stack(vectors, dim=1)
    products = torch.bmm(together, together.transpose(1, 2)).flatten(1)
    return torch.cat([vectors[0], products.index_select(1, pairs)], dim=1)


class Bench:
    """The measured operations of a device: each method returns a function, and one that prepares
    its next call, or None."""

    def __init__(self, device):
        self.device = device
        self.pool = torch.empty(POOL, device=device).uniform_(-0.01, 0.01)
        self.host = self.pool if device == "cpu" else self.pool.cpu()
        self.scrub = torch.zeros(SCRUB, device=device)

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def randn(self, *sizes, **options):
        return torch.randn(*sizes, device=self.device, **options)

    def copy(self, values, to, source):
        return lambda: to.copy_(source, non_blocking=True), None

    def copy_host(self, values):
        return self.copy(values, torch.zeros(values), torch.zeros(values))

    def copy_device(self, values):
        return self.copy(values, self.randn(values), self.randn(values))

    def copy_pageable(self, values):
        return self.copy(values, self.randn(values), torch.zeros(values))

    def copy_pinned(self, values):
        return self.copy(values, self.randn(values), torch.zeros(values, pin_memory=self.device == "cuda"))

    def product(self, n, width, inputs):
        x, w, b = self.randn(n, inputs), self.randn(width, inputs), self.randn(width)
        return lambda: functional.linear(x, w, b), None

    def weight_gradient(self, width, inputs, n):
        x, g = self.randn(n, inputs), self.randn(n, width)
        return lambda: g.t().mm(x), None

    def input_gradient(self, n, inputs, width):
        w, g = self.randn(width, inputs), self.randn(n, width)
        return lambda: g.mm(w), None

    def activation(self, n, width):
        """ReLU, its gradient, and the gradient of the bias."""
        y, g = self.randn(n, width), self.randn(n, width)
        return lambda: (torch.relu(y), torch.ops.aten.threshold_backward(g, y, 0).sum(0)), None

    def update(self, values):
        p = self.randn(values, requires_grad=True)
        p.grad = self.randn(values)
        return torch.optim.SGD([p], lr=RATE, foreach=False).step, None

    def layers(self, count):
        """A training step of tiny layers, which takes nothing but the time of dispatch."""
        net, x = mlp([4] * (count + 1), nn.ReLU()).to(self.device), self.randn(4, 4)
        optimiser, g = torch.optim.SGD(net.parameters(), lr=RATE, foreach=False), self.randn(4, 4)

        def step():
            optimiser.zero_grad()
            net(x).backward(g)
            optimiser.step()

        return step, None

    def interaction(self, n, features, dim):
        vectors = [self.randn(n, dim, requires_grad=True) for _ in range(features)]
        chosen = pairs(features, self.device)
        g = self.randn(n, dim + len(chosen))

        def step():
            interact(vectors, chosen).backward(g)
            for v in vectors:
                v.grad = None

        return step, None

    def loss(self, n):
        z, labels = self.randn(n, 1, requires_grad=True), torch.ones(n, 1, device=self.device)

        def step():
            functional.binary_cross_entropy(torch.sigmoid(z), labels).backward()
            z.grad = None

        return step, None

    def pool_rows(self, *sizes):
        return Bags(self.pool, *sizes).pool()

    def update_rows(self, *sizes):
        return Bags(self.pool, *sizes).update()

    def pool_host_rows(self, *sizes):
        return Bags(self.host, *sizes).pool()

    def update_host_rows(self, *sizes):
        return Bags(self.host, *sizes).update()

    def all_reduce(self, gpus, values):
        parts = [torch.zeros(values, device=f"cuda:{i}") for i in range(gpus)]

        def reduce():
            torch.cuda.nccl.all_reduce(parts)
            for i in range(gpus):
                torch.cuda.synchronize(i)

        return reduce, None

    def training(self, batch, tables, lookups, dim, bottom, top):
        """A training step of a DLRM."""
        net = DLRM(self.pool, tables, dim, bottom, top).to(self.device)
        optimiser = torch.optim.SGD(net.parameters(), lr=RATE, foreach=False)
        dense, labels = self.randn(batch, bottom[0]), torch.ones(batch, 1, device=self.device)
        rows = []

        def prepare():
            rows[:] = [[torch.randint(t.num_embeddings, (batch, lookups), device=self.device) for t in net.tables]]

        def step():
            optimiser.zero_grad()
            functional.binary_cross_entropy(net(dense, rows[0]), labels).backward()
            optimiser.step()

        return step, prepare


class Bags:
    """Embedding bags of random rows."""

    def __init__(self, pool, tables, n, lookups, dim):
        self.bags, self.sizes = views(pool, tables, dim), (n, lookups)
        self.optimiser = torch.optim.SGD(self.bags.parameters(), lr=RATE, foreach=False)
        self.gradients = [torch.randn(n, dim, device=pool.device)] * tables

    def choose(self):
        self.optimiser.zero_grad()
        self.rows = [torch.randint(b.num_embeddings, self.sizes, device=b.weight.device) for b in self.bags]

    def train(self):
        torch.autograd.backward([b(r) for b, r in zip(self.bags, self.rows)], self.gradients)

    def pool(self):
        """Pools rows, forward and backward."""
        return self.train, self.choose

    def update(self):
        """Updates the pooled rows."""

        def prepare():
            self.choose()
            self.train()

        return self.optimiser.step, prepare


class Timed:
    """Times an operation. Before each call of an operator, other data goes through the caches, as in
    a step."""

    def __init__(self, bench, operation, scrubbed, share):
        self.bench, self.scrubbed, self.share, self.times = bench, scrubbed, share, []
        self.call, self.prepare = operation
        self.calls = 20 if bench.device == "cuda" and not self.prepare else 1  # in a queue

    def once(self):
        if self.prepare:
            self.prepare()
        if self.scrubbed:
            self.bench.scrub.add_(1)
        self.bench.wait()
        begin = time.perf_counter()
        for _ in range(self.calls):
            self.call()
        self.bench.wait()
        return (time.perf_counter() - begin) / self.calls

    def round(self):
        self.once()
        end = time.perf_counter() + self.share
        while time.perf_counter() < end:
            self.times.append(self.once())

    def us(self):
        """The lower quartile, with four digits."""
        return float(f"{sorted(self.times)[len(self.times) // 4] * 1e6:.4g}")


def processor():
    try:
        with open("/proc/cpuinfo") as f:
            return next(line.split(":")[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def memory(device):
    """Bytes of the host and of the device."""
    try:
        with open("/proc/meminfo") as f:
            host = int(f.readline().split()[1]) * 1024
    except OSError:
        host = 1 << 34
    return host, torch.cuda.get_device_properties(0).total_memory if device == "cuda" else host


def main():
    request = json.load(sys.stdin)
    device = request["device"]
    if device == "cuda" and not torch.cuda.is_available():
        sys.exit("PyTorch finds no GPU")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    bench = Bench(device)
    gpus = torch.cuda.device_count() if device == "cuda" else 0
    request["operators"] = [o for o in request["operators"] if o["name"] != "all_reduce" or o["sizes"][0] <= gpus]
    timed = [Timed(bench, getattr(bench, o["name"])(*o["sizes"]), True, 0.03) for o in request["operators"]]
    timed += [Timed(bench, bench.training(s["batch"], s["tables"], s["lookups"], s["dim"], s["bottom"], s["top"]), False, 0.15) for s in request["steps"]]
    total = request["rounds"] * len(timed)
    for round in range(request["rounds"]):
        for i, t in enumerate(timed):
            t.round()
            print(f"{round * len(timed) + i + 1}/{total}", file=sys.stderr, flush=True)
    for item, t in zip(request["operators"] + request["steps"], timed):
        item["us"] = t.us()
    host, own = memory(device)
    request |= {
        "pytorch": torch.__version__,
        "processor": processor(),
        "accelerator": torch.cuda.get_device_name(0) if gpus else "",
        "gpus": gpus,
        "host_bytes": host,
        "device_bytes": own,
    }
    json.dump(request, sys.stdout)


main()
