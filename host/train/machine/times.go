package machine

import (
	"math"

	"github.com/hotline-rtl/hotline/host/des"
)

// The functions of this file turn work into time. They say how long the work
// takes alone; who waits for whom is the business of a timeline. Counts are
// pieces, sizes are bytes.

func us(t float64) des.Time { return des.Seconds(t * 1e-6) }

// transfer is the time of moving bytes at gbPerSecond.
func transfer(gbPerSecond, bytes float64) des.Time { return des.Seconds(bytes / (gbPerSecond * 1e9)) }

// roundUp is n rounded up to a multiple of unit.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// GEMM is the time of a single-precision product of a rows x inner and an inner
// x cols matrix on one GPU.
func (m *Machine) GEMM(rows, cols, inner int) des.Time {
	return m.BatchedGEMM(1, rows, cols, inner, false)
}

// BatchedGEMM is the time of count such products in one kernel, each of matrices of
// its own, which it reads and writes unless all are in a cache.
func (m *Machine) BatchedGEMM(count, rows, cols, inner int, cached bool) des.Time {
	n, a, b, k := float64(count), float64(rows), float64(cols), float64(inner)
	gflop := float64(2 * n * a * b * k * 1e-9) // rounded, so that no compiler fuses it into the sum
	compute := des.Seconds((gflop + m.GEMMHeadGFLOP) / (m.GEMMTFLOPS * 1e3))
	if cached {
		return us(m.GEMMOverheadUs) + compute
	}
	return us(m.GEMMOverheadUs) + max(compute, transfer(m.GEMMGBPerSecond, 4*n*(a*k+k*b+a*b)))
}

// Elementwise is the time of a GPU kernel that does flops operations on bytes
// read and written.
func (m *Machine) Elementwise(flops, bytes float64) des.Time {
	return max(des.Seconds(flops/(m.PeakTFLOPS*1e12)), transfer(m.HBMGBPerSecond*m.ElementwiseShare, bytes))
}

// Gather is the time in which a GPU reads rows of rowBytes from random places
// of its own memory, in sectors of 32 bytes, and their 4-byte indices.
func (m *Machine) Gather(rows, rowBytes int) des.Time {
	bytes := float64(roundUp(4*rows, 32)) + float64(rows)*float64(roundUp(rowBytes, 32))
	return transfer(m.HBMGBPerSecond, m.gatherPenalty(rowBytes)*bytes)
}

// EmbeddingForward is the time in which a GPU pools rows of rowBytes into bags
// vectors of the same size, all in its own memory. Each bag costs 96 bytes of
// offsets (ml_perf_model).
func (m *Machine) EmbeddingForward(bags, rows, rowBytes int) des.Time {
	bytes := float64(bags) * float64(96+rowBytes)
	return m.Gather(rows, rowBytes) + transfer(m.HBMGBPerSecond, m.gatherPenalty(rowBytes)*bytes)
}

// EmbeddingBackward is the time of the gradient and update of the same.
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

// Dispatch is the time in which the host dispatches one operator for each of the
// GPUs of a process.
func (m *Machine) Dispatch(graph bool, gpus int) des.Time {
	t := m.DispatchUs
	if graph {
		t = m.GraphUs
	}
	return us(t * m.together(gpus))
}

// together is how much longer work of a process for several GPUs takes than for
// one.
func (m *Machine) together(gpus int) float64 { return 1 + float64(m.DispatchSerial*float64(gpus-1)) }

// Loader is the time in which a worker of the data loader turns values of
// inputs into tensors.
func (m *Machine) Loader(values int) des.Time { return us(m.LoaderUs * float64(values)) }

// Driver is the time of the host for a doorbell or an interrupt.
func (m *Machine) Driver() des.Time { return us(m.DriverUs) }

// StockBags is the time of training rows of dim values on the CPU with the
// operators of a framework: forward, backward and update.
func (m *Machine) StockBags(calls, rows, dim int) des.Time {
	perRow := m.StockRowUs * (0.5 + float64(dim)/256)
	return us(m.StockCallUs*float64(calls) + float64(perRow*float64(rows)))
}

// FusedBags is the same with fused kernels on all cores.
func (m *Machine) FusedBags(calls, rows, dim int) des.Time {
	perRow := m.FusedRowNs * 1e-3 * math.Sqrt(float64(dim)/64)
	return us(m.FusedCallUs*float64(calls) + float64(perRow*float64(rows)))
}

// FusedBagsThread is the same on one core.
func (m *Machine) FusedBagsThread(calls, rows, dim int) des.Time {
	perRow := m.FusedRowThreadNs * 1e-3 * math.Sqrt(float64(dim)/64)
	return us(m.FusedCallUs*float64(calls) + float64(perRow*float64(rows)))
}

// Segregate is the time in which a CPU looks rows up in the set of hot ones, to
// tell inputs that are popular.
func (m *Machine) Segregate(lookups int) des.Time { return us(m.SegregateUs * float64(lookups)) }

// Stream is the time in which a CPU reads or writes bytes in order.
func (m *Machine) Stream(bytes int) des.Time { return transfer(m.StreamGBPerSec, float64(bytes)) }

// PageableTables is what copies of separate tables to or from each of the GPUs of
// a process take of its host thread.
func (m *Machine) PageableTables(tables, gpus int) des.Time {
	return us(m.PageableTableUs * float64(tables) * m.together(gpus))
}

// PageableCopies is the time of moving bytes between pageable host memory and
// each of the GPUs of a process.
func (m *Machine) PageableCopies(bytes, gpus int) des.Time {
	return transfer(m.PageableGBPerSecond, float64(bytes)*math.Pow(float64(gpus), m.PageableGrowth))
}

// PinnedCopy is the time of one copy between pinned host memory and a GPU.
func (m *Machine) PinnedCopy(bytes int) des.Time {
	return us(m.PinnedUs) + transfer(m.PinnedGBPerSecond, float64(bytes))
}

// Uplink is the time that bytes of all GPUs take on the link above their switch.
func (m *Machine) Uplink(bytes int) des.Time { return transfer(m.UplinkGBPerSecond, float64(bytes)) }

// Replicate is the time in which a process copies layers to further GPUs.
func (m *Machine) Replicate(layers, gpus int) des.Time {
	if gpus <= 1 {
		return 0
	}
	return des.Seconds(m.ReplicateMs * 1e-3 * float64(layers*gpus))
}
