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
	GEMMOverheadUs  float64 `name:"gemm_overhead_us"`
	GEMMHeadGFLOP   float64 `name:"gemm_head_gflop"`
	GEMMTFLOPS      float64 `name:"gemm_tflops"`
	GEMMGBPerSecond float64 `name:"gemm_gb_per_s"`
	// Other kernels: the larger of arithmetic at the peak and bytes at a share of
	// the HBM bandwidth; gathers move more than their bytes.
	PeakTFLOPS       float64 `name:"peak_tflops"`
	HBMGBPerSecond   float64 `name:"hbm_gb_per_s"`
	ElementwiseShare float64 `name:"elementwise_share"`
	GatherPenalty32  float64 `name:"gather_penalty_32"` // rows of up to 32 float32
	GatherPenalty64  float64 `name:"gather_penalty_64"` // up to 64
	BackwardTraffic  float64 `name:"embedding_backward"`

	// Operators, each dispatched by a host thread.
	DispatchUs     float64 `name:"dispatch_us"`     // eager, with autograd
	GraphUs        float64 `name:"graph_us"`        // as a node of a graph
	DispatchSerial float64 `name:"dispatch_serial"` // fraction that the GPUs of a process serialize
	RestOps        float64 `name:"rest_ops"`        // interaction and loss, forward and backward
	GPUTableOps    float64 `name:"gpu_table_ops"`   // embedding on a GPU, forward to update
	HybridTableOps float64 `name:"hybrid_table_ops"`
	DriverUs       float64 `name:"driver_us"` // host time for a doorbell or an interrupt

	// The data loader, per value of an input.
	LoaderUs float64 `name:"loader_us"`

	// Embedding bags on the CPU: fixed times per call and per lookup.
	StockCallUs      float64 `name:"stock_call_us"`
	StockRowUs       float64 `name:"stock_row_us"` // of 128 values
	FusedCallUs      float64 `name:"fused_call_us"`
	FusedRowNs       float64 `name:"fused_row_ns"`        // of 64 values, all cores
	FusedRowThreadNs float64 `name:"fused_row_thread_ns"` // on one core
	StreamGBPerSec   float64 `name:"stream_gb_per_s"`     // sequential memory access

	// Copies between host and GPU.
	PageableTableUs     float64 `name:"pageable_table_us"` // host thread, per table and direction
	PageableGBPerSecond float64 `name:"pageable_gb_per_s"`
	PageableGrowth      float64 `name:"pageable_growth"` // exponent of the number of GPUs
	PinnedUs            float64 `name:"pinned_us"`
	PinnedGBPerSecond   float64 `name:"pinned_gb_per_s"`
	UplinkGBPerSecond   float64 `name:"uplink_gb_per_s"` // all GPUs of a switch together
	ReplicateMs         float64 `name:"replicate_ms"`    // of a layer to one additional GPU

	// Networks.
	NVLinkGBPerSecond float64 `name:"nvlink_gb_per_s"` // to one other GPU, one direction
	NVLinkPeers       float64 `name:"nvlink_peers"`    // number of concurrent peers
	CollectiveUs      float64 `name:"collective_us"`
	NICGBPerSecond    float64 `name:"nic_gb_per_s"`
	GlooGBPerSecond   float64 `name:"gloo_gb_per_s"`
	GlooRowUs         float64 `name:"gloo_row_us"`

	// AcceleratorScale multiplies the measured times of the accelerator's commands. It models a
	// different PCIe link.
	AcceleratorScale float64 `name:"accelerator_scale"`
	// SegregateUs is the time of a lookup in the hot set on all cores of the CPU, for systems
	// without an accelerator.
	SegregateUs float64 `name:"segregate_us"`

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
func names() []string {
	var list []string
	t := reflect.TypeFor[Machine]()
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get("name"); name != "" {
			list = append(list, name)
		}
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
