# The scale of the Hotline paper (ISCA 2024, Section V and Table IV): 64 lookup
# engines and banks, an EAL of 4 MB with 2M blocks, 16 FP32 ALUs, 350 MHz,
# behind PCIe Gen3 x16.

clock_mhz = 350

accelerator {
  engines       = 64
  banks         = 64
  blocks        = 2097152
  ways          = 8
  tag_bits      = 13       # row ids of 31 bits
  queue_depth   = 64
  window        = 128
  cache         = 128
  stream_bits   = 512
  alus          = 16
  vector_values = 128
  edram_words   = 851968   # two mini-batches of 16K inputs with 26 lookups
  tags          = 256
  slots         = 256
  tables        = 64       # 256 for syn-m1 and syn-m2
  gpus          = 8
}

model {
  dim           = 16
  bottom        = [512, 256, 64]
  top           = [512, 256]
  learning_rate = 0.1
}

training {
  gpus        = 4
  batch       = 4096
  batches     = 8
  learn_share = 0.05
  relearn     = 20
  seed        = 1
}

data {
  contexts     = 2000
  context_zipf = 1.1
  list         = 2
  rho          = 0.993
}
