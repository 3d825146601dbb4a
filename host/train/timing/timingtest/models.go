package timingtest

import (
	"fmt"
	"math"
	"testing"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// PerGPU is the mini-batch size of the papers per GPU.
const PerGPU = 1024

// Model returns one of the models of FAE and Hotline, rm1 to rm4. Table sizes do not affect times.
func Model(name string) dlrm.Config {
	m := dlrm.Config{Name: name, LearningRate: 0.1}
	tables := 26
	switch name {
	case "rm1":
		m.Kind, m.Steps, m.Dense, m.Dim, tables = dlrm.TBSM, 21, 1, 16, 3
		m.Bottom, m.Top, m.Attention, m.Head = []int{1, 16}, []int{15, 15}, []int{15, 15, 20}, []int{60, 1}
		m.Optimiser = dlrm.Adagrad
	case "rm2":
		m.Dense, m.Dim, m.Bottom, m.Top = 13, 16, []int{13, 512, 256, 64, 16}, []int{512, 256, 1}
	case "rm3":
		m.Dense, m.Dim, m.Bottom, m.Top = 13, 64, []int{13, 512, 256, 64}, []int{512, 512, 256, 1}
	case "rm4":
		m.Dense, m.Dim, m.Bottom, m.Top, tables = 1, 16, []int{1, 512, 256, 64, 16}, []int{512, 256, 1}, 21
	}
	for i := range tables {
		m.Tables = append(m.Tables, dlrm.Table{Name: fmt.Sprintf("t%d", i), Rows: 1000, Lookups: 1})
	}
	return m
}

// Plan returns a plan for a model on the default machine in one server.
func Plan(t testing.TB, profile, model string, gpus int) timing.Plan {
	return timing.Plan{Machine: machine.Default(), Profile: Profile(t, profile), Model: Model(model), GPUs: gpus, Nodes: 1}
}

// DenseRM2 is the number of dense parameters of rm2.
const DenseRM2 = 475985

// Times of kernels on the default machine in ms, from the definitions of its constants.

// GEMM returns the time of a product in ms.
func GEMM(m, n, k float64) float64 {
	return 9e-3 + math.Max((2*m*n*k*1e-9+0.05)/13.5, 4*(m*k+k*n+m*n)/550e6)
}

// Elementwise returns the time of an elementwise kernel in ms.
func Elementwise(flops, bytes float64) float64 {
	return math.Max(flops/15.441e9, bytes/(816.95e6*0.79))
}

// Gather returns the time in ms to gather rows of a size in bytes.
func Gather(rows, size float64) float64 { return 1.55 * (4*rows + size*rows) / 816.95e6 }

// Pool returns the time in ms to gather rows of 16 values and to add them up to vectors.
func Pool(bags, rows float64) float64 { return Gather(rows, 64) + 1.55*bags*(96+64)/816.95e6 }

// Layers returns the time in ms of the products and the activations of the MLPs of rm2 for n
// inputs.
func Layers(n float64) float64 {
	t := 0.0
	for i, w := range [][2]float64{{13, 512}, {512, 256}, {256, 64}, {64, 16}, {367, 512}, {512, 256}, {256, 1}} {
		t += GEMM(n, w[1], w[0]) + GEMM(w[1], w[0], n) + Elementwise(3*n*w[1], 24*n*w[1])
		if i > 0 {
			t += GEMM(n, w[0], w[1])
		}
	}
	return t
}

// Interaction returns the time in ms of the interaction of rm2 for n inputs.
func Interaction(n float64) float64 { return 3 * Elementwise(n*27*27*16, n*4*(27*16+367)) }
