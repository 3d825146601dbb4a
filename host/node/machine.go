package node

import (
	"fmt"
	"math"
	"reflect"
	"strings"
)

// Machine holds the constants of the timing model of one server and its
// network. GB/s are 1e9 bytes per second. The HCL attribute of each field is
// in its tag; an attribute that is left out keeps the value it had.
type Machine struct {
	// GPUs in a server; 4 in the Dell C4140 of Hotline (ISCA 2024, Sec. VI).
	GPUs int `hcl:"gpus,optional"`
	// GPUMemoryGiB is the memory of one GPU; the V100 of Hotline has 16 GiB.
	GPUMemoryGiB float64 `hcl:"gpu_memory_gib,optional"`

	// The FP32 matrix product: t[ms] = overhead + max((x+head)/rate, MB/bandwidth)
	// with x in GFLOP. Least-squares fit to the 160 V100 shapes of DeepBench
	// (CUDA 10.1): geometric mean error 10.8 %, 5.5 % where M, N >= 64.
	GEMMOverheadUs  float64 `hcl:"gemm_overhead_us,optional"`
	GEMMHeadGFLOP   float64 `hcl:"gemm_head_gflop,optional"`
	GEMMTFLOPS      float64 `hcl:"gemm_tflops,optional"`
	GEMMGBPerSecond float64 `hcl:"gemm_gb_per_s,optional"`
	// GPUPeakTFLOPS is the measured FP32 peak of the V100, 15,441 GFLOP/s
	// (ml_perf_model HW_PARAMS).
	GPUPeakTFLOPS float64 `hcl:"gpu_peak_tflops,optional"`
	// LaunchUs is what one kernel launch adds to a step (ml_perf_model: events
	// of 10 us; 150 kernels give the 1.5 ms floor of a DLRM step).
	LaunchUs float64 `hcl:"launch_us,optional"`

	// HBMGBPerSecond is the measured DRAM bandwidth of the V100
	// (ml_perf_model HW_PARAMS: 816.95).
	HBMGBPerSecond float64 `hcl:"hbm_gb_per_s,optional"`
	// Gathering narrow rows moves more than their bytes: by 1.55 for rows up to
	// 32 float32, 1.1 up to 64, nothing above (ml_perf_model).
	GatherPenalty32 float64 `hcl:"gather_penalty_32,optional"`
	GatherPenalty64 float64 `hcl:"gather_penalty_64,optional"`
	// EmbeddingBackward is the traffic of the backward pass of an embedding in
	// units of the forward pass (torchrec planner: BWD_COMPUTE_MULTIPLIER 2).
	EmbeddingBackward float64 `hcl:"embedding_backward,optional"`
	// ElementwiseShare of the HBM bandwidth is reached by element-wise and
	// concatenating kernels (ml_perf_model: 0.79).
	ElementwiseShare float64 `hcl:"elementwise_share,optional"`

	// CPUCores of a server; Hotline states 24.
	CPUCores int `hcl:"cpu_cores,optional"`
	// DRAMGBPerSecond is the DDR4 bandwidth that Hotline and ScratchPipe state.
	DRAMGBPerSecond float64 `hcl:"dram_gb_per_s,optional"`
	// DRAMShare of it is reached by streaming (torchrec planner: 51 GB/s).
	DRAMShare float64 `hcl:"dram_share,optional"`
	// CPUReferenceShare of the DRAM bandwidth is reached by the embedding
	// training of PyTorch 1.8: 7 GB/s, derived from the no-cache time of
	// ScratchPipe (about 180 ms an iteration). Calibrated, never a result.
	CPUReferenceShare float64 `hcl:"cpu_reference_share,optional"`
	// CPUReferenceTraffic is what that software moves per gathered byte, forward
	// to update: 1.2 GB for 168 MB gathered (ScratchPipe's default model).
	CPUReferenceTraffic float64 `hcl:"cpu_reference_traffic,optional"`
	// CPUOptimisedShare is the same for fused, race-free kernels: 60 to 80 %
	// (Kalamkar et al., SC 2020).
	CPUOptimisedShare float64 `hcl:"cpu_optimised_share,optional"`
	// CPUOptimisedTraffic: such kernels read a row once to pool it, and read
	// and write it once to update it.
	CPUOptimisedTraffic float64 `hcl:"cpu_optimised_traffic,optional"`

	// A copy between pageable host memory and a GPU takes 36.1 us and 2.33 GB/s:
	// fit to the one-GPU DLRM rows of FAE (VLDB 2022) Table 6, -3.2 to +1.9 %.
	PageableUs          float64 `hcl:"pageable_us,optional"`
	PageableGBPerSecond float64 `hcl:"pageable_gb_per_s,optional"`
	// A copy from pinned memory takes the small-copy overhead of the V100
	// (ml_perf_model: 4.83 us) and 12 GB/s (PCIe Gen3 x16; common knowledge).
	PinnedUs          float64 `hcl:"pinned_us,optional"`
	PinnedGBPerSecond float64 `hcl:"pinned_gb_per_s,optional"`

	// NVLinkPairGBPerSecond joins each pair of GPUs, one way (Dell C4140
	// configuration K, NV2 between all pairs: 47.9, in sum 143.7 of 150).
	NVLinkPairGBPerSecond float64 `hcl:"nvlink_pair_gb_per_s,optional"`
	// CollectiveUs is the time of an empty collective (NCCL: 15 to 25 us).
	CollectiveUs float64 `hcl:"collective_us,optional"`
	// NICGBPerSecond is what one 100 Gb/s card reaches at best (nccl-tests #29).
	NICGBPerSecond float64 `hcl:"nic_gb_per_s,optional"`
}

// DefaultMachine is the server of Hotline: 24 cores, DDR4, 4 V100 on NVLink 2,
// PCIe Gen3, 100 Gb/s InfiniBand.
func DefaultMachine() Machine {
	return Machine{
		GPUs: 4, GPUMemoryGiB: 16,
		GEMMOverheadUs: 9, GEMMHeadGFLOP: 0.05, GEMMTFLOPS: 13.5, GEMMGBPerSecond: 550,
		GPUPeakTFLOPS: 15.441, LaunchUs: 10,
		HBMGBPerSecond: 816.95, GatherPenalty32: 1.55, GatherPenalty64: 1.1,
		EmbeddingBackward: 2, ElementwiseShare: 0.79,
		CPUCores: 24, DRAMGBPerSecond: 76.8, DRAMShare: 51 / 76.8,
		CPUReferenceShare: 7 / 76.8, CPUReferenceTraffic: 1200. / 168,
		CPUOptimisedShare: 0.7, CPUOptimisedTraffic: 3,
		PageableUs: 36.1, PageableGBPerSecond: 2.33,
		PinnedUs: 4.83, PinnedGBPerSecond: 12,
		NVLinkPairGBPerSecond: 47.9, CollectiveUs: 20, NICGBPerSecond: 12.2,
	}
}

// Check reports the first constant that is not a positive finite number, or a
// share above 1, by its HCL name.
func (m *Machine) Check() error {
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("hcl"), ",")
		var x float64
		if f := v.Field(i); f.CanInt() {
			x = float64(f.Int())
		} else {
			x = f.Float()
		}
		if !(x > 0) || math.IsInf(x, 0) {
			return fmt.Errorf("node: machine: %s = %v, expected a positive number", name, x)
		}
		if strings.HasSuffix(name, "_share") && x > 1 {
			return fmt.Errorf("node: machine: %s = %v, expected a share of at most 1", name, x)
		}
	}
	return nil
}
