# Random commands with random errors on accelerators of random sizes: 100 seeds.

run "scripts/random-commands" {
  arguments = ["--config", "random", "--seed", seed, "--commands", 100000, "--json"]
}

axis "seed" {
  values = range(1, 101)
}

plots = ["commands", "cycles"]
