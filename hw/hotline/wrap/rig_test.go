package wrap

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func prefixed(prefix string, names ...string) (out []string) {
	for _, n := range names {
		out = append(out, prefix+n)
	}
	return out
}

// without is a list without those that begin with one of the prefixes, each of which is there.
func without(list []string, prefixes ...string) []string {
	for _, p := range prefixes {
		n := len(list)
		list = slices.DeleteFunc(list, func(s string) bool { return strings.HasPrefix(s, p) })
		if len(list) == n {
			list = append(list, "none: "+p)
		}
	}
	return list
}

// tiny has few tags.
func tiny() arch.Link { return arch.Link{Stream: arch.Stream{StreamBits: 128}, Tags: 4} }

// beatsOf are the beats of data to be written.
func beatsOf(data []byte, beatBytes int, tag uint64) (beats []bench.Item) {
	for ; len(data) > 0; data = data[min(len(data), beatBytes):] {
		beat := make([]byte, beatBytes)
		k := copy(beat, data)
		beats = append(beats, append(bench.Item(dma.WordsOf(beat)), ^uint64(0)>>(64-k), tag, bench.Bit(k == len(data))))
	}
	return beats
}

// rate is a random probability, often 1.
func rate(b *bench.Bench) float64 { return min(1, 0.2+1.2*b.Rand.Float64()) }
