package papers

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/criteo"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/ui/picture"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// study is one that was made, by its name.
func study(t *testing.T, r *Reproduction, name string) Study {
	for _, p := range r.Papers {
		for _, s := range p.Studies {
			if s.Name == name {
				return s
			}
		}
	}
	require.Fail(t, "there is no "+name)
	return Study{}
}

// column are the figures of a column, from the first row on.
func (s Study) column(i int) (list []float64) {
	for _, r := range s.Rows {
		list = append(list, r.Values[i])
	}
	return list
}

// made is a study by itself.
func made(t *testing.T, e experiment) Study {
	f, err := e.run(t.Context(), newClock(machine.Default()))
	require.NoError(t, err)
	return *f.Study
}

// Queues in hardware are behind those of the closed form, and more entries or banks are faster.
func TestQueuesInHardware(t *testing.T) {
	s := study(t, evaluated(t), "Hotline Figure 16, queues in hardware")
	for banks := range 3 {
		require.IsIncreasing(t, s.column(banks))
		for i, form := range s.column(3 + banks) {
			require.Less(t, s.Rows[i].Values[banks], form)
		}
	}
	for _, r := range s.Rows {
		require.IsIncreasing(t, r.Values[:3])
	}
	require.InDelta(t, 60, s.Rows[1].Values[5], 0.1, "the paper's, of 512 entries and 64 banks")
}

// Answer caches bring clicks from a third of the banks' rate to nearly all of it, and nothing to
// keys that do not repeat: 128 answers are enough. Real clicks are as generated ones.
func TestAnswerCaches(t *testing.T) {
	s := study(t, evaluated(t), "Answer caches")
	require.Less(t, s.Rows[0].Values[0], 21.)
	require.Greater(t, s.Rows[3].Values[0], 60., "from 64 answers on")
	require.Greater(t, s.Rows[4].Values[0], 62.)
	require.IsIncreasing(t, s.column(0))
	require.Equal(t, s.column(1)[0], s.column(1)[5], "uniform keys")
	require.IsIncreasing(t, study(t, evaluated(t), "Hotline Figure 26, the accelerator").column(0))
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return
	}
	real, err := criteo.Open(t.Context(), []string{filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv")}, clicklog.Options{})
	require.NoError(t, err)
	r, err := Reproduce(t.Context(), Options{Machine: machine.Default(), What: []string{"hotline/figure-16"}, Clicks: real})
	require.NoError(t, err)
	s = study(t, r, "Answer caches"+RealClicks)
	require.InDelta(t, 20.5, s.Rows[0].Values[0], 0.5)
	require.Greater(t, s.Rows[4].Values[0], 61.)
}

// An EAL holds less of what an oracle knows the more it is asked for, and finds fewer inputs popular;
// more blocks find more.
func TestEALBesideAnOracle(t *testing.T) {
	s := made(t, heldRows("", 4096, 200_000, like("avazu")))
	require.IsNonIncreasing(t, s.column(0))
	require.Greater(t, s.Rows[0].Values[0], 95.)
	require.Less(t, s.Rows[5].Values[0], 80.)
	require.GreaterOrEqual(t, s.Rows[5].Values[1], s.Rows[5].Values[0], "each lookup in turn")
	s = made(t, sizesOfEAL("", 256, 100_000, 2000, clicks{"avazu", func() (data.Source, error) { return dividedClicks("avazu", 256) }}))
	for _, r := range s.Rows {
		require.LessOrEqual(t, r.Values[0], r.Values[1], "%s MB", r.Label)
	}
	require.Less(t, s.Rows[0].Values[0], s.Rows[5].Values[0])
}

// All rows of an input that are hot make it popular, at each time step.
func TestPopular(t *testing.T) {
	source, _, err := clicksOf("taobao")
	require.NoError(t, err)
	share, err := popular(source, 10, 50, func(uint32) bool { return true })
	require.NoError(t, err)
	require.Equal(t, 100., share)
	w, err := wordsOf(source, 10)
	require.NoError(t, err)
	require.Len(t, w.bases, 63)
	list, err := w.next(50)
	require.NoError(t, err)
	never := w.ids(list)[len(list)-1]
	share, err = popular(source, 10, 50, func(id uint32) bool { return id != never })
	require.NoError(t, err)
	require.Less(t, share, 100.)
	_, err = popular(source, 10_000_000, 1, nil)
	require.ErrorContains(t, err, "too few inputs for studies")
	require.Equal(t, arch.Paper().IDBits(), withBlocks(4096).IDBits())
	require.NoError(t, withBlocks(4096).Validate())
}

// A gather of the accelerator is hidden with the paper's software, and not with that of today.
func TestGatherOfTheAccelerator(t *testing.T) {
	l, err := gatherWork(t.Context(), 8192)
	require.NoError(t, err)
	w := l.works[0]
	require.InDelta(t, 0.67, float64(w.Popular)/float64(w.Inputs), 0.02)
	require.Greater(t, w.Gather.Seconds(), float64(2*w.ColdRows*l.model.Dim*4)*pcie.Seconds(), "it is not of cold rows only")
	k := newClock(machine.Default())
	for profile, least := range map[string]float64{"hotline-2024-a": 1, "sceptic": 1.2} {
		v, err := l.unhidden(k, loaded(t, profile))
		require.NoError(t, err)
		require.InDelta(t, least, v, 0.1, profile)
	}
}

// docs/evidence/synthesis.md prints the blocks that an experiment reads, to the digit.
func TestSynthesised(t *testing.T) {
	page, err := os.ReadFile("../../../docs/evidence/synthesis.md")
	require.NoError(t, err)
	blocks, err := synthesised(synthesisJSON)
	require.NoError(t, err)
	require.Contains(t, string(page), "\n\n"+synthesisTable(blocks)+"\n", "the document has another table than synthesis.json")
	blocks[3].Slow++
	require.NotContains(t, string(page), synthesisTable(blocks))
	_, err = synthesised([]byte(`[{"mhz": "fast"}]`))
	require.ErrorContains(t, err, "synthesis.json: ")
}

// synthesisTable returns blocks as docs/evidence/synthesis.md prints them.
func synthesisTable(blocks []block) string {
	lines := "| block | area, um2 | logic, um2 | memory bits | MHz | MHz, slow | mW at 350 MHz |\n|---|---|---|---|---|---|---|\n"
	for _, b := range blocks {
		lines += fmt.Sprintf("| `%s` | %s | %s | %s | %.0f | %.0f | %.1f |\n", b.Name, picture.Grouped(b.Area, 0), picture.Grouped(b.Logic, 0), picture.Grouped(float64(b.MemoryBits), 0), b.MHz, b.Slow, b.Power)
	}
	return lines
}
