"""Times PyTorch on the training of BenchmarkStep of a model, rm1 or rm2: random
inputs in mini-batches of 2,048, tables of 100,000 rows with sparse gradients, one
thread. Prints inputs a second of processor time.
"""

import sys
import time

import torch
from torch import nn

INPUTS, ROWS, DIM, STRETCH = 2048, 100_000, 16, 5.0  # STRETCH in seconds


def mlp(widths, last):
    layers = []
    for i, o in zip(widths, widths[1:]):
        layers += [nn.Linear(i, o), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last)


class Tower(nn.Module):
    """Bottom MLP, one row of each table, dot products of all pairs, top MLP."""

    def __init__(self, tables, bottom, top, last):
        super().__init__()
        self.bottom = mlp(bottom, nn.ReLU())
        self.tables = nn.ModuleList(nn.EmbeddingBag(ROWS, DIM, mode="sum", sparse=True) for _ in range(tables))
        self.top = mlp([DIM + (tables + 1) * tables // 2, *top], last)
        self.pairs = torch.tril_indices(tables + 1, tables + 1, offset=-1)

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        vectors = torch.stack([x, *(t(sparse[:, i : i + 1]) for i, t in enumerate(self.tables))], dim=1)
        dots = torch.bmm(vectors, vectors.transpose(1, 2))
        return self.top(torch.cat([x, dots[:, self.pairs[0], self.pairs[1]]], dim=1))


class TBSM(nn.Module):
    """A tower for each of 21 time steps, attention over the first 20, a head."""

    def __init__(self):
        super().__init__()
        self.tower = Tower(3, [1, 16], [15, 15], nn.ReLU())
        self.inner = nn.Linear(15, 15, bias=False)
        self.attention = mlp([20, 15, 15, 20], nn.Sigmoid())
        self.head = mlp([30, 60, 1], nn.Sigmoid())

    def forward(self, dense, sparse):
        n = dense.shape[0]
        vectors = self.tower(dense.reshape(n * 21, 1), sparse.reshape(n * 21, 3)).reshape(n, 21, 15)
        vectors = nn.functional.normalize(vectors, dim=2)
        history, candidate = vectors[:, :-1], vectors[:, -1]
        a = self.inner.weight
        weights = self.attention((history @ (candidate @ a.T @ a).unsqueeze(2)).squeeze(2))
        return self.head(torch.cat([(weights.unsqueeze(1) @ history).squeeze(1), candidate], dim=1))


def rate(net, optimiser, dense, lookups):
    """Inputs a second of processor time over a stretch, after one mini-batch to begin with."""
    batches = [(torch.randn(INPUTS, dense), torch.randint(ROWS, (INPUTS, lookups)), torch.randint(2, (INPUTS, 1)).float()) for _ in range(4)]
    loss_of = nn.BCELoss()

    def step(d, s, labels):
        optimiser.zero_grad()
        loss_of(net(d, s), labels).backward()
        optimiser.step()

    step(*batches[0])
    begun, done = time.process_time(), 0
    while time.process_time() - begun < STRETCH:
        step(*batches[done % 4])
        done += 1
    return INPUTS * done / (time.process_time() - begun)


torch.manual_seed(1)
torch.set_num_threads(1)
if sys.argv[1] == "rm1":
    net = TBSM()
    print(rate(net, torch.optim.Adagrad(net.parameters(), lr=0.05), 21, 63))
else:
    net = Tower(26, [13, 512, 256, 64, DIM], [512, 256, 1], nn.Sigmoid())
    print(rate(net, torch.optim.SGD(net.parameters(), lr=0.1), 13, 26))
