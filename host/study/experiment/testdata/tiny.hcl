# The smallest accelerator that there can be, and a training run of a moment.

clock_mhz = 250

accelerator {
  engines       = 4
  banks         = 4
  blocks        = 512
  ways          = 4
  tag_bits      = 9        # row ids of 16 bits
  queue_depth   = 2
  window        = 8
  cache         = 4
  stream_bits   = 128
  alus          = 4
  vector_values = 32
  edram_words   = 2048     # two mini-batches of 36 inputs
  tags          = 8
  slots         = 32
  tables        = 32
  gpus          = 2
}

model {
  dim           = 4
  bottom        = [8]
  top           = []
  learning_rate = 0.5
}

training {
  gpus        = 2
  batch       = 32
  batches     = 5
  learn_share = 0.5
  relearn     = 3
  seed        = 1
}

data {
  contexts     = 12
  context_zipf = 1
  list         = 1
  rho          = 0.98
  rows         = { C3 = 300, C4 = 2000, C7 = 500, C10 = 200, C11 = 100, C12 = 100, C15 = 900, C16 = 100, C18 = 100, C21 = 100, C24 = 100, C26 = 100 }
  lookups      = { C5 = 2, C9 = 3 }
}

fae {
  budget_mib = 0.03125
  sample     = 0.5
  small_kib  = 4
  test       = 64
}
