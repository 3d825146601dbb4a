# A reading of the Hotline paper (ISCA 2024), which releases no code: PyTorch 1.9,
# Intel's CPU kernels, one process for all GPUs, a loader that only the baselines
# wait for, since the accelerator reads the inputs itself. How hot rows are kept
# the same on all GPUs is not stated; a broadcast of their table is one way.

title        = "Hotline, reading A: one process, loader in the baselines only, fused CPU kernels, pageable copies"
processes    = "one"
launch       = "eager"
loader       = "baselines"
tables       = "each"
cpu          = "fused"
copies       = "pageable"
hot_exchange = "broadcast"
replicate    = true
pipelined    = false
