# Another reading of the Hotline paper: torch.distributed with a process per GPU,
# which sets one thread per process for the CPU kernels, and sparse gradients of
# hot rows through Gloo, as NCCL has no sparse all-reduce.

title        = "Hotline, reading B: a process per GPU, one CPU thread each, hot rows through Gloo"
processes    = "per-gpu"
launch       = "eager"
loader       = "hidden"
tables       = "each"
cpu          = "fused-one-thread"
copies       = "pageable"
hot_exchange = "gloo"
replicate    = false
pipelined    = false
