# What a speed-up depends on: 40 of the 192 combinations of two constants of the machine, the
# number of GPUs, the skew of the clicks and the system.

run "train" {
  config    = "configs/small.hcl"
  machine   = "v100"
  arguments = ["--system", "hybrid,${system}", "--profile", "sceptic", "--values", "off"]
}

axis "dispatch_us" {
  attribute = "machine.constant.dispatch_us.value"
  values    = [8, 10, 12, 14]
}

axis "pageable" {
  attribute = "machine.constant.pageable_gb_per_s.value"
  values    = [2.2, 2.3, 2.4, 2.5]
}

axis "gpus" {
  attribute = "training.gpus"
  values    = [1, 2, 4]
}

axis "skew" {
  attribute = "data.context_zipf"
  values    = [1.1, 1.3]
}

axis "system" {
  values = ["hotline", "fae"]
}

sample {
  points = 40
  seed   = 1
}

plots = ["speed_ups.hotline.sceptic.value", "speed_ups.fae.sceptic.value"]
