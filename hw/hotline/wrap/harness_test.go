package wrap

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func prefixed(prefix string, names ...string) (out []string) {
	for _, n := range names {
		out = append(out, prefix+n)
	}
	return out
}

// survivors returns the faults of d that check does not detect. It requires that more than least
// faults are tried. With -short, it tries every twelfth fault.
func survivors(t *testing.T, d *ir.Design, least int, check func() error) []string {
	n := bench.Every(12)
	list, tried := bench.SurvivorsOfEvery(n, d, check)
	require.Greater(t, tried, least/n)
	return list
}

// without removes the entries that begin with one of the prefixes. Without -short, each prefix must
// occur.
func without(list []string, prefixes ...string) []string {
	for _, p := range prefixes {
		n := len(list)
		list = slices.DeleteFunc(list, func(s string) bool { return strings.HasPrefix(s, p) })
		if len(list) == n && !testing.Short() {
			list = append(list, "none: "+p)
		}
	}
	return list
}

// tiny returns a link with few tags.
func tiny() arch.Link { return arch.Link{Stream: arch.Stream{StreamBits: 128}, Tags: 4} }

// beatsOf returns the beats of write data.
func beatsOf(data []byte, beatBytes int, tag uint64) (beats []bench.Item) {
	for ; len(data) > 0; data = data[min(len(data), beatBytes):] {
		beat := make([]byte, beatBytes)
		k := copy(beat, data)
		beats = append(beats, append(bench.Item(dma.WordsOf(beat)), ^uint64(0)>>(64-k), tag, bench.Bit(k == len(data))))
	}
	return beats
}

// rate returns a random probability, often 1.
func rate(b *bench.Bench) float64 { return min(1, 0.2+1.2*b.Rand.Float64()) }
