# A campaign of random designs on all engines: 30,000 seeds, 300 a point.

run "scripts/random-designs" {
  arguments = ["--first", seed, "--designs", 300, "--json"]
}

axis "seed" {
  values = range(2000000, 2030000, 300)
}
