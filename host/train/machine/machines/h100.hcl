# A server of 2023: DGX H100, eight H100 with 80 GB behind NVSwitch, PCIe Gen5, two
# Xeon 8480C. Figures are those of the data sheets times the share that a V100
# reaches; software constants are choices. Nothing here was compared with a
# published run.

title           = "8 x H100 80 GB, NVSwitch, PCIe Gen5, 2 x Xeon 8480C"
gpus            = 8
gpu_memory_gib  = 80
host_memory_gib = 2048
cpu_cores       = 112

# GPU arithmetic.

constant "gemm_overhead_us" {
  value  = 6
  low    = 3
  high   = 8
  source = "Choice: a little below the A100"
}
constant "gemm_head_gflop" {
  value  = 0.05
  low    = 0.03
  high   = 0.08
  source = "The same fit"
}
constant "gemm_tflops" {
  value  = 50
  low    = 40
  high   = 58
  source = "Data sheet, 67 TFLOP/s without tensor cores, times a share below that of a V100"
}
constant "gemm_gb_per_s" {
  value  = 2050
  low    = 1600
  high   = 3000
  source = "Data sheet, 3,350 GB/s, times the share that a V100 reaches"
}
constant "peak_tflops" {
  value  = 60
  low    = 50
  high   = 67
  source = "Data sheet, times the share that a V100 reaches"
}
constant "hbm_gb_per_s" {
  value  = 3000
  low    = 2700
  high   = 3350
  source = "Data sheet, times the share that a V100 reaches"
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
  value  = 6
  low    = 4
  high   = 10
  source = "Choice: a faster core; FAMBench DLRM on A100 takes 17.29 ms of dispatch for some 2,000 operators"
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
  value  = 0.2
  low    = 0.1
  high   = 0.3
  source = "Choice: a faster core than that on which 0.2 to 0.45 us were measured"
}

# Embedding bags on the CPU.

constant "stock_call_us" {
  value  = 60
  low    = 35
  high   = 100
  source = "Choice: two thirds of the time on a Xeon Silver 4116"
}
constant "stock_row_us" {
  value  = 0.3
  low    = 0.15
  high   = 0.5
  source = "Choice: 0.10 to 0.28 us a one-hot lookup of 16 to 64 values was measured on a server of today"
}
constant "fused_call_us" {
  value  = 60
  low    = 30
  high   = 120
  source = "Choice: half of the time on a Xeon Silver 4116, of whose value the source is thin"
}
constant "fused_row_ns" {
  value  = 15
  low    = 8
  high   = 30
  source = "Choice: twice the cores and memory channels of a C4140"
}
constant "fused_row_thread_ns" {
  value  = 120
  low    = 60
  high   = 200
  source = "Choice"
}
constant "stream_gb_per_s" {
  value  = 400
  low    = 300
  high   = 600
  source = "Choice: 16 channels of DDR5-4800, 614 GB/s, times the share of a C4140"
}

# Copies between host and GPU.

constant "pageable_table_us" {
  value  = 20
  low    = 12
  high   = 36
  source = "Choice: a faster core than that of the fit to FAE Table 6"
}
constant "pageable_gb_per_s" {
  value  = 8
  low    = 5
  high   = 12
  source = "Choice"
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
  value  = 48
  low    = 40
  high   = 55
  source = "PCIe Gen5 x16 by TLPs of 256 bytes"
}
constant "uplink_gb_per_s" {
  value  = 96
  low    = 48
  high   = 110
  source = "Two GPUs share a switch; four at a time are on two switches"
}
constant "replicate_ms" {
  value  = 0.1
  low    = 0.03
  high   = 0.2
  source = "Choice: DataParallel copies a layer to the GPUs in every iteration"
}

# Networks.

constant "nvlink_gb_per_s" {
  value  = 360
  low    = 320
  high   = 420
  source = "Data sheet, 450 GB/s one way, times the share that NCCL reaches"
}
constant "nvlink_peers" {
  value  = 1
  low    = 1
  high   = 1
  source = "Behind a switch a GPU sends at its own rate, to however many"
}
constant "collective_us" {
  value  = 25
  low    = 15
  high   = 40
  source = "An empty collective of NCCL, 15 to 25 us, and its dispatch"
}
constant "nic_gb_per_s" {
  value  = 48
  low    = 44
  high   = 50
  source = "One 400 Gb/s card"
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

# The accelerator, whose times are measured in its simulation.

constant "accelerator_scale" {
  value  = 1
  low    = 0.8
  high   = 1.25
  source = "Choice: another host's memory and root complex"
}
constant "segregate_us" {
  value  = 0.22
  low    = 0.1
  high   = 0.5
  source = "Choice: two thirds of the time on v100, as the cores are faster"
}
constant "scan_us" {
  value  = 0.047
  low    = 0.02
  high   = 0.1
  source = "Choice: two thirds of the time on v100, as for segregate_us"
}

# Matrix products on all cores, for systems that train on the CPU.

constant "cpu_gemm_gflops" {
  value  = 2500
  low    = 1200
  high   = 5000
  source = "Choice: peak 112 cores x 2 GHz x 64 FLOP, 14,336, times 0.17, as on a100"
}
