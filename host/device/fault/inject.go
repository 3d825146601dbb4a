package fault

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Injection applies a plan to the cards in a slot, one after the other. Its methods may be called
// from any goroutine.
type Injection struct {
	mutex   sync.Mutex
	target  Target
	places  places
	seen    map[Place]int // number of TLPs
	all     []*active     // in the order of the plan
	rules   []*active     // above the data link layer
	wires   []*wire       // below it
	seed    uint64
	log     []Event
	settled int // number of log events with a final outcome
	notify  func(Event)
}

// active is a rule with its state.
type active struct {
	Rule
	before   int // number of TLPs at the place before the rule was added
	happened int
	rng      *rand.Rand
}

// New returns an injection of a plan that has no card yet.
func New(p *Plan) *Injection {
	x := &Injection{seen: map[Place]int{}, seed: p.Seed}
	x.Add(p.Rules)
	return x
}

// Add adds rules to the plan. They count TLPs from now on.
func (x *Injection) Add(rules []Rule) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	for _, r := range rules {
		a := &active{Rule: r, before: x.seen[r.Place], rng: rand.New(rand.NewPCG(x.seed, uint64(len(x.all))))}
		x.all = append(x.all, a)
		if r.Place.wires() {
			x.wires = append(x.wires, newWire(a))
			continue
		}
		x.rules = append(x.rules, a)
	}
}

// Notify calls f for each fault from now on, when it occurs. f must not call the injection.
func (x *Injection) Notify(f func(Event)) { x.notify = f }

// Attach continues the plan with a card, whose link must be idle. It replaces the injector and the
// noise of the link.
func (x *Injection) Attach(t Target) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.target = t
	x.places = newPlaces(t)
	t.Link.Inject(x.inject)
	t.Link.Disturb(x.disturb)
}

func (x *Injection) inject(dir link.Direction, at des.Time, t *pcie.TLP) link.Fate {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if r := x.places.completes(dir, t); r != nil && r.over {
		return link.Fate{Drop: true, Cause: "its read is over"}
	}
	place, counts := x.places.of(dir, t)
	if !counts {
		return link.Fate{}
	}
	x.seen[place]++
	var r *active
	for _, a := range x.rules { // evaluate every rule: no rule may change the random sequence of another rule
		if a.applies(place, x.seen[place], at) && r == nil {
			r = a
		}
	}
	if r == nil {
		return link.Fate{}
	}
	r.happened++
	x.note(Event{Kind: r.Kind, Place: place, N: x.seen[place], At: at, TLP: t.String()})
	fate := x.spoil(r.Kind, x.places.completes(dir, t), t)
	if r.Kind != ECRC {
		digest(t)
	}
	fate.Cause = fmt.Sprintf("%s at %s", r.Kind, place)
	return fate
}

func (r *active) applies(place Place, n int, at des.Time) bool {
	if place != r.Place || n-r.before < r.Nth || at < r.After || r.Times > 0 && r.happened == r.Times {
		return false
	}
	return r.Probability == 1 || r.rng.Float64() < r.Probability
}

// noTag is a tag that an endpoint with 8-bit tags never uses.
const noTag = 0x3ff

// spoil applies a fault to a TLP. If t is a completion, of is its read; otherwise of is nil.
func (x *Injection) spoil(k Kind, of *read, t *pcie.TLP) link.Fate {
	switch k {
	case Timeout:
		of.over = true
		return link.Fate{Drop: true}
	case Late:
		return link.Fate{Delay: x.target.Timeout * 3 / 2}
	case UR, CA:
		of.over = true
		t.Kind, t.Status, t.Length, t.Data = pcie.Cpl, pcie.UR, 0, nil
		if k == CA {
			t.Status = pcie.CA
		}
	case Poison:
		t.EP = true
	case ECRC:
		t.TD, t.Digest = true, ^t.ECRC()
	case Malformed:
		deform(t)
	case Unexpected:
		stray := *t
		stray.Tag = noTag
		digest(&stray)
		return link.Fate{Behind: []*pcie.TLP{&stray}}
	case ByteCount:
		t.ByteCount += 4
	case Corrupt:
		t.Data = slices.Clone(t.Data)
		t.Data[len(t.Data)/2] ^= 0x10
	case Drop:
		return link.Fate{Drop: true}
	case Duplicate:
		again := *t
		return link.Fate{Behind: []*pcie.TLP{&again}}
	case Overflow:
		return link.Fate{Overflow: true}
	case LinkDown:
		x.target.Kernel.After(0, func() { x.target.Link.SetUp(false) })
	case FLR:
		x.target.Kernel.After(0, x.target.FLR)
	}
	return link.Fate{}
}

// digest recomputes the ECRC of a TLP that has an ECRC, so that the receiver sees only the intended
// fault.
func digest(t *pcie.TLP) {
	if t.TD {
		t.Digest = t.ECRC()
	}
}

// deform breaks a format rule: it gives a completion too much data, or clears the byte enables of a
// write.
func deform(t *pcie.TLP) {
	if t.Kind == pcie.MWr {
		t.FirstBE, t.LastBE = 0, 0
		return
	}
	t.Data = append(slices.Clone(t.Data), 0, 0, 0, 0)
	t.Length++
}
