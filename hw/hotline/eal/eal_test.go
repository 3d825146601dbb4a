package eal

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/sim/bench"
)

// params returns sizes with few sets, so that the sets fill and blocks are replaced.
func params(engines, banks, ways, depth, tag int) arch.Params {
	p := arch.Small()
	p.Engines, p.Banks, p.Ways, p.QueueDepth, p.TagBits = engines, banks, ways, depth, tag
	p.Blocks, p.Window = 8*banks*ways, 16
	return p
}

func TestEALEqualsReference(t *testing.T) {
	for name, p := range map[string]arch.Params{
		"tiny":          tiny(),
		"small":         arch.Small(),
		"more engines":  params(16, 4, 8, 4, 13),
		"more banks":    params(4, 16, 2, 2, 14),
		"sixteen ways":  params(8, 8, 16, 16, 11),
		"square, large": params(32, 32, 4, 8, 13),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, p.Validate())
			d, err := hw.Elaborate(Of(p))
			require.NoError(t, err)
			require.NoError(t, compare(t, d, p, 2000, 1))
		})
	}
}

func TestEALAtPaperScale(t *testing.T) {
	p := arch.Paper()
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	b := newBench(t, d, p, 1)
	b.s.SetReset(true)
	require.NoError(t, b.s.Step())
	b.s.SetReset(false)
	r := rand.New(rand.NewSource(2))
	stream := keys(p, 20*p.Engines, func() uint32 { return uint32(r.Intn(4000)) * 0x9E3779B1 >> 1 })
	require.NoError(t, b.run(true, stream, 8), "requests wait for the sweep")
	require.NoError(t, b.run(false, stream, 8))
	require.Equal(t, 40*p.Engines, b.served)
}

// TestBankRates checks the rate of a busy bank. It serves a probe per cycle, or a learning access
// that does not change the set. A learning access that changes the set takes two cycles, and three
// if it follows another access to the set.
func TestBankRates(t *testing.T) {
	p := arch.Small()
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	b := newBench(t, d, p, 1)
	require.NoError(t, b.reset(t))
	const n = 3000
	count := 0
	// walk visits the sets of bank 1, with a different tag in each round.
	walk := func(sets, tags int) func() uint32 {
		return func() uint32 {
			count++
			return Place{Bank: 1, Set: count % sets, Tag: uint32(count / sets % tags)}.Key(p)
		}
	}
	for _, c := range []struct {
		name  string
		learn bool
		next  func() uint32
		each  uint64
	}{
		{"new rows", true, walk(p.BankSets(), 1<<p.TagBits), 2},
		{"a row of each set", true, walk(p.BankSets(), 1), 1},
		{"a set", true, walk(1, 1), 3},
		{"probes of a set", false, walk(1, 1), 1},
	} {
		before := b.s.Cycle()
		require.NoError(t, b.run(c.learn, keys(p, n, c.next), 8))
		require.InDelta(t, c.each*n, b.s.Cycle()-before, 200, c.name)
	}
}

// TestBankKeepsAnswers blocks all answers. A bank accepts requests until three answers wait in the
// queue and two requests in the pipeline.
func TestBankKeepsAnswers(t *testing.T) {
	p := ealBank{EngineBits: 2, TagBits: 13, SetBits: 4, TicketBits: 3, Ways: 4}
	d, err := hw.Elaborate(p)
	require.NoError(t, err)
	b, err := trial.New(d, 1)
	require.NoError(t, err)
	ask := trial.PushOf[access](b, "access", p)
	for range 10 {
		ask.Send(0, trial.Item{0, 1, 2, 3})
	}
	require.NoError(t, b.Run(30))
	require.Equal(t, 5, ask.Sent())
}

// compare runs phases of learning and of probes on d, with n lookups each.
func compare(t testing.TB, d *ir.Design, p arch.Params, n int, seed int64) error {
	b := newBench(t, d, p, seed)
	if err := b.reset(t); err != nil {
		return err
	}
	total := 0
	phase := func(learn bool, pace int, next func() uint32) error {
		total += n
		err := b.run(learn, keys(p, n, next), pace)
		if err == nil && b.served != total {
			err = fmt.Errorf("%d requests served, want %d", b.served, total)
		}
		return err
	}
	r := rand.New(rand.NewSource(3))
	all := 1<<p.IDBits() - 1
	few := 3 * p.Blocks / 2 // distinct keys, slightly more than fit
	uniform := func() uint32 { return uint32(r.Intn(few)*0x9E3779B1) >> 3 & uint32(all) }
	zipf := rand.NewZipf(r, 1.2, 4, uint64(few))
	skewed := func() uint32 { return uint32(zipf.Uint64()*0x9E3779B1) >> 3 & uint32(all) }
	oneBank := func() uint32 { return Place{Bank: 1, Set: r.Intn(2), Tag: uint32(r.Intn(2 * p.Ways))}.Key(p) }
	asked := 0
	eachBank := func() uint32 { // all engines use one bank at a time
		defer func() { asked++ }()
		return Place{Bank: asked / (4 * p.Engines) % p.Banks, Set: r.Intn(2), Tag: uint32(r.Intn(2 * p.Ways))}.Key(p)
	}
	for _, err := range []error{
		phase(true, 8, uniform), b.compareMemory(), phase(false, 8, uniform), b.compareMemory(),
		b.begin(), b.compareMemory(), phase(true, 2, skewed), phase(false, 3, skewed), b.compareMemory(),
		b.begin(), phase(true, 8, oneBank), phase(true, 8, eachBank), phase(false, 8, oneBank), phase(false, 8, eachBank), b.compareMemory(),
		b.bursts(n / 2), b.early(n/4, uniform), b.compareMemory(),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

// early sends requests from the first cycle after a reset. They must wait until the sets are
// cleared.
func (b *bench) early(n int, next func() uint32) error {
	if err := trial.ResetCycle(b.s, 1); err != nil {
		return err
	}
	b.ref = NewTracker(b.p)
	return b.run(true, keys(b.p, n, next), 8)
}

// bursts sends long runs of requests to banks of one group, which share answer ports. A request
// that waits for a bank must also make progress when another bank answers.
func (b *bench) bursts(n int) error {
	all := make([][]uint32, b.p.Engines)
	for i := 0; i < n; {
		bank := AnswerGroups*b.r.Intn((b.p.Banks+AnswerGroups-1)/AnswerGroups) + 1
		e := b.r.Intn(b.p.Engines)
		for range 1 + b.r.Intn(2*b.p.QueueDepth) {
			all[e] = append(all[e], Place{Bank: bank, Set: b.r.Intn(b.p.BankSets())}.Key(b.p))
			i++
		}
	}
	return b.run(false, all, 8)
}

// keys distributes n keys round-robin over the engines.
func keys(p arch.Params, n int, next func() uint32) [][]uint32 {
	out := make([][]uint32, p.Engines)
	for i := range n {
		out[i%p.Engines] = append(out[i%p.Engines], next())
	}
	return out
}

// TestBrokenBanksAreNoticed swaps the alternatives of each multiplexer of the banks, one at a time.
// The comparison must detect each.
func TestBrokenBanksAreNoticed(t *testing.T) {
	p := tiny()
	for k := 0; ; k++ {
		d, err := hw.Elaborate(Of(p))
		require.NoError(t, err)
		what, ok := breakBank(d, k)
		if !ok {
			require.Greater(t, k, 10)
			return
		}
		require.Error(t, compare(t, d, p, 300, 1), what)
	}
}

// breakBank swaps the alternatives of the k-th multiplexer of the bank.
func breakBank(d *ir.Design, k int) (what string, ok bool) {
	for _, m := range d.Modules {
		if !strings.HasPrefix(m.Name, "eal_bank") {
			continue
		}
		seen := map[*ir.Expr]bool{}
		m.Body.Walk(func(s *ir.Scope) {
			ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
				for _, e := range st.Exprs() {
					ir.WalkExpr(e, seen, func(e *ir.Expr) {
						if e.Op != ir.Mux {
							return
						}
						if k == 0 {
							e.Args[1], e.Args[2] = e.Args[2], e.Args[1]
							what, ok = fmt.Sprintf("multiplexer at %s", e.Pos), true
						}
						k--
					})
				}
			})
		})
	}
	return what, ok
}
