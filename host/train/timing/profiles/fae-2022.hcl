# The release of FAE (VLDB 2022) on the DLRM reference: PyTorch 1.7, one Python
# process with DataParallel, no workers in the loader, embedding bags of the
# framework on the CPU, pooled vectors through pageable memory and GPU 0. With
# several GPUs the whole hot table goes to all of them in every mini-batch.

title        = "FAE's release: one process, loader exposed, stock CPU kernels, pageable copies"
processes    = "one"
launch       = "eager"
loader       = "exposed"
tables       = "each"
cpu          = "stock"
copies       = "pageable"
hot_exchange = "broadcast"
replicate    = true
pipelined    = false
