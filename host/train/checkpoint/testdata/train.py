"""Repeats a training with PyTorch from its exported files.

Arguments: the exports of the start, the inputs and the end of a training, and the
type to compute in. Prints the loss of each mini-batch, then the largest difference
between the parameters at the end of both trainings.
"""

import json
import pathlib
import sys

import torch
from safetensors import safe_open
from safetensors.torch import load_file
from torch import nn

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "dlrm" / "testdata"))
import optimisers


def mlp(name, state, last):
    """The layers called name in the exported state, with ReLU between them."""
    layers = []
    while f"{name}.{len(layers) // 2}.weight" in state:
        width, inputs = state[f"{name}.{len(layers) // 2}.weight"].shape
        layers += [nn.Linear(inputs, width), nn.ReLU()]
    return nn.Sequential(*layers[:-1], last)


class Tower(nn.Module):
    """Bottom MLP, embedding bags, dot products of all pairs, top MLP."""

    def __init__(self, model, state, last):
        super().__init__()
        self.lookups = model["lookups"]
        self.bottom = mlp("bottom", state, nn.ReLU())
        self.tables = nn.ModuleList(nn.EmbeddingBag(rows, model["dim"], mode="sum", sparse=True) for rows in model["rows"])
        self.top = mlp("top", state, last)

    def forward(self, dense, sparse):
        x = self.bottom(dense)
        bags = [table(index) for table, index in zip(self.tables, sparse.split(self.lookups, dim=1))]
        vectors = torch.stack([x, *bags], dim=1)
        dots = vectors @ vectors.transpose(1, 2)
        i, j = torch.tril_indices(vectors.shape[1], vectors.shape[1], offset=-1)
        return self.top(torch.cat([x, dots[:, i, j]], dim=1))


class DLRM(nn.Module):
    def __init__(self, model, state):
        super().__init__()
        self.tower = Tower(model, state, nn.Sigmoid())

    def forward(self, dense, sparse):
        return self.tower(dense, sparse)


class TBSM(nn.Module):
    """A tower for each time step, attention over the history, a head."""

    def __init__(self, model, state):
        super().__init__()
        self.steps = model["steps"]
        self.tower = Tower(model, state, nn.ReLU())
        self.inner = nn.Linear(model["top"][-1], model["top"][-1], bias=False)
        self.attention = mlp("attention", state, nn.Sigmoid())
        self.head = mlp("head", state, nn.Sigmoid())

    def forward(self, dense, sparse):
        each = [self.tower(d, s) for d, s in zip(dense.chunk(self.steps, 1), sparse.chunk(self.steps, 1))]
        vectors = nn.functional.normalize(torch.stack(each, dim=1), dim=2)
        history, candidate = vectors[:, :-1], vectors[:, -1]
        a = self.inner.weight
        weights = self.attention((history @ (a.T @ (a @ candidate.T)).T.unsqueeze(2)).squeeze(2))
        context = (weights.unsqueeze(1) @ history).squeeze(1)
        return self.head(torch.cat([context, candidate], dim=1))


def parameters(net):
    """The parameters by the names of the export: the index of a layer there counts layers with parameters only."""
    named = {}
    for path, value in net.named_parameters():
        parts = path.removeprefix("tower.").split(".")
        if parts[0] == "inner":
            parts.insert(1, "0")
        elif parts[0] != "tables":
            parts[1] = str(int(parts[1]) // 2)
        named[".".join(parts)] = value
    return named


def main(start, inputs, end, dtype):
    torch.set_num_threads(1)
    torch.set_default_dtype(getattr(torch, dtype))
    with safe_open(inputs, framework="pt") as f:
        model = json.loads(f.metadata()["training"])
    state, inputs = load_file(start), load_file(inputs)
    net = {"dlrm": DLRM, "tbsm": TBSM}[model["kind"]](model, state)
    named = parameters(net)
    assert named.keys() == state.keys(), named.keys() ^ state.keys()
    with torch.no_grad():
        for name, value in named.items():
            assert value.shape == state[name].shape, name
            value.copy_(state[name])
    tables = [value for name, value in named.items() if name.startswith("tables.")]
    others = [value for name, value in named.items() if not name.startswith("tables.")]
    both = optimisers.dense(model, others), optimisers.rows(model, tables)
    loss_of = {"bce": nn.BCELoss, "mse": nn.MSELoss}[model["loss"]]()
    default = torch.get_default_dtype()
    batches = zip(*(inputs[name].split(model["batch"]) for name in ("dense", "sparse", "labels")))
    for (dense, sparse, labels), rate in zip(batches, optimisers.rates(model)):
        net.zero_grad()
        loss = loss_of(net(dense.to(default), sparse).squeeze(1), labels.to(default))
        loss.backward()
        optimisers.step(both, rate)
        print(loss.item())
    other = load_file(end)
    print(max((value.detach() - other[name].to(default)).abs().max().item() for name, value in named.items()))


main(*sys.argv[1:])
