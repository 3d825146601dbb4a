package interp

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// watchSignals lists the recorded signals.
func (c *compiler) watchSignals() {
	for _, v := range c.d.Vars {
		for k, n := range v.Nets {
			c.waves = append(c.waves, watch{n, wave.Signal{Path: elementPath(v, k), Width: v.Sig.Type.Width, Reg: v.Sig.Kind == ir.Reg}})
		}
	}
}

// elementPath returns the path of element k of v. For a vector, it appends an index to the name.
func elementPath(v netlist.Var, k int) []string {
	if !v.Sig.Type.IsVec() {
		return v.Path
	}
	path := slices.Clone(v.Path)
	path[len(path)-1] += fmt.Sprintf("[%d]", k)
	return path
}

func (s *Sim) beginRecording() error {
	if s.recorder == nil {
		return nil
	}
	signals := make([]wave.Signal, len(s.waves), len(s.waves)+1)
	for i, w := range s.waves {
		signals[i] = w.signal
	}
	if s.d.Top.Reset {
		signals = append(signals, wave.Signal{Path: []string{"rst"}, Width: 1})
	}
	return s.recorder.Begin(s.d.Top.Name, signals)
}

// sample sends the changes of a cycle to the recorder.
func (s *Sim) sample() {
	if s.recorder == nil {
		return
	}
	s.recorder.Cycle(s.cycle)
	if s.d.Top.Reset && (s.cycle == 0 || s.reset != s.wasReset) {
		s.recorder.Change(len(s.waves), []uint64{bit(s.reset)})
		s.wasReset = s.reset
	}
	s.pending.each(s.region[watches], func(i int) bool {
		s.recorder.Change(i, s.net(s.waves[i].net))
		return false
	})
}
