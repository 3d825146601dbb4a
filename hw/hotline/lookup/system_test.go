package lookup

import (
	"fmt"
	"math/bits"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// system is Lookup and EAL together. Its ports are those of Lookup that the EAL
// does not take.
type system struct{ arch.Params }

func (system) ModuleName() string { return "lookup_and_eal" }

func (p system) Build(m *hw.Module) struct{} {
	lookup, tracker := hw.Inst(m, "lookup", Lookup(p)), hw.Inst(m, "eal", eal.EAL(p))
	in := func(name string, to hw.Bits) { to.Set(m.In(name, to.Width())) }
	out := func(name string, from hw.Bits) { m.Out(name, from.Width()).Set(from) }

	in("start", lookup.Start)
	in("learn", lookup.Learn)
	in("half", lookup.Half)
	in("words", lookup.Words)
	in("slots", lookup.Slots)
	in("slot_we", lookup.Slot.Enable)
	in("slot_addr", lookup.Slot.Addr)
	in("slot_base", lookup.Slot.Data)
	out("edram_en", lookup.EDRAMEnable)
	m.OutVec("edram_row", p.Engines, lookup.EDRAMRow.Width()).Set(lookup.EDRAMRow)
	lookup.EDRAMData.Set(m.InVec("edram_data", p.Engines, wordBits))
	in("result_en", lookup.Read)
	in("result_row", lookup.ReadRow)
	m.OutVec("result", p.Engines, lookup.Result.Width()).Set(lookup.Result)
	in("scan_row", lookup.ScanRow)
	out("row_ready", lookup.RowReady)
	out("busy", lookup.Busy)
	out("answered", lookup.Answered)
	out("cached", lookup.Cached)
	out("ready", tracker.Ready)
	out("idle", tracker.Idle)

	tracker.Learn.Set(lookup.EALLearn)
	tracker.Req.Valid.Set(lookup.Req.Valid)
	tracker.Req.Data.Set(lookup.Req.Data)
	lookup.Req.Ready.Set(tracker.Req.Ready)
	lookup.Ans.Valid.Set(tracker.Ans.Valid)
	lookup.Ans.Data.Set(tracker.Ans.Data)
	tracker.Scan.Set(hw.K(0))
	tracker.Bank.Set(hw.K(0))
	tracker.Row.Set(hw.K(0))
	return struct{}{}
}

// observer is the network of a system: it lets the reference follow the order in
// which the banks serve learning accesses.
type observer struct {
	b     *bench
	t     *eal.Tracker
	units []string
	seen  [][]int // learning accesses by engine and slot
	taken int
}

func newObserver(b *bench, t *eal.Tracker) *observer {
	o := &observer{b: b, t: t}
	for k := range b.p.Banks {
		o.units = append(o.units, fmt.Sprintf("eal.bank[%d].unit.", k))
	}
	o.reset()
	return o
}

func (o *observer) reset() {
	o.taken, o.seen = 0, make([][]int, o.b.p.Engines)
	for e := range o.seen {
		o.seen[e] = make([]int, o.b.p.Window)
	}
}

func (o *observer) tracker() *eal.Tracker { return o.t }

func (o *observer) requests() int {
	n := o.taken
	o.reset()
	return n
}

// cycle counts the requests taken, and completes the results of those that
// stand in a bank's match stage. They stand there for one cycle.
func (o *observer) cycle(l *lookups) error {
	taken, _ := o.b.s.Peek("eal.taken")
	for _, x := range taken {
		o.taken += bits.OnesCount64(x)
	}
	if !l.learn {
		return nil
	}
	p := o.b.p
	for k, unit := range o.units {
		if on, _ := o.b.s.Peek(unit + "match_valid"); on[0] == 0 {
			continue
		}
		data, _ := o.b.s.Peek(unit + "match_request")
		slot, place := int(data[0])%p.Window, data[0]>>p.SlotBits()
		key := uint32(place<<p.BankBits()|uint64(k)) & (1<<p.IDBits() - 1)
		e := int(place >> (p.RowBits() + p.TagBits))
		word := (slot+o.seen[e][slot]*p.Window)*p.Engines + e
		if word >= len(l.keys) || l.keys[word] != key {
			return fmt.Errorf("bank %d serves key %#x of engine %d slot %d, which is not that of word %d", k, key, e, slot, word)
		}
		o.seen[e][slot]++
		l.want[word].Hit, l.want[word].Way = o.t.Access(key)
		l.known[word] = true
	}
	return nil
}

// compareMemory compares the memories of the EAL with the reference.
func (o *observer) compareMemory() error {
	for k, unit := range o.units {
		for row := range o.b.p.BankSets() {
			got, ok := o.b.s.PeekMem(unit+"sets.mem", row)
			if want := o.t.Word(k, row); !ok || !bv.Equal(got, want) {
				return fmt.Errorf("bank %d row %d: %x, want %x", k, row, got, want)
			}
		}
	}
	return nil
}

func newSystem(t testing.TB, p arch.Params) (*bench, *observer) {
	d, err := hw.Elaborate(system{p})
	require.NoError(t, err)
	b := newBench(t, d, p, 1)
	o := newObserver(b, eal.NewTracker(p))
	b.net = o
	for b.get("ready") == 0 {
		require.NoError(t, b.s.Step())
	}
	return b, o
}

func TestLearnThenProbe(t *testing.T) {
	for name, p := range map[string]arch.Params{
		"small":           arch.Small(),
		"sixteen engines": sized(func(p *arch.Params) { p.Engines, p.Banks, p.Cache, p.Blocks = 16, 8, 64, 2048 }),
		"more banks":      sized(func(p *arch.Params) { p.Engines, p.Banks, p.QueueDepth, p.Ways = 4, 32, 4, 4 }),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, p.Validate())
			b, o := newSystem(t, p)
			r := rand.New(rand.NewSource(8))
			for i, slots := range []int{3, 8, 26, 37} {
				for _, make := range []func(r *rand.Rand, p arch.Params, n, slots int, half uint64, learn bool) batch{random, uniform} {
					for _, learn := range []bool{true, false, false} {
						_, err := b.run(make(r, p, 2000+i, slots, uint64(r.Intn(2)), learn))
						require.NoError(t, err, "%d slots", slots)
						require.Equal(t, uint64(1), b.get("idle"))
					}
				}
				require.NoError(t, o.compareMemory())
			}
		})
	}
}

func TestLearnThenProbeAtPaperScale(t *testing.T) {
	p := arch.Paper()
	b, o := newSystem(t, p)
	r := rand.New(rand.NewSource(8))
	for _, learn := range []bool{true, false} {
		_, err := b.run(random(r, p, 5000, 26, 1, learn))
		require.NoError(t, err)
	}
	require.NoError(t, o.compareMemory())
}

// uniform is a batch of n words that are uniform over about as many rows as the
// EAL holds.
func uniform(r *rand.Rand, p arch.Params, n, slots int, half uint64, learn bool) batch {
	x := random(r, p, n, slots, half, learn)
	for k := range x.words {
		x.words[k] = uint32(r.Intn(1 + p.Blocks/slots))
	}
	return x
}
