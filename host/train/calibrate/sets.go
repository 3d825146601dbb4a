package calibrate

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// NewRequest returns what to measure on a device: operators for the fit, and steps that the seed
// chooses.
func NewRequest(device string, seed uint64) Measurements {
	return Measurements{Schema: schema, Device: device, Rounds: 8, Operators: fitSet(device, mostGPUs), Steps: heldOut(seed)}
}

// mostGPUs is the maximum number of GPUs that are measured together. The script leaves out
// collectives of more GPUs than there are.
const mostGPUs = 16

// Sizes of the operators that constants are fitted to. No step has any of them.
var (
	fitBatches = []int{100, 400, 1400}
	fitDims    = []int{16, 40, 64, 104}
	fitLayers  = [][2]int{ // inputs and outputs
		{13, 104}, {13, 264}, {51, 64}, {239, 264}, {64, 16}, {40, 104}, {104, 64}, {264, 40}, {64, 264}, {264, 264}, {104, 480}, {480, 264}, {264, 1},
	}
	fitWidths = []int{16, 40, 64, 104, 264, 480} // outputs of these layers
)

// fitSet returns the operators that constants are fitted to.
func fitSet(device string, gpus int) (set []Operator) {
	add := func(name string, sizes ...int) { set = append(set, Operator{Name: name, Sizes: sizes}) }
	for _, values := range []int{1, 1 << 14, 1 << 20, 1 << 23} {
		for _, name := range []string{"copy_host", "copy_device", "copy_pageable", "copy_pinned"} {
			add(name, values)
		}
	}
	for _, n := range fitBatches {
		for _, w := range fitLayers {
			add("product", n, w[1], w[0])
			add("weight_gradient", w[1], w[0], n)
			add("input_gradient", n, w[0], w[1])
		}
		for _, width := range []int{104, 480} {
			add("activation", n, width)
		}
		for _, features := range []int{4, 9, 14, 21, 27} {
			for _, dim := range fitDims {
				add("interaction", n, features, dim)
			}
		}
		for _, tables := range []int{3, 20} {
			for _, lookups := range []int{1, 4, 12} {
				for _, dim := range []int{16, 64, 104} {
					for _, name := range tableOperators(device) {
						add(name, tables, n, lookups, dim)
					}
				}
			}
		}
	}
	for _, values := range []int{1 << 18, 1 << 20} {
		add("update", values)
	}
	for _, count := range tinyLayers {
		add("layers", count)
	}
	add("interaction", tinyInteraction...)
	add("loss", 1)
	for n := 2; n <= min(gpus, mostGPUs); n *= 2 {
		for _, values := range []int{1, 1 << 20, 1 << 24} {
			add("all_reduce", n, values)
		}
	}
	return set
}

// Sizes of operators whose time is dispatch.
var (
	tinyLayers      = []int{2, 16}
	tinyInteraction = []int{1, 2, 2}
)

// tableOperators returns the operators of tables. On a CPU, the device's memory is host memory.
func tableOperators(device string) []string {
	if device == "cpu" {
		return []string{"pool_rows", "update_rows"}
	}
	return []string{"pool_rows", "update_rows", "pool_host_rows", "update_host_rows"}
}

// heldOutSteps is the number of steps to predict.
const heldOutSteps = 24

// heldOut returns steps of random sizes. Mini-batches, dimensions and hidden layers have no size of
// the fit set.
func heldOut(seed uint64) (steps []Step) {
	r := detmath.NewStream(seed)
	between := func(low, high float64) int { return int(low * detmath.Pow(high/low, r.Float64())) }
	size := func(low, high float64, unit int, fitted []int) int {
		for {
			if n := between(low, high) / unit * unit; !slices.Contains(fitted, n) {
				return n
			}
		}
	}
	hidden := func() (widths []int) {
		for range 1 + r.Uint64()%3 {
			widths = append(widths, size(32, 500, 8, fitWidths))
		}
		return widths
	}
	for range heldOutSteps {
		s := Step{Batch: size(64, 2000, 1, fitBatches), Tables: between(3, 27), Lookups: between(1, 20), Dim: size(16, 128, 8, fitDims)}
		s.Bottom = append(append([]int{denseFeatures}, hidden()...), s.Dim)
		s.Top = append(hidden(), 1)
		steps = append(steps, s)
	}
	return steps
}
