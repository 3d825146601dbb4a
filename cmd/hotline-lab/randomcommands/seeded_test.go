package randomcommands

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/trial"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// outliving removes the reset of a register, so that its value survives all three kinds of resets.
func outliving(register string) func(*ir.Design) int {
	return func(d *ir.Design) (n int) {
		for _, m := range d.Modules {
			m.Body.Walk(func(s *ir.Scope) {
				for _, g := range s.Signals {
					if g.Name == register {
						g.HasReset = false
						n++
					}
				}
			})
		}
		return n
	}
}

// stuck replaces the value of a signal in a module by a constant, all of whose bits are bit.
func stuck(module, signal string, bit uint64) func(*ir.Design) int {
	return func(d *ir.Design) (n int) {
		for _, m := range d.Modules {
			ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
				if a, ok := s.(*ir.Assign); ok && strings.HasPrefix(m.Name, module) && a.LHS.Sig.Name == signal {
					value := make([]uint64, ir.Words(a.RHS.Type.Width))
					for i := range a.RHS.Type.Width {
						value[i/64] |= bit << (i % 64)
					}
					a.RHS = &ir.Expr{Op: ir.Const, Type: a.RHS.Type, Val: value, Pos: a.Pos}
					n++
				}
			})
		}
		return n
	}
}

// seeded lists faults with which an address survives a reset.
var seeded = map[string]func(*ir.Design) int{
	"tables outlive every reset":                       outliving("tables_given"),
	"slots outlive every reset":                        outliving("slots_given"),
	"the tables that slots name outlive every reset":   outliving("tables_named"),
	"hot tables outlive every reset":                   outliving("hot_given"),
	"pooled vectors outlive every reset":               outliving("pooled_given"),
	"gradients outlive every reset":                    outliving("grad_given"),
	"mailboxes outlive every reset":                    outliving("mailboxes_given"),
	"the base of the command ring outlives a reset":    outliving("sq_base_given"),
	"the base of the completion ring outlives a reset": outliving("cq_base_given"),
	"no table of a list is looked for":                 stuck("dispatch", "list_no_table", 0),
	"only unused slots are looked for":                 stuck("address_registers", "given_slots", 1),
	"the tables of slots are not looked for":           stuck("address_registers", "given_slot_tables", 1),
}

// TestSeededFaults checks that the campaign finds each fault, or every sixth fault with -short.
// State without a reset has random values at power-up.
func TestSeededFaults(t *testing.T) {
	for i, name := range slices.Sorted(maps.Keys(seeded)) {
		if i%bench.Every(6) != 0 {
			continue
		}
		spoil := seeded[name]
		t.Run(name, func(t *testing.T) {
			p := random(rand.New(rand.NewPCG(3, 0)))
			d, err := newDevice(p)
			require.NoError(t, err)
			require.Positive(t, spoil(d.design))
			d.design.Plain()
			var found error
			commands := 0
			for number := 0; number < 200 && found == nil; number++ {
				r, err := trial.Episode{Params: p, Seed: 1, Number: number, Commands: 200, Simulate: func() (sim.Simulator, error) {
					s, err := interp.New(d.design)
					if err == nil {
						sim.PowerUp(s, uint64(number))
					}
					return s, err
				}}.Run()
				found = err
				commands += r.Commands
			}
			require.Error(t, found)
			first, _, _ := strings.Cut(found.Error(), "\n")
			t.Logf("after %d commands: %s", commands, first)
		})
	}
}
