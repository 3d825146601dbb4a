# Lookups a cycle of the accelerator over the depth of its request queues and the number of
# banks, as the paper's Figure 16, on the small configuration and the hardware cycle by cycle.

run "train" {
  config    = "configs/small.hcl"
  arguments = ["--system", "hotline", "--accelerator", "cycle", "--values", "off", "--batches", 4]
}

axis "depth" {
  attribute = "accelerator.queue_depth"
  values    = [2, 4, 8, 16, 32]
}

axis "banks" {
  attribute = "accelerator.banks"
  values    = [4, 8, 16]
}

plots = ["accelerator.lookups_per_cycle", "accelerator.cycles"]
