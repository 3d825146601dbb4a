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

// system is a Lookup with an EAL.
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
	hw.Set(io.Events, lookup.Events)
	io.Ready.Set(tracker.Ready)
	io.Idle.Set(tracker.Idle)

	tracker.Learn.Set(lookup.EALLearn)
	hw.Connect(tracker.Request, lookup.Request)
	hw.Set(lookup.Answer, tracker.Answer)
	for _, x := range []hw.Bits{tracker.Stretch, tracker.Scan.Valid, tracker.Scan.Set, tracker.Scan.Show, tracker.Scan.Bank} {
		x.Set(hw.K(0))
	}
	return io
}

// observer is the network of a system. It updates the reference in the order in which the banks
// serve learning accesses.
type observer struct {
	b      *bench
	t      *eal.Tracker
	units  []string
	match  []int // by bank, the word in its match stage; -1 if none
	latest []int // by bank and engine, the latest word of the run
	taken  int
}

func newObserver(b *bench, t *eal.Tracker) *observer {
	o := &observer{b: b, t: t, latest: make([]int, b.p.Banks*b.p.Engines)}
	for k := range b.p.Banks {
		o.units, o.match = append(o.units, fmt.Sprintf("eal.bank[%d].unit.", k)), append(o.match, -1)
	}
	return o
}

func (o *observer) tracker() *eal.Tracker { return o.t }

func (o *observer) requests() int {
	n := o.taken
	o.taken = 0
	clear(o.latest)
	return n
}

// cycle counts the accepted requests, and computes the results of those that have reached a bank's
// match stage.
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
		before := o.match[k]
		o.match[k] = -1
		if on, _ := o.b.s.Peek(unit + "match_valid"); on[0] == 0 {
			continue
		}
		field := func(name string) int {
			x, _ := o.b.s.Peek(unit + "match_" + name)
			return int(x[0])
		}
		e, ticket := field("engine"), field("ticket")
		key := eal.Place{Bank: k, Set: field("set"), Tag: uint32(field("tag"))}.Key(p)
		word := o.b.wordIn(e, ticket)
		if word < 0 || l.keys[word] != key {
			return fmt.Errorf("bank %d serves key %#x of engine %d ticket %d, which is not that of word %d", k, key, e, ticket, word)
		}
		if word != before {
			latest := &o.latest[k*p.Engines+e]
			if *latest > word {
				return fmt.Errorf("bank %d serves word %d behind word %d of engine %d", k, word, *latest, e)
			}
			*latest = word
			hit, way := o.t.Access(key)
			l.learned(e, word, hit, way)
		}
		o.match[k] = word
	}
	return nil
}

// compareMemory compares the memories of the EAL with the reference. A memory word contains the
// blocks of a set, way 0 first. A block consists of tag, RRPV and valid bit, from the low end.
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

// TestLearnThenProbeAtPaperScale uses the paper's number of engines and banks, and four times as
// many.
func TestLearnThenProbeAtPaperScale(t *testing.T) {
	for _, n := range []int{64, 256} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := arch.Paper()
			p.Engines, p.Banks, p.EDRAMWords = n, n, 2*16384*max(26, n/4)
			require.NoError(t, p.Validate())
			b, o := newSystem(t, p)
			r := rand.New(rand.NewSource(8))
			for _, learn := range []bool{true, false} {
				_, err := b.run(random(r, p, 5000, max(26, n/4), 1, learn))
				require.NoError(t, err)
			}
			require.NoError(t, o.compareMemory())
		})
	}
}

// uniform returns a batch of n words that are uniformly distributed over about as many rows as the
// EAL holds.
func uniform(r *rand.Rand, p arch.Params, n, slots int, half uint64, learn bool) batch {
	x := random(r, p, n, slots, half, learn)
	for k := range x.words {
		x.words[k] = uint32(r.Intn(1 + p.Blocks/slots))
	}
	return x
}
