package cycle_test

import (
	"fmt"
	"math/bits"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// gatherRows gathers and pools inputs of 16 lookups, each of a different cold row with the given
// number of bytes. pooled rows form a vector. It returns the rate of row data on the link in GB/s,
// and the mean number of outstanding reads.
func gatherRows(t *testing.T, s sim.Simulator, slot link.Config, inputs, pooled, bytes int) (rate, owed float64) {
	const lookups, rows = 16, 1 << 17
	r := newHarnessOf(t, 1, s, slot)
	set := func(register int, value uint64) { r.do(driver.SWrite(register, value)) }
	table, base := r.alloc(rows*bytes), r.gpus[0].Base()
	for k := range lookups / pooled { // the tables share one memory region
		set(arch.RegTable+k, table.at)
	}
	for k := range lookups {
		set(arch.RegSlot+k, arch.Slot{Table: k / pooled, First: k%pooled == 0, Last: k%pooled == pooled-1}.Bits())
	}
	set(arch.RegHot, base+hotBase)
	set(arch.RegPooled, base+poolBase)
	set(arch.RegMailbox, base+mailBase)
	set(arch.RegSlots, lookups)
	set(arch.RegTables, uint64(lookups/pooled))
	set(arch.RegRowLog2, uint64(bits.Len(uint(bytes-1))))
	set(arch.RegGPUs, 1)
	index := make([]uint32, inputs*lookups)
	for i := range index {
		index[i] = uint32(i*7919) % rows
	}
	words, bitmap := r.alloc(4*len(index)), r.alloc(4096)
	require.NoError(t, r.memory.WriteUint32s(words.at, index))
	require.Zero(t, r.do(driver.Classify(0, words.at, inputs, bitmap.at)).Value0, "no input is popular")

	first, last, got := des.Time(-1), des.Time(0), 0
	reads, before, area := 0, des.Time(0), 0.0 // read requests without a last completion; its integral over picoseconds
	r.slot.Observe(func(d link.Direction, at des.Time, x *pcie.TLP) {
		if first >= 0 {
			area += float64(reads) * float64(at-before)
		}
		before = at
		switch {
		case d == link.Up && x.Kind == pcie.MRd:
			reads++
		case d == link.Down && x.Kind == pcie.CplD:
			if first < 0 {
				first = at
			} else {
				got += len(x.Data)
			}
			last = at
			if x.ByteCount == len(x.Data) {
				reads--
			}
		}
	})
	require.EqualValues(t, len(index), r.do(driver.Gather(0, inputs)).Value1)
	return 1e-9 * float64(got) / (last - first).Seconds(), area / float64(last-first)
}

// bounds contains the upper bounds on the rate of a gather, in GB/s. All but the first two are
// limits of the accelerator.
type bounds struct {
	link    float64 // completions of rows, split at 64 bytes
	up      float64 // requests for rows, and vectors
	tags    float64 // reads in flight, for the 0.7 us until a row arrives
	reducer float64 // one beat per cycle
}

func boundsOf(p arch.Params, slot link.Config, pooled, bytes int) bounds {
	wire := pcie.Gen(slot.Generation).BytesPerSecond(slot.Lanes) * slot.TLPShare
	b, header := float64(bytes), 12.0+pcie.FramingBytes
	return bounds{
		link:    1e-9 * wire * b / (b + header*float64((bytes+63)/64)),
		up:      1e-9 * wire * b / (header + (b+header)/float64(pooled)),
		tags:    1e-9 * float64(p.Tags) * b / 0.7e-6,
		reducer: 1e-9 * 1e12 / period * float64(p.StreamBytes()),
	}
}

// least returns the lowest bound and its name.
func (b bounds) least() (string, float64) {
	name, least := "link", b.link
	for other, v := range map[string]float64{"link, to the host": b.up, "tags": b.tags, "reducer": b.reducer} {
		if v < least {
			name, least = other, v
		}
	}
	return name, least
}

// TestGatherRates: a gather reaches at least 95 % of the lowest bound. docs/evidence/performance.md contains
// the table.
func TestGatherRates(t *testing.T) {
	testGatherRates(t, "small", arch.Small(), [][2]int{{64, 16}, {256, 16}})
}

// TestGatherRatesAtPaperScale repeats TestGatherRates with a larger accelerator.
func TestGatherRatesAtPaperScale(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a model")
	}
	testGatherRates(t, "paper", arch.Paper(), [][2]int{{64, 1}, {64, 2}, {64, 16}, {256, 16}})
}

// testGatherRates gathers rows of several sizes and pooling factors over links of several widths.
func testGatherRates(t *testing.T, scale string, p arch.Params, cases [][2]int) {
	d, err := hw.Elaborate(top.Hotline{Params: p})
	require.NoError(t, err)
	page, err := os.ReadFile("../../../docs/evidence/performance.md")
	require.NoError(t, err)
	for _, c := range cases {
		bytes, pooled := c[0], c[1]
		for _, lanes := range []int{4, 8, 16} {
			slot := link.DefaultConfig()
			slot.Lanes = lanes
			s := hwtest.WithModel(t, d)
			if s == nil {
				return
			}
			rate, owed := gatherRows(t, s, slot, 256, pooled, bytes)
			b := boundsOf(p, slot, pooled, bytes)
			name, least := b.least()
			row := fmt.Sprintf("| `%s` | %d | %d | x%d | %.2f | %.2f | %.1f %% | %s | %.0f of %d |", scale, bytes, pooled, lanes, rate, b.link, 100*rate/b.link, name, owed, p.Tags)
			require.True(t, strings.Contains(string(page), row+"\n"), row)
			require.GreaterOrEqual(t, rate, 0.95*least, row)
			if share := owed / float64(p.Tags); name == "reducer" || name == "link, to the host" {
				require.Less(t, share, 0.5, "most reads are answered, and their rows or vectors wait in the accelerator: %s", row)
			} else {
				require.Greater(t, share, 0.7, "most reads wait for the host: %s", row)
			}
		}
	}
}
