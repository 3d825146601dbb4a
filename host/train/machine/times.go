package machine

import (
	"math"

	"github.com/hotline-rtl/hotline/host/des"
)

// The functions of this file convert work to time without contention; a timeline models waiting.
// Counts are pieces, sizes are bytes.

func us(t float64) des.Time { return des.Seconds(t * 1e-6) }

// transfer returns the time to move bytes at gbPerSecond.
func transfer(gbPerSecond, bytes float64) des.Time { return des.Seconds(bytes / (gbPerSecond * 1e9)) }

// roundUp returns n rounded up to a multiple of unit.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// GEMM returns the time of a single-precision product of a rows x inner and an inner x cols matrix
// on one GPU.
func (m *Machine) GEMM(rows, cols, inner int) des.Time {
	return m.BatchedGEMM(1, rows, cols, inner, false)
}

// BatchedGEMM returns the time of count such products in one kernel. Each product reads and writes
// its own matrices, unless all are in a cache.
func (m *Machine) BatchedGEMM(count, rows, cols, inner int, cached bool) des.Time {
	n, a, b, k := float64(count), float64(rows), float64(cols), float64(inner)
	gflop := float64(2 * n * a * b * k * 1e-9) // rounded, so that no compiler fuses it into the sum
	compute := des.Seconds((gflop + m.GEMMHeadGFLOP) / (m.GEMMTFLOPS * 1e3))
	if cached {
		return us(m.GEMMOverheadUs) + compute
	}
	return us(m.GEMMOverheadUs) + max(compute, transfer(m.GEMMGBPerSecond, 4*n*(a*k+k*b+a*b)))
}

// Elementwise returns the time of a GPU kernel that does flops operations and reads and writes
// bytes in total.
func (m *Machine) Elementwise(flops, bytes float64) des.Time {
	return max(des.Seconds(flops/(m.PeakTFLOPS*1e12)), transfer(m.HBMGBPerSecond*m.ElementwiseShare, bytes))
}

// Gather returns the time in which a GPU reads rows of rowBytes from random places of its own
// memory, in sectors of 32 bytes, and their 4-byte indices.
func (m *Machine) Gather(rows, rowBytes int) des.Time {
	bytes := float64(roundUp(4*rows, 32)) + float64(rows)*float64(roundUp(rowBytes, 32))
	return transfer(m.HBMGBPerSecond, m.gatherPenalty(rowBytes)*bytes)
}

// EmbeddingForward returns the time in which a GPU pools rows of rowBytes into bags vectors of the
// same size, all in its own memory. Each bag costs 96 bytes of offsets (ml_perf_model).
func (m *Machine) EmbeddingForward(bags, rows, rowBytes int) des.Time {
	bytes := float64(bags) * float64(96+rowBytes)
	return m.Gather(rows, rowBytes) + transfer(m.HBMGBPerSecond, m.gatherPenalty(rowBytes)*bytes)
}

// EmbeddingBackward returns the time of the gradient and the update for [Machine.EmbeddingForward].
func (m *Machine) EmbeddingBackward(bags, rows, rowBytes int) des.Time {
	return des.Time(m.BackwardTraffic * float64(m.EmbeddingForward(bags, rows, rowBytes)))
}

func (m *Machine) gatherPenalty(rowBytes int) float64 {
	switch {
	case rowBytes <= 32*4:
		return m.GatherPenalty32
	case rowBytes <= 64*4:
		return m.GatherPenalty64
	}
	return 1
}

// Dispatch returns the time in which the host dispatches one operator for each GPU of a process.
func (m *Machine) Dispatch(graph bool, gpus int) des.Time {
	t := m.DispatchUs
	if graph {
		t = m.GraphUs
	}
	return us(t * m.together(gpus))
}

// together returns the factor by which work of a process for several GPUs takes longer than for one
// GPU.
func (m *Machine) together(gpus int) float64 { return 1 + float64(m.DispatchSerial*float64(gpus-1)) }

// Loader returns the time in which a worker of the data loader converts values of inputs to
// tensors.
func (m *Machine) Loader(values int) des.Time { return us(m.LoaderUs * float64(values)) }

// Driver returns the host time for a doorbell or an interrupt.
func (m *Machine) Driver() des.Time { return us(m.DriverUs) }

// StockBags returns the time to train rows of dim values on the CPU with the operators of a
// framework: forward, backward and update.
func (m *Machine) StockBags(calls, rows, dim int) des.Time {
	perRow := m.StockRowUs * (0.5 + float64(dim)/256)
	return us(m.StockCallUs*float64(calls) + float64(perRow*float64(rows)))
}

// FusedBags is like [Machine.StockBags] with fused kernels on all cores.
func (m *Machine) FusedBags(calls, rows, dim int) des.Time {
	perRow := m.FusedRowNs * 1e-3 * math.Sqrt(float64(dim)/64)
	return us(m.FusedCallUs*float64(calls) + float64(perRow*float64(rows)))
}

// FusedBagsThread is like [Machine.FusedBags] on one core.
func (m *Machine) FusedBagsThread(calls, rows, dim int) des.Time {
	perRow := m.FusedRowThreadNs * 1e-3 * math.Sqrt(float64(dim)/64)
	return us(m.FusedCallUs*float64(calls) + float64(perRow*float64(rows)))
}

// Segregate returns the time in which a CPU looks rows up in the hot set, to find popular inputs.
func (m *Machine) Segregate(lookups int) des.Time { return us(m.SegregateUs * float64(lookups)) }

// Scan returns the time in which a CPU counts or classifies lookups in a pass before the training.
func (m *Machine) Scan(lookups int) des.Time { return us(m.ScanUs * float64(lookups)) }

// Stream returns the time in which a CPU reads or writes bytes sequentially.
func (m *Machine) Stream(bytes int) des.Time { return transfer(m.StreamGBPerSec, float64(bytes)) }

// CPUProducts returns the time of matrix products with flops operations in total on all cores of the
// CPU.
func (m *Machine) CPUProducts(flops float64) des.Time {
	return des.Seconds(flops / (m.CPUGEMMGFLOPS * 1e9))
}

// PageableTables returns the host thread's time for copies of separate tables to or from each GPU
// of a process.
func (m *Machine) PageableTables(tables, gpus int) des.Time {
	return us(m.PageableTableUs * float64(tables) * m.together(gpus))
}

// PageableCopies returns the time to move bytes between pageable host memory and each GPU of a
// process.
func (m *Machine) PageableCopies(bytes, gpus int) des.Time {
	return transfer(m.PageableGBPerSecond, float64(bytes)*math.Pow(float64(gpus), m.PageableGrowth))
}

// PinnedCopy returns the time of one copy between pinned host memory and a GPU.
func (m *Machine) PinnedCopy(bytes int) des.Time {
	return us(m.PinnedUs) + transfer(m.PinnedGBPerSecond, float64(bytes))
}

// Uplink returns the time that bytes of all GPUs take on the link above their switch.
func (m *Machine) Uplink(bytes int) des.Time { return transfer(m.UplinkGBPerSecond, float64(bytes)) }

// Replicate returns the time in which a process copies layers to its other GPUs.
func (m *Machine) Replicate(layers, gpus int) des.Time {
	if gpus <= 1 {
		return 0
	}
	return des.Seconds(m.ReplicateMs * 1e-3 * float64(layers*gpus))
}
