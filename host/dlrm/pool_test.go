package dlrm

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPoolAddsInOrder(t *testing.T) {
	// (2^24 + 1) + 1 stays 2^24 in float32, (1 + 1) + 2^24 does not.
	big, one := []float32{1 << 24}, []float32{1}
	dst := []float32{99}
	Pool(dst, big, one, one)
	require.Equal(t, float32(1<<24), dst[0])
	Pool(dst, one, one, big)
	require.Equal(t, float32(1<<24+2), dst[0])
	Pool(dst, one)
	require.Equal(t, float32(1), dst[0])
}

func TestPoolSampleReadsSlotsInOrder(t *testing.T) {
	cfg := Config{Dim: 1, Tables: []Table{{"a", 9, 1}, {"b", 9, 3}}}
	var read [][2]uint32
	scratch := make([]float32, 1)
	dst := make([]float32, 2)
	cfg.PoolSample(dst, []uint32{4, 1, 3, 1}, func(table int, index uint32) []float32 {
		read = append(read, [2]uint32{uint32(table), index})
		scratch[0] = float32(100*table) + float32(index)
		return scratch
	})
	require.Equal(t, [][2]uint32{{0, 4}, {1, 1}, {1, 3}, {1, 1}}, read)
	require.Equal(t, []float32{4, 305}, dst)
}

func TestUpdateRowRoundsTwice(t *testing.T) {
	// 0.1*0.1 rounds up in float32; with one rounding (fused) the result would differ.
	row, grad := []float32{1, -2, 0.01}, []float32{0.1, 3, 0.1}
	product := []float32{float32(float32(-0.1) * grad[0]), float32(float32(-0.1) * grad[1]), float32(float32(-0.1) * grad[2])}
	want := []float32{row[0] + product[0], row[1] + product[1], row[2] + product[2]}
	UpdateRow(row, grad, -0.1)
	require.Equal(t, want, row)
	require.Equal(t, float32(0.01)-float32(float32(0.1)*float32(0.1)), row[2])
	fused := float32(float64(float32(0.01)) - float64(float32(0.1))*float64(float32(0.1)))
	require.NotEqual(t, fused, row[2])
}
