package fault

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Injection applies a plan to a machine.
type Injection struct {
	k       *des.Kernel
	link    *link.Link
	ep      *link.Endpoint
	root    *link.RootComplex
	late    des.Time
	places  places
	seen    map[Place]int // number of TLPs
	rules   []active
	wires   []*wire
	log     []Event
	settled int // number of log events with a final outcome
}

// active is a rule with its state.
type active struct {
	Rule
	happened int
	rng      *rand.Rand
}

// Inject applies a plan to the link of the accelerator in the slot of s, whose endpoint is ep. It
// replaces the link's injector.
func Inject(s *server.Server, ep *link.Endpoint, p *Plan) *Injection {
	x := &Injection{
		k: s.Kernel, link: s.Slot(), ep: ep, root: s.Root, late: s.Config.Endpoint.CompletionTimeout * 3 / 2, seen: map[Place]int{},
		places: places{function: ep.ID(), bar: ep.BAR(), interrupts: s.Config.Root.Interrupts, registers: map[uint64]uint32{}, reads: map[uint16]*read{}},
	}
	for _, g := range s.GPUs {
		x.places.gpus = append(x.places.gpus, g.PCIe.Windows()...)
	}
	for i, r := range p.Rules {
		a := active{Rule: r, rng: rand.New(rand.NewPCG(p.Seed, uint64(i)))}
		if r.Place.wires() {
			x.wires = append(x.wires, newWire(a))
			continue
		}
		x.rules = append(x.rules, a)
	}
	x.link.Inject(x.inject)
	if len(x.wires) > 0 {
		x.link.Disturb(x.disturb)
	}
	return x
}

func (x *Injection) inject(dir link.Direction, at des.Time, t *pcie.TLP) link.Fate {
	if r := x.places.completes(dir, t); r != nil && r.over {
		return link.Fate{Drop: true, Cause: "its read is over"}
	}
	place, counts := x.places.of(dir, t)
	if !counts {
		return link.Fate{}
	}
	x.seen[place]++
	happens := -1
	for i := range x.rules { // evaluate every rule: no rule may change the random sequence of another rule
		if x.rules[i].applies(place, x.seen[place], at) && happens < 0 {
			happens = i
		}
	}
	if happens < 0 {
		return link.Fate{}
	}
	r := &x.rules[happens]
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
	if place != r.Place || n < r.Nth || at < r.After || r.Times > 0 && r.happened == r.Times {
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
		return link.Fate{Delay: x.late}
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
		x.k.After(0, func() { x.link.SetUp(false) })
	case FLR:
		x.k.After(0, x.ep.FLR)
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
