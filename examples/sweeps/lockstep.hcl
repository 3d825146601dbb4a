# Long lock-step of the cycle model and Verilator: 100 seeds, a million cycles each.

run "verify" {
  config    = "configs/small.hcl"
  arguments = ["--engine", "compiled", "--stimulus", "random", "--cycles", 1000000, "--seed", seed]
}

axis "seed" {
  values = range(1, 101)
}

plots = ["cycles", "differences"]
