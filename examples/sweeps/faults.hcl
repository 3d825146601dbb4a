# A soak with faults on the link: 50 seeds at three rates of faults.

run "scripts/soak" {
  arguments = ["--faults", "--seed", seed, "--rate", rate, "--commands", 1000000, "--hardware", 10000, "--json"]
}

axis "seed" {
  values = range(1, 51)
}

axis "rate" {
  values = [1, 4, 16]
}

plots = ["faults", "jobs_again", "longest_recovery_ps"]
