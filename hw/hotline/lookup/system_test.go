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
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// system is Lookup and EAL together.
type system struct {
	Sizes
	Tracker eal.EAL
}

type systemPorts struct {
	RunPorts
	Ready hw.Bits `hw:"out"`
	Idle  hw.Bits `hw:"out"`
}

func (system) ModuleName() string { return "lookup_and_eal" }

func (p system) Build(m *hw.Module) systemPorts {
	io := hw.Ports[systemPorts](m)
	lookup, tracker := hw.Inst(m, "lookup", Lookup{p.Sizes}), hw.Inst(m, "eal", p.Tracker)
	hw.Connect(lookup.Control, io.Control)
	io.Answered.Set(lookup.Answered)
	io.Cached.Set(lookup.Cached)
	io.Ready.Set(tracker.Ready)
	io.Idle.Set(tracker.Idle)

	tracker.Learn.Set(lookup.EALLearn)
	hw.Connect(tracker.Request, lookup.Request)
	hw.Set(lookup.Answer, tracker.Answer)
	tracker.Scan.Valid.Set(hw.K(0))
	tracker.Scan.Bank.Set(hw.K(0))
	tracker.Scan.Set.Set(hw.K(0))
	return io
}

// observer is the network of a system: it lets the reference follow the order in
// which the banks serve learning accesses.
type observer struct {
	b     *bench
	t     *eal.Tracker
	units []string
	seen  [][]int // learning accesses by engine and ticket
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
	taken, _ := o.b.s.Peek("eal.controller.taken_before")
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
		field := func(name string) int {
			x, _ := o.b.s.Peek(unit + "match_" + name)
			return int(x[0])
		}
		e, ticket := field("engine"), field("ticket")
		key := eal.Place{Bank: k, Set: field("set"), Tag: uint32(field("tag"))}.Key(p)
		word := (ticket+o.seen[e][ticket]*p.Window)*p.Engines + e
		if word >= len(l.keys) || l.keys[word] != key {
			return fmt.Errorf("bank %d serves key %#x of engine %d ticket %d, which is not that of word %d", k, key, e, ticket, word)
		}
		o.seen[e][ticket]++
		l.want[word].Hit, l.want[word].Way = o.t.Access(key)
		l.known[word] = true
	}
	return nil
}

// compareMemory compares the memories of the EAL with the reference. A word has the
// blocks of a set, way 0 first, each with its tag lowest, RRPV and valid bit above.
func (o *observer) compareMemory() error {
	p := o.b.p
	for k, unit := range o.units {
		for set := range p.BankSets() {
			got, ok := o.b.s.PeekMem(unit+"sets.mem", set)
			if !ok {
				return fmt.Errorf("bank %d has no memory", k)
			}
			for w, want := range o.t.Set(k, set) {
				x := func(lo, width int) uint64 {
					out := make([]uint64, 1)
					bv.Slice(out, got, lo+w*(p.TagBits+3), width)
					return out[0]
				}
				e := eal.Entry{Valid: x(p.TagBits+2, 1) == 1, RRPV: eal.RRPV(x(p.TagBits, 2)), Tag: uint32(x(0, p.TagBits))}
				if e != want {
					return fmt.Errorf("bank %d set %d way %d: %v, want %v", k, set, w, e, want)
				}
			}
		}
	}
	return nil
}

func newSystem(t testing.TB, p arch.Params) (*bench, *observer) {
	d, err := hw.Elaborate(system{sizesOf(p), eal.Of(p)})
	require.NoError(t, err)
	b := newBench(t, d, p, 1)
	o := newObserver(b, eal.NewTracker(p))
	b.net = o
	for sim.Find(b.s, "ready").Get() == 0 {
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
						require.Equal(t, uint64(1), sim.Find(b.s, "idle").Get())
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
