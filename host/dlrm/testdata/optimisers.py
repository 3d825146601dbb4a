"""PyTorch's optimisers with the settings of a checkpoint, and values of them for optimiser_test.go.

As a program, it prints cases in JSON. Each case trains a vector on given gradients: as a dense
parameter, or as the only row of an embedding table with sparse gradients.
"""

import json

import torch

torch.sparse.check_sparse_tensor_invariants.enable()

STEPS = 24
RULES = [
    {"optimiser": "sgd"},
    {"optimiser": "momentum", "optimiser_momentum": 0.9},
    {"optimiser": "momentum", "optimiser_momentum": 0.5},
    {"optimiser": "adagrad", "optimiser_eps": 1e-10},
    {"optimiser": "adagrad", "optimiser_eps": 1e-3},
    {"optimiser": "rowwise_adagrad", "optimiser_eps": 1e-10},
    {"optimiser": "adam", "optimiser_beta1": 0.9, "optimiser_beta2": 0.999, "optimiser_eps": 1e-8},
    {"optimiser": "adam", "optimiser_beta1": 0.8, "optimiser_beta2": 0.95, "optimiser_eps": 1e-4},
]
SCHEDULE = "lr_num_warmup_steps", "lr_decay_start_step", "lr_num_decay_steps"
SCHEDULES = [(0, 0, 0), (5, 5, 0), (5, 9, 8), (0, 3, 40), (1, 6, 4)]


class RowwiseAdagrad(torch.optim.Optimizer):
    """Row-wise Adagrad, which PyTorch lacks: a sum per row, of means of squares, as in RWSAdagrad of facebookresearch/dlrm."""

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                grad = p.grad.coalesce()
                rows, values = grad.indices()[0], grad.values()
                total = self.state[p].setdefault("sum", torch.zeros(len(p), dtype=p.dtype))
                total[rows] += values.square().mean(1)
                p[rows] -= group["lr"] * values / (total[rows].sqrt() + group["eps"]).unsqueeze(1)


class LazyMomentum(torch.optim.SGD):
    """PyTorch's momentum, restricted to the rows that have a gradient: all others keep values and states."""

    @torch.no_grad()
    def step(self):
        kept = []
        for group in self.param_groups:
            for p in group["params"]:
                untouched = torch.ones(len(p), dtype=torch.bool)
                untouched[p.grad.coalesce().indices()[0]] = False
                buffer = self.state[p].setdefault("momentum_buffer", torch.zeros_like(p))
                kept.append((p, buffer, untouched, p[untouched], buffer[untouched]))
                p.grad = p.grad.to_dense()
        super().step()
        for p, buffer, untouched, values, state in kept:
            p[untouched], buffer[untouched] = values, state


def dense(training, params):
    """The optimiser of dense parameters."""
    common = {"lr": training["learning_rate"], "weight_decay": training.get("weight_decay", 0)}
    match training["optimiser"]:
        case "adam":
            return torch.optim.Adam(params, betas=(training["optimiser_beta1"], training["optimiser_beta2"]), eps=training["optimiser_eps"], **common)
        case "adagrad" | "rowwise_adagrad":
            return torch.optim.Adagrad(params, eps=training["optimiser_eps"], **common)
    return torch.optim.SGD(params, momentum=training.get("optimiser_momentum", 0), **common)


def rows(training, params):
    """The optimiser of embedding tables with sparse gradients."""
    rate = training["learning_rate"]
    match training["optimiser"]:
        case "adam":
            return torch.optim.SparseAdam(params, lr=rate, betas=(training["optimiser_beta1"], training["optimiser_beta2"]), eps=training["optimiser_eps"])
        case "adagrad":
            return torch.optim.Adagrad(params, lr=rate, eps=training["optimiser_eps"])
        case "rowwise_adagrad":
            return RowwiseAdagrad(params, {"lr": rate, "eps": training["optimiser_eps"]})
        case "momentum":
            return LazyMomentum(params, lr=rate, momentum=training["optimiser_momentum"])
    return torch.optim.SGD(params, lr=rate)


def rates(training):
    """The learning rates of LRPolicyScheduler of facebookresearch/dlrm. Where it fails, the full rate."""
    warmup, start, steps = (training.get(name, 0) for name in SCHEDULE)
    full = last = training["learning_rate"]
    t = 0
    while True:
        t += 1
        if t < warmup:
            last = full * (1 - (warmup - t) / warmup)
        elif start <= t < start + steps:
            last = max(1e-7, full * ((steps - (t - start)) / steps) ** 2)
        elif steps == 0:
            last = full
        yield last


def step(optimisers, rate):
    for o in optimisers:
        for group in o.param_groups:
            group["lr"] = rate
        o.step()


def train(training, sparse, start, gradients):
    """The values after the middle and after all steps."""
    p = torch.nn.Parameter(start.clone().unsqueeze(0))
    o = rows(training, [p]) if sparse else dense(training, [p])
    values = []
    for grad, rate in zip(gradients, rates(training)):
        p.grad = grad.clone().unsqueeze(0)
        if sparse:
            p.grad = torch.sparse_coo_tensor([[0]], p.grad, p.shape)
        step([o], rate)
        values.append(p.detach()[0].tolist())
    return [values[STEPS // 2 - 1], values[-1]]


def main():
    torch.manual_seed(1)
    start = torch.randn(6)
    gradients = torch.randn(STEPS, 6) * 10.0 ** torch.tensor([-6, -4, -2, -1, 0, 1])
    gradients[3] = 0
    cases = []
    for rule in RULES:
        for schedule in SCHEDULES if rule["optimiser"] == "sgd" else SCHEDULES[:3:2]:
            for extra in ({"sparse": True}, {}, {"weight_decay": 0.01}):
                training = {"learning_rate": 0.05} | rule | dict(zip(SCHEDULE, schedule)) | extra
                cases.append(training | {"values": train(training, "sparse" in extra, start, gradients)})
    lists = [",\n".join(map(json.dumps, values)) for values in (gradients.tolist(), cases)]
    print('{"start": %s,\n"gradients": [\n%s\n],\n"cases": [\n%s\n]}' % (json.dumps(start.tolist()), *lists))


if __name__ == "__main__":
    main()
