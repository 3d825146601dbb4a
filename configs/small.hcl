# The default of every command: an accelerator that simulates in seconds on any
# engine, and a training run that it keeps up with.

clock_mhz = 350

accelerator {
  engines       = 8      # lookup engines
  banks         = 8      # banks of the embedding access logger (EAL)
  blocks        = 4096   # EAL blocks of 16 bits: rows that can be hot
  ways          = 8
  tag_bits      = 13     # row ids of log2(blocks/ways) + 13 = 22 bits
  queue_depth   = 8      # of each of the two request queues of a bank
  window        = 32     # lookups in flight per engine
  cache         = 32     # recent answers kept per engine
  stream_bits   = 128    # data width toward PCIe
  alus          = 4      # FP32 lanes of the reducer
  vector_values = 128    # embedding vector buffer, 0.5 KB
  edram_words   = 32768  # input eDRAM, two halves
  tags          = 128    # DMA reads in flight: enough for a link x8 and rows of 64 bytes
  slots         = 64     # most lookups per input
  tables        = 32     # most embedding tables
  gpus          = 8
}

model {
  dim           = 16
  bottom        = [64]   # hidden layers; 13 dense features in, dim out
  top           = [64]   # hidden layers; one probability out
  learning_rate = 0.1
}

training {
  gpus        = 4
  batch       = 256      # inputs of a mini-batch, over all GPUs
  batches     = 24
  learn_share = 0.05     # of the mini-batches of a stretch
  relearn     = 20       # mini-batches of a stretch
  seed        = 1
}

# Clicks like those of the Criteo log: skewed, and correlated across tables. The
# contexts make so few inputs repeat as much as the papers count over 10^7 of
# them, where about three quarters are popular.
data {
  contexts     = 100
  context_zipf = 1.3
  list         = 2
  rho          = 0.993
  # An input reads several rows of these tables, which are pooled.
  lookups = { C5 = 2, C9 = 3, C17 = 4, C22 = 2 }
}

# System fae, scaled down as the tables are: of 12.7 MiB of rows.
fae {
  budget_mib = 0.25
  sample     = 0.2    # of the inputs
  small_kib  = 64     # tables of less are hot as a whole
  test       = 1024   # inputs
}
