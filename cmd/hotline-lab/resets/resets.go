package resets

import (
	"regexp"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// size matches the sizes in the name of a module.
var size = regexp.MustCompile(`_[a-z]+[0-9]+(_.*)?$`)

// reset is a register with a reset.
type reset struct {
	name string // module.register, where the module name has no sizes
	sig  *ir.Signal
}

func resets(d *ir.Design) (out []reset) {
	for _, m := range d.Modules {
		m.Body.Walk(func(s *ir.Scope) {
			for _, g := range s.Signals {
				if g.HasReset {
					out = append(out, reset{size.ReplaceAllString(m.Name, "") + "." + g.Name, g})
				}
			}
		})
	}
	return out
}

// removal is a block with the stimuli of its trials and the expected outputs.
type removal struct {
	*run
	trials []stimulus
}

type stimulus struct {
	in, golden []uint64
	payload    sim.Payload
}

const randomCycles = 1500

func newRemoval(r *run) (*removal, error) {
	t := &removal{run: r, trials: []stimulus{{in: r.in, payload: r.recorded()}, {in: r.randomInputs(1, randomCycles), payload: r.random()}}}
	for i := range t.trials {
		var err error
		if t.trials[i].golden, err = r.golden(t.trials[i].in); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// survives reports whether the removal of a reset is unobservable at the ports of the block. It
// simulates from several random states and from unknown state.
func (t *removal) survives(x reset, dir string) (bool, error) {
	x.sig.HasReset = false
	defer func() { x.sig.HasReset = true }()
	for seed := range uint64(seeds) {
		for _, s := range t.trials {
			e, err := interp.New(t.d)
			if err != nil {
				return false, err
			}
			sim.PowerUp(e, seed+1)
			if yes, err := t.differs(sim.NewBlocks(e), s.in, s.golden, s.payload); yes || err != nil {
				return false, err
			}
		}
	}
	p, err := external.FourState(t.d, dir)
	if err != nil {
		return false, err
	}
	defer p.Close()
	yes, err := t.differs(p, t.trials[0].in, t.trials[0].golden, t.trials[0].payload)
	return !yes, err
}

// known parses survivors.txt, whose lines contain a register and a reason.
func known(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if name, reason, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			out[name] = strings.TrimSpace(reason)
		}
	}
	return out
}

// verdict returns the message about a removed reset, and whether the outcome agrees with the list
// of survivors. Some reasons depend on the stimulus: the recorded run changes with the trainer and
// the sizes. A reset that is listed with such a reason may also be noticed.
func verdict(survives, listed bool, reason string) (text string, ok bool) {
	depends := strings.HasPrefix(reason, "is noticed by the test of ") || strings.HasPrefix(reason, "shows on some stimulus only: ")
	switch {
	case survives && listed:
		return "survives: " + reason, true
	case survives:
		return "SURVIVES, and is not in survivors.txt", false
	case listed && !depends:
		return "is in survivors.txt, but is NOTICED", false
	}
	return "", true
}
