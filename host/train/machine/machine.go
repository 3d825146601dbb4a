package machine

import (
	"fmt"
	"math"
	"reflect"
	"sync"
)

// Machine holds the constants of a server and its network, which [Machine.Constants] lists. GB/s
// are 1e9 bytes per second. The tag of a field is the constant's name in HCL, where its value,
// range and source are.
type Machine struct {
	Name  string
	Title string // for display

	// Sizes.
	GPUs          int     // in a server
	GPUMemoryGiB  float64 // of one GPU
	HostMemoryGiB float64
	CPUCores      int

	// The FP32 matrix product: overhead + max((x+head)/rate, bytes/bandwidth)
	// with x in GFLOP.
	GEMMOverheadUs  float64 `name:"gemm_overhead_us" unit:"us" doc:"fixed time of a matrix product"`
	GEMMHeadGFLOP   float64 `name:"gemm_head_gflop" unit:"GFLOP" doc:"work that a matrix product adds"`
	GEMMTFLOPS      float64 `name:"gemm_tflops" unit:"TFLOP/s" doc:"rate of a matrix product"`
	GEMMGBPerSecond float64 `name:"gemm_gb_per_s" unit:"GB/s" doc:"memory bandwidth of a matrix product"`
	// Other kernels: the larger of arithmetic at the peak and bytes at a share of
	// the HBM bandwidth; gathers move more than their bytes.
	PeakTFLOPS       float64 `name:"peak_tflops" unit:"TFLOP/s" doc:"peak rate of other kernels"`
	HBMGBPerSecond   float64 `name:"hbm_gb_per_s" unit:"GB/s" doc:"bandwidth of a GPU's memory"`
	ElementwiseShare float64 `name:"elementwise_share" doc:"share of the bandwidth that elementwise kernels reach"`
	GatherPenalty32  float64 `name:"gather_penalty_32" doc:"traffic over bytes, for rows of up to 32 float32"`
	GatherPenalty64  float64 `name:"gather_penalty_64" doc:"traffic over bytes, for rows of up to 64 float32"`
	BackwardTraffic  float64 `name:"embedding_backward" doc:"traffic of an embedding's backward pass over its forward pass"`

	// Operators, each dispatched by a host thread.
	DispatchUs     float64 `name:"dispatch_us" unit:"us" doc:"dispatch of an operator, eager, with autograd"`
	GraphUs        float64 `name:"graph_us" unit:"us" doc:"dispatch of an operator as a node of a graph"`
	DispatchSerial float64 `name:"dispatch_serial" doc:"fraction of dispatch that the GPUs of a process serialize"`
	RestOps        float64 `name:"rest_ops" doc:"operators of interaction and loss, forward and backward"`
	GPUTableOps    float64 `name:"gpu_table_ops" doc:"operators of a table on a GPU, forward to update"`
	HybridTableOps float64 `name:"hybrid_table_ops" doc:"operators of a table's pooled vectors in the hybrid system"`
	DriverUs       float64 `name:"driver_us" unit:"us" doc:"host time for a doorbell or an interrupt"`

	// The data loader.
	LoaderUs float64 `name:"loader_us" unit:"us" doc:"time of the data loader per value of a sample"`

	// Embedding bags on the CPU: fixed times per call and per lookup.
	StockCallUs      float64 `name:"stock_call_us" unit:"us" doc:"call of a framework's embedding bag on the CPU"`
	StockRowUs       float64 `name:"stock_row_us" unit:"us" doc:"lookup of 128 values in a framework's embedding bag"`
	FusedCallUs      float64 `name:"fused_call_us" unit:"us" doc:"call of a fused embedding bag on the CPU"`
	FusedRowNs       float64 `name:"fused_row_ns" unit:"ns" doc:"lookup of 64 values in a fused embedding bag, all cores"`
	FusedRowThreadNs float64 `name:"fused_row_thread_ns" unit:"ns" doc:"lookup of 64 values in a fused embedding bag, one core"`
	StreamGBPerSec   float64 `name:"stream_gb_per_s" unit:"GB/s" doc:"sequential access to host memory"`

	// Copies between host and GPU.
	PageableTableUs     float64 `name:"pageable_table_us" unit:"us" doc:"host thread's time for a pageable copy, per table and direction"`
	PageableGBPerSecond float64 `name:"pageable_gb_per_s" unit:"GB/s" doc:"bandwidth of pageable copies"`
	PageableGrowth      float64 `name:"pageable_growth" doc:"exponent of the number of GPUs, for pageable copies"`
	PinnedUs            float64 `name:"pinned_us" unit:"us" doc:"fixed time of a pinned copy"`
	PinnedGBPerSecond   float64 `name:"pinned_gb_per_s" unit:"GB/s" doc:"bandwidth of pinned copies"`
	UplinkGBPerSecond   float64 `name:"uplink_gb_per_s" unit:"GB/s" doc:"bandwidth of all GPUs of a switch together"`
	ReplicateMs         float64 `name:"replicate_ms" unit:"ms" doc:"copy of a layer to one additional GPU"`

	// Networks.
	NVLinkGBPerSecond float64 `name:"nvlink_gb_per_s" unit:"GB/s" doc:"bandwidth to one other GPU, one direction"`
	NVLinkPeers       float64 `name:"nvlink_peers" doc:"concurrent peers of a GPU"`
	CollectiveUs      float64 `name:"collective_us" unit:"us" doc:"fixed time of a collective operation"`
	NICGBPerSecond    float64 `name:"nic_gb_per_s" unit:"GB/s" doc:"bandwidth of a server's network card"`
	GlooGBPerSecond   float64 `name:"gloo_gb_per_s" unit:"GB/s" doc:"bandwidth of exchanges through host memory"`
	GlooRowUs         float64 `name:"gloo_row_us" unit:"us" doc:"time per row of exchanges through host memory"`

	// AcceleratorScale models a different PCIe link. SegregateUs is for systems without an
	// accelerator, and ScanUs for systems that prepare the data before the training.
	AcceleratorScale float64 `name:"accelerator_scale" doc:"factor of the measured times of the accelerator's commands"`
	SegregateUs      float64 `name:"segregate_us" unit:"us" doc:"lookup in the hot set on all cores of the CPU"`
	ScanUs           float64 `name:"scan_us" unit:"us" doc:"lookup counted or classified before the training, on all cores of the CPU"`

	// Arithmetic of systems that train on the CPU.
	CPUGEMMGFLOPS float64 `name:"cpu_gemm_gflops" unit:"GFLOP/s" doc:"rate of matrix products on all cores of the CPU"`

	constants []Constant
}

// Constant is a constant of a machine.
type Constant struct {
	Name       string  `json:"name"`
	Value      float64 `json:"value"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Source     string  `json:"source"`
	Calibrated string  `json:"calibrated,omitempty"` // published row used for calibration; this row is not a result then
}

// Constants returns the constants in the order of Machine's fields.
func (m *Machine) Constants() []Constant { return append([]Constant(nil), m.constants...) }

// With returns the machine with another value of a constant. It panics if there is no constant of
// that name.
func (m *Machine) With(name string, value float64) *Machine {
	found := false
	c := m.WithEach(func(c Constant) float64 {
		if c.Name != name {
			return c.Value
		}
		found = true
		return value
	})
	if !found {
		panic(fmt.Sprintf("machine: %s has no constant %q", m.Name, name))
	}
	return c
}

// WithEach returns the machine with other values of its constants. It calls value for the constants
// in their order.
func (m *Machine) WithEach(value func(Constant) float64) *Machine {
	c := *m
	c.constants = m.Constants()
	for i := range c.constants {
		x := &c.constants[i]
		if v := value(*x); v != x.Value {
			x.Value = v
			*c.field(x.Name) = v
		}
	}
	return &c
}

// field returns the field of a constant, or nil.
func (m *Machine) field(name string) *float64 {
	i, ok := fieldOf()[name]
	if !ok {
		return nil
	}
	return reflect.ValueOf(m).Elem().Field(i).Addr().Interface().(*float64)
}

// fieldOf returns the field number of each constant, by name.
var fieldOf = sync.OnceValue(func() map[string]int {
	of := map[string]int{}
	t := reflect.TypeFor[Machine]()
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("name"); name != "" {
			of[name] = i
		}
	}
	return of
})

// names returns the names of all constants, in the order of the fields.
func names() (list []string) {
	for _, d := range Descriptions() {
		list = append(list, d.Name)
	}
	return list
}

// check returns an error if a constant is invalid.
func (c Constant) check() error {
	switch {
	case !(c.Value > 0) || math.IsInf(c.Value, 0):
		return fmt.Errorf("%s is %v, expected a positive number", c.Name, c.Value)
	case !(c.Low <= c.Value && c.Value <= c.High) || !(c.Low > 0) || math.IsInf(c.High, 0):
		return fmt.Errorf("%s is %v, which is not in its range, %v to %v", c.Name, c.Value, c.Low, c.High)
	case c.Source == "":
		return fmt.Errorf("%s has no source", c.Name)
	}
	return nil
}
