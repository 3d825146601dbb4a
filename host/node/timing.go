package node

// The functions of this file turn work into time with the constants of a
// Machine. They say how long the work takes alone; who waits for whom is
// the business of [Resource]. Counts are pieces, sizes are bytes.

// us converts microseconds.
func us(t float64) Time { return Seconds(t * 1e-6) }

// transfer is the time of moving bytes at gbPerSecond.
func transfer(gbPerSecond, bytes float64) Time { return Seconds(bytes / (gbPerSecond * 1e9)) }

// roundUp is n rounded up to a multiple of unit.
func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// GEMMTime is the time of a single-precision product of an m x k and a k x n
// matrix on one GPU, launch included.
func (m *Machine) GEMMTime(rows, cols, inner int) Time {
	a, b, k := float64(rows), float64(cols), float64(inner)
	gflop := float64(2 * a * b * k * 1e-9) // rounded, so that no compiler fuses it into the sum
	compute := Seconds((gflop + m.GEMMHeadGFLOP) / (m.GEMMTFLOPS * 1e3))
	return us(m.GEMMOverheadUs) + max(compute, transfer(m.GEMMGBPerSecond, 4*(a*k+k*b+a*b)))
}

// LaunchTime is the cost of launching kernels whose own work is counted
// elsewhere.
func (m *Machine) LaunchTime(kernels int) Time { return us(m.LaunchUs * float64(kernels)) }

// ElementwiseTime is the time of a GPU kernel that does flops operations on
// bytes read and written, without launch.
func (m *Machine) ElementwiseTime(flops, bytes float64) Time {
	return max(Seconds(flops/(m.GPUPeakTFLOPS*1e12)), transfer(m.HBMGBPerSecond*m.ElementwiseShare, bytes))
}

// GatherTime is the time in which a GPU reads rows of rowBytes from random
// places of its own memory, in sectors of 32 bytes, and their 4-byte indices.
func (m *Machine) GatherTime(rows, rowBytes int) Time {
	bytes := float64(roundUp(4*rows, 32)) + float64(rows)*float64(roundUp(rowBytes, 32))
	return transfer(m.HBMGBPerSecond, m.gatherPenalty(rowBytes)*bytes)
}

// EmbeddingForwardTime is the time in which a GPU pools rows of rowBytes into
// bags vectors of the same size, all in its own memory. Each bag costs 96
// bytes of offsets (ml_perf_model).
func (m *Machine) EmbeddingForwardTime(bags, rows, rowBytes int) Time {
	bytes := float64(bags) * float64(96+rowBytes)
	return m.GatherTime(rows, rowBytes) + transfer(m.HBMGBPerSecond, m.gatherPenalty(rowBytes)*bytes)
}

// EmbeddingBackwardTime is the time of the gradient and update of the same.
func (m *Machine) EmbeddingBackwardTime(bags, rows, rowBytes int) Time {
	return Time(m.EmbeddingBackward * float64(m.EmbeddingForwardTime(bags, rows, rowBytes)))
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

// Software says which embedding kernels a CPU runs.
type Software int

// The two sets of kernels that the papers' baselines use.
const (
	Reference Software = iota // framework operators, PyTorch 1.8
	Optimised                 // fused kernels, Kalamkar et al.
)

// CPUEmbeddingTime is the time in which all cores of a CPU train rows of
// rowBytes at random places of its memory: gather, pool, and update.
func (m *Machine) CPUEmbeddingTime(rows, rowBytes int, sw Software) Time {
	share, traffic := m.CPUReferenceShare, m.CPUReferenceTraffic
	if sw == Optimised {
		share, traffic = m.CPUOptimisedShare, m.CPUOptimisedTraffic
	}
	return transfer(share*m.DRAMGBPerSecond, traffic*dramBytes(rows, rowBytes))
}

// CPUGatherTime is the time of only reading these rows.
func (m *Machine) CPUGatherTime(rows, rowBytes int, sw Software) Time {
	share := m.CPUReferenceShare
	if sw == Optimised {
		share = m.CPUOptimisedShare
	}
	return transfer(share*m.DRAMGBPerSecond, dramBytes(rows, rowBytes))
}

// dramBytes is what reading the rows moves: whole cache lines of 64 bytes.
func dramBytes(rows, rowBytes int) float64 { return float64(rows) * float64(roundUp(rowBytes, 64)) }

// CPUStreamTime is the time in which a CPU reads or writes bytes in order.
func (m *Machine) CPUStreamTime(bytes int) Time {
	return transfer(m.DRAMShare*m.DRAMGBPerSecond, float64(bytes))
}

// PageableCopyTime is the time of one copy between pageable host memory and a
// GPU, as the hybrid baseline makes for each table.
func (m *Machine) PageableCopyTime(bytes int) Time {
	return us(m.PageableUs) + transfer(m.PageableGBPerSecond, float64(bytes))
}

// PinnedCopyTime is the time of one copy between pinned host memory and a GPU.
func (m *Machine) PinnedCopyTime(bytes int) Time {
	return us(m.PinnedUs) + transfer(m.PinnedGBPerSecond, float64(bytes))
}
