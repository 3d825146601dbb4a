"""What FAE's release does for a mini-batch of its TBSM (Taobao), by PyTorch on one core: operators
of a hot mini-batch, and times over those of its DLRM (Kaggle). docs/explanation/time.md has the output.

Model and loader are written after TBSM/tbsm_fae.py, TBSM/dlrm/dlrm_opt_alibaba.py and
TBSM/tbsm_data_pytorch.py of STAR-Laboratory/Accelerating-RecSys-Training, commit 396409a.
"""

import collections
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode

INPUTS, STEPS, DIM = 256, 21, 16
TABLES = [987994, 4162024, 9439]
KAGGLE = [1460, 583, 10131227, 2202608, 305, 24, 12517, 633, 3, 93145, 5683, 8351593, 3194, 27, 14992,
          5461306, 10, 5652, 2173, 4, 7046547, 18, 15, 286181, 105, 142572]

NO_KERNEL = set("""view _unsafe_view reshape _reshape_alias t transpose permute slice select expand as_strided detach
    detach_ alias unsqueeze squeeze empty empty_like new_empty new_empty_strided empty_strided resize_ is_same_size
    _values _indices _coalesced_ _sparse_coo_tensor_with_dims_and_tensors lift lift_fresh scalar_tensor
    _local_scalar_dense _record_function_enter""".split())
OF_OFFSETS = 5  # of a bag on the way back, which on a GPU the way forward has done: ones_like to cumsum


class Count(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.n = collections.Counter()

    def __torch_dispatch__(self, f, types, args=(), kwargs=None):
        self.n[f.__name__.split(".")[0]] += 1
        return f(*args, **(kwargs or {}))

    def kernels(self):
        return sum(n for name, n in self.n.items() if name not in NO_KERNEL)


def mlp(widths, last):
    layers = []
    for i, o in zip(widths, widths[1:]):
        layers += [nn.Linear(i, o), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last)


def interact(x, vectors):
    t = torch.cat([x] + vectors, dim=1).view((len(x), -1, x.shape[1]))
    z = torch.bmm(t, torch.transpose(t, 1, 2))
    n = z.shape[1]
    li = torch.tensor([i for i in range(n) for j in range(i)])
    lj = torch.tensor([j for i in range(n) for j in range(i)])
    return torch.cat([x, z[:, li, lj]], dim=1)


class TBSM(nn.Module):
    def __init__(self, hot):
        super().__init__()
        self.emb = nn.EmbeddingBag(hot, DIM, mode="sum", sparse=True)  # one table of all hot rows
        self.bot, self.top = mlp([1, 16], nn.ReLU()), mlp([22, 15, 15], nn.ReLU())
        self.a = nn.Parameter(torch.randn(1, 15, 15) / 15**0.5)
        self.attention, self.head = mlp([20, 15, 15, 20], nn.Sigmoid()), mlp([30, 60, 1], nn.Sigmoid())

    def tower(self, x, offsets, rows):
        out = self.top(interact(self.bot(x), [self.emb(i, offsets) for i in rows]))
        return functional.normalize(out, p=2, dim=1)

    def forward(self, x, offsets, rows):
        h = torch.zeros(INPUTS, STEPS - 1, 15)
        for j in range(STEPS - 1):
            h[:, j, :] = self.tower(x[j], offsets, rows[j])
        w = self.tower(x[-1], offsets, rows[-1])
        y = torch.matmul(self.a.permute(0, 2, 1), torch.matmul(self.a, w.unsqueeze(2)))
        weights = self.attention(torch.transpose(torch.bmm(h, y), 1, 2))
        c = torch.bmm(weights.reshape(INPUTS, 1, -1), h).reshape(INPUTS, -1)
        return self.head(torch.cat([c, w], dim=1))


def operators():
    net = TBSM(300_000)
    optimiser = torch.optim.Adagrad(net.parameters(), lr=0.05, foreach=False)
    for _ in range(2):  # the second time gradients are there
        x = [torch.rand(INPUTS, 1) for _ in range(STEPS)]
        rows = [[torch.randint(0, 300_000, (INPUTS,)) for _ in TABLES] for _ in range(STEPS)]
        count = Count()
        with count:
            loss = nn.BCELoss()(net(x, torch.arange(INPUTS), rows), torch.ones(INPUTS, 1))
            optimiser.zero_grad(set_to_none=False)
            loss.backward(retain_graph=True)
            optimiser.step()
    lookups = STEPS * len(TABLES)
    copies = STEPS + 2 * lookups + 2 * STEPS  # to the GPU: dense values, ids, offsets, indices of the interaction
    stacks = 2 * STEPS  # of ids and offsets
    return count.kernels() - OF_OFFSETS * lookups + copies + stacks


def collate_taobao(batch):
    ids, dense, labels = zip(*batch)
    ids, dense = torch.tensor(ids, dtype=torch.long), torch.tensor(dense, dtype=torch.float)
    dense = dense.reshape(len(batch), STEPS)
    rows = [[ids[:, i, j] for i in range(len(TABLES))] for j in range(STEPS)]
    offsets = [[torch.tensor(range(len(batch))) for _ in TABLES] for _ in range(STEPS)]
    return [dense[:, j].view(-1, 1) for j in range(STEPS)], offsets, rows, torch.tensor(labels, dtype=torch.float)


def collate_kaggle(batch):
    dense, ids, labels = zip(*batch)
    dense, ids = torch.log(torch.tensor(dense, dtype=torch.float) + 1), torch.tensor(ids, dtype=torch.long)
    rows = [ids[:, i] for i in range(len(KAGGLE))]
    offsets = [torch.tensor(range(len(batch))) for _ in KAGGLE]
    return dense, torch.stack(offsets), torch.stack(rows), torch.tensor(labels, dtype=torch.float)


def bags(sizes, steps, inputs, optimiser):
    """A training step of bags: forward, backward and update."""
    tables = [nn.EmbeddingBag(n, DIM, mode="sum", sparse=True) for n in sizes]
    optimiser = optimiser([p for t in tables for p in t.parameters()], lr=0.05)
    offsets, rng = torch.arange(inputs), np.random.default_rng(1)

    def step():
        rows = [torch.tensor(np.minimum(n ** rng.random(inputs), n - 1).astype("i8")) for n in sizes * steps]
        begin = time.process_time()
        vectors = [t(i, offsets) for t, i in zip(tables * steps, rows)]
        torch.autograd.backward(vectors, [torch.ones_like(v) for v in vectors])
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        return time.process_time() - begin

    return step


def timed(f, *args):
    def step():
        begin = time.process_time()
        f(*args)
        return time.process_time() - begin

    return step


def ratio(a, b, rounds=15):
    """Of processor times, medians of rounds in which both take turns."""
    a(), b()
    pairs = [(a(), b()) for _ in range(rounds)]
    return np.median([p[0] for p in pairs]) / np.median([p[1] for p in pairs])


torch.set_num_threads(1)
rng = np.random.default_rng(1)
taobao = [(rng.integers(0, 100, (3, STEPS)).astype("i4"), rng.random((1, STEPS)), np.int32(1)) for _ in range(INPUTS)]
kaggle = [(rng.random(13), rng.integers(0, 100, 26).astype("i4"), np.int32(1)) for _ in range(1024)]
values = (INPUTS * (4 * STEPS + 1)) / (1024 * 40)
loader = ratio(timed(collate_taobao, taobao), timed(collate_kaggle, kaggle)) / values
adagrad = ratio(bags(TABLES, STEPS, INPUTS, torch.optim.Adagrad), bags(KAGGLE, 1, 1024, torch.optim.SGD))
print(f"operators of a hot mini-batch: {operators()}")
print(f"loader, a value, over DLRM's: {loader:.2f}")
print(f"bags on the CPU with Adagrad over DLRM's with SGD: {adagrad:.2f}")
