# The server of the Hotline, FAE and ScratchPipe papers: Dell C4140, two Xeon
# Silver 4116, four V100 with 16 GB on NVLink 2, PCIe Gen3, 100 Gb/s InfiniBand,
# with the software of 2021 to 2024.
#
# Each constant has a value, the range in which it may be, and where both come
# from. "calibrated" names the published row that a value was fitted to: that row
# is not a result. "Choice" says that no source was found. A speed-up is printed
# with its range over all of these.

title           = "4 x V100 16 GB, NVLink 2, PCIe Gen3, 2 x Xeon Silver 4116"
gpus            = 4
gpu_memory_gib  = 16
host_memory_gib = 192
cpu_cores       = 24

# GPU arithmetic.

constant "gemm_overhead_us" {
  value  = 9
  low    = 5
  high   = 10
  source = "Least-squares fit to the 160 FP32 V100 shapes of DeepBench (CUDA 10.1): t = overhead + max((x+head)/rate, bytes/bandwidth), geometric mean error 10.8 %, 5.5 % where M, N >= 64. Low: the idle gap between kernels, 4 to 5 us (ml_perf_model)"
}
constant "gemm_head_gflop" {
  value  = 0.05
  low    = 0.03
  high   = 0.08
  source = "The same fit"
}
constant "gemm_tflops" {
  value  = 13.5
  low    = 12
  high   = 14.5
  source = "The same fit; highest shape 13.8"
}
constant "gemm_gb_per_s" {
  value  = 550
  low    = 450
  high   = 800
  source = "The same fit; high: DRAM bandwidth"
}
constant "peak_tflops" {
  value  = 15.441
  low    = 14
  high   = 15.7
  source = "Measured FP32 peak (ml_perf_model HW_PARAMS); high: data sheet"
}
constant "hbm_gb_per_s" {
  value  = 816.95
  low    = 750
  high   = 900
  source = "Measured DRAM bandwidth (ml_perf_model HW_PARAMS); high: data sheet"
}
constant "elementwise_share" {
  value  = 0.79
  low    = 0.7
  high   = 0.9
  source = "Share of the bandwidth that concatenation reaches (ml_perf_model)"
}
constant "gather_penalty_32" {
  value  = 1.55
  low    = 1.3
  high   = 1.8
  source = "Traffic of gathering rows of up to 32 float32, over their bytes (ml_perf_model)"
}
constant "gather_penalty_64" {
  value  = 1.1
  low    = 1
  high   = 1.3
  source = "The same for rows of up to 64 float32"
}
constant "embedding_backward" {
  value  = 2
  low    = 1.5
  high   = 3
  source = "Traffic of an embedding's backward pass in units of the forward pass (torchrec planner)"
}

# Operators. Each is dispatched by a thread of the host before its kernel can
# start; at the papers' sizes this is most of a GPU's time.

constant "dispatch_us" {
  value  = 10
  low    = 6
  high   = 14
  source = "An event of 10 us an eager operator, autograd included (ml_perf_model); FAMBench DLRM on A100: 17.29 of 17.33 ms are CPU dispatch (pytorch/benchmark #878)"
}
constant "graph_us" {
  value  = 2.5
  low    = 1.5
  high   = 4
  source = "Choice: a node of a launched graph"
}
constant "dispatch_serial" {
  value  = 0.78
  low    = 0.6
  high   = 0.9
  source = "Share of dispatch that the GPUs of one process cannot do at once: equal work on 1, 2, 4 GPUs takes 12.39, 21.63, 41.38 ms (dmlc/dgl #838)"
}
constant "rest_ops" {
  value  = 30
  low    = 20
  high   = 60
  source = "Operators of interaction and loss, counted in the DLRM reference; about 800 kernels in all for NVIDIA's 26-table DLRM"
}
constant "gpu_table_ops" {
  value  = 16
  low    = 10
  high   = 25
  source = "Operators of a table on a GPU with a sparse gradient: lookup, sort, coalesce, update; counted, the geometric middle of the range"
}
constant "hybrid_table_ops" {
  value  = 7
  low    = 5
  high   = 9
  source = "Operators of a table's pooled vectors on a GPU in the hybrid system, counted in FAE's release; range: choice"
}
constant "driver_us" {
  value  = 5
  low    = 2
  high   = 15
  source = "Choice: a system call with a doorbell, or an interrupt to a waiting thread"
}

# The data loader.

constant "loader_us" {
  value  = 0.3
  low    = 0.2
  high   = 0.45
  source = "Measured: collating 1,024 inputs of 39 features in the DLRM reference takes 8.5 to 16.8 ms, of Avazu 6.2 ms"
}

# Embedding bags on the CPU.

constant "stock_call_us" {
  value  = 87
  low    = 50
  high   = 150
  source = "Measured: 26 tables of one-hot bags, forward, backward and SGD, one thread, 2.9 ms in all at 1,024 inputs (PyTorch)"
}
constant "stock_row_us" {
  value      = 0.4
  low        = 0.25
  high       = 0.65
  source     = "A lookup of 128 values, forward to update, the geometric middle of the range: 0.52 from 327,680 lookups of ScratchPipe's model in about 180 ms (PyTorch 1.8), measured 0.42 to 0.69 us for the same shape, and 0.10 to 0.28 us for one-hot lookups of 16 to 64 values"
  calibrated = "ScratchPipe Figure 12, no cache, total"
}
constant "fused_call_us" {
  value  = 120
  low    = 60
  high   = 250
  source = "Thin: three parallel regions and autograd a table and step; 113 us measured on a faster CPU"
}
constant "fused_row_ns" {
  value  = 30
  low    = 16
  high   = 60
  source = "Upper bound from 39 ms for 1.64 M lookups of 64 values with the MLPs on 28 cores (pytorch #28198), on fewer and slower cores"
}
constant "fused_row_thread_ns" {
  value  = 180
  low    = 100
  high   = 280
  source = "Measured: 0.10 to 0.28 us a one-hot lookup of 16 to 64 values on one thread"
}
constant "stream_gb_per_s" {
  value  = 51
  low    = 40
  high   = 76.8
  source = "torchrec planner, DDR4; high: what the papers state"
}

# Copies between host and GPU.

constant "pageable_table_us" {
  value      = 36.1
  low        = 34
  high       = 38
  source     = "Fit to the DLRM column of FAE (VLDB 2022) Table 6 at one GPU, four data sets, -3.2 to +1.9 %: select, scatter and autograd of a table, one way"
  calibrated = "FAE Table 6, DLRM, 1 GPU"
}
constant "pageable_gb_per_s" {
  value      = 2.33
  low        = 2.2
  high       = 2.5
  source     = "The same fit: stacking, page faults and the pageable copy"
  calibrated = "FAE Table 6, DLRM, 1 GPU"
}
constant "pageable_growth" {
  value  = 0.85
  low    = 0.7
  high   = 1
  source = "Choice: bytes of n GPUs go through one path, in n to this power of the time"
}
constant "pinned_us" {
  value  = 7
  low    = 5
  high   = 10
  source = "Small-copy overhead 4.83 us (ml_perf_model) and a call"
}
constant "pinned_gb_per_s" {
  value  = 11
  low    = 9
  high   = 12.5
  source = "PCIe Gen3 x16 by TLPs of 256 bytes; 8.1 through PyTorch tensors (ml_perf_model)"
}
constant "uplink_gb_per_s" {
  value  = 11
  low    = 9
  high   = 12.5
  source = "Choice: the four GPUs of a C4140 share the link above their switch"
}
constant "replicate_ms" {
  value  = 0.15
  low    = 0.05
  high   = 0.3
  source = "Choice: DataParallel copies a layer to the GPUs in every iteration"
}

# Networks.

constant "nvlink_gb_per_s" {
  value  = 47.9
  low    = 46
  high   = 48.5
  source = "NVLink 2, two links a pair: 47.9 of 50 (Dell C4140, configuration K)"
}
constant "nvlink_peers" {
  value  = 3
  low    = 3
  high   = 3
  source = "Each pair has links of its own: 143.7 of 150 GB/s to three others"
}
constant "collective_us" {
  value  = 25
  low    = 15
  high   = 40
  source = "An empty collective of NCCL, 15 to 25 us, and its dispatch"
}
constant "nic_gb_per_s" {
  value  = 12.2
  low    = 11
  high   = 12.5
  source = "One 100 Gb/s card at best (nccl-tests #29)"
}
constant "gloo_gb_per_s" {
  value  = 1.2
  low    = 0.6
  high   = 2.5
  source = "Choice: Gloo through host memory"
}
constant "gloo_row_us" {
  value  = 0.1
  low    = 0.05
  high   = 0.2
  source = "Choice: coalescing a row in Gloo's sparse all-reduce"
}

# The accelerator, whose times are measured in its simulation, and the CPU that
# does its work where there is none.

constant "accelerator_scale" {
  value  = 1
  low    = 0.8
  high   = 1.25
  source = "Choice: another host's memory and root complex"
}
constant "segregate_us" {
  value      = 0.33
  low        = 0.18
  high       = 0.59
  source     = "Segregation of 4,096 inputs of Terabyte takes 2.5 times as long as training on them with four GPUs: 0.59 us a lookup with the times of hotline-2024-a, 0.18 with those of hotline-2024-b; the geometric middle"
  calibrated = "Hotline Figure 7"
}
constant "scan_us" {
  value      = 0.07
  low        = 0.035
  high       = 0.11
  source     = "FAE classifies all samples in at most 110 s on 16 cores: 0.07 us a lookup if these are the 1,573 million of Terabyte. Low: half of it; high: if they are the 1,022 million of Kaggle"
  calibrated = "FAE Figure 11"
}

# Matrix products on all cores, for systems that train on the CPU.

constant "cpu_gemm_gflops" {
  value  = 500
  low    = 250
  high   = 1000
  source = "Peak 24 cores x 2.1 GHz x 32 FLOP (one AVX-512 FMA unit), 1,613, times 0.31, the geometric middle of shares of a framework on layers this narrow; low and high: shares of 0.16 and 0.62. Choice of the shares"
}
