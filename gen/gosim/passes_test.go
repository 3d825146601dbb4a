package gosim

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
)

var update = flag.Bool("update", false, "write what the passes do into testdata/passes")

// Every pass stands behind those that it needs.
func TestOrderOfPasses(t *testing.T) {
	done := map[string]bool{}
	for _, p := range passes {
		for _, needed := range p.after {
			require.True(t, done[needed], "%s stands before %s", p.name, needed)
		}
		require.False(t, done[p.name], p.name)
		done[p.name] = true
	}
}

// What a pass does to a small design stands in a file of its own, with the plan before and
// after it.
func TestPasses(t *testing.T) {
	const before, after = "\n-- before --\n", "\n-- after --\n"
	for _, pass := range passes {
		name := filepath.Join("testdata", "passes", pass.name+".txt")
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		design, _, _ := strings.Cut(string(text), before)
		d, err := ir.Parse(name, design)
		require.NoError(t, err)
		last, got := "", ""
		_, err = newPlan(d, func(done string, p *plan) {
			if done == pass.name {
				got = design + before + last + after + p.String()
			}
			last = p.String()
		})
		require.NoError(t, err)
		if *update {
			require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
			continue
		}
		require.Equal(t, string(text), got, "go test ./gen/gosim -run TestPasses -update accepts it")
	}
}

// What must hold between passes does, in random designs.
func TestVerify(t *testing.T) {
	for seed := range uint64(60) {
		_, err := newPlan(irgen.Random(seed, irgen.Options{Size: 4, Levels: 2}), func(pass string, p *plan) {
			require.NoError(t, p.verify(), "seed %d after %s", seed, pass)
		})
		require.NoError(t, err)
	}
}

// A plan that is broken in one place is told by that place.
func TestBrokenPlans(t *testing.T) {
	for want, corrupt := range map[string]func(p *plan){
		"operand 0 of 13 bits reads 12 bits":     func(p *plan) { p.first(ir.And).args[0].width++ },
		"operand 0 reads lane 8 of 8":            func(p *plan) { p.first(ir.And).args[0].at.add++ },
		"operand 0 is nothing":                   func(p *plan) { p.first(ir.And).args[0] = operand{width: 12} },
		"result has 8 lanes of 11 bits":          func(p *plan) { p.first(ir.And).out.width-- },
		"is not the node of what it computes":    func(p *plan) { p.first(ir.And).out.node = &node{out: &value{}} },
		"mask has 8 lanes of 12 bits":            func(p *plan) { n := p.first(ir.And); n.mask = n.out },
		"takes no value of a node, lane by lane": func(p *plan) { p.regs[0].d.v = p.inputs[0] },
		"is in no unit":                          func(p *plan) { u := p.first(ir.And).unit; u.nodes = u.nodes[1:] },
		"is in two units":                        func(p *plan) { n := p.first(ir.And); n.unit.nodes = append(n.unit.nodes, n) },
		"has number 7":                           func(p *plan) { p.units[0].id = 7 },
		"is evaluated before":                    func(p *plan) { slices.Reverse(p.units); p.number() },
		"does not hear of changes":               func(p *plan) { clear(p.readers) },
		"which is not stored":                    func(p *plan) { p.regs[0].q.stored = false },
		"has no commit":                          func(p *plan) { clear(p.commits) },
		"write 0 of memory m0 has 12 bits":       func(p *plan) { p.mems[0].width++ },
		"write 0 of memory m0 is to lane 1 of 1": func(p *plan) { p.mems[0].writes[0].at.add++ },
	} {
		d, err := ir.Parse("broken.ir", broken)
		require.NoError(t, err)
		p, err := newPlan(d, nil)
		require.NoError(t, err)
		require.NoError(t, p.verify())
		corrupt(p)
		err = fmt.Errorf("%w", p.verify())
		require.ErrorContains(t, err, want)
	}
}

// first is the first node with an operator.
func (p *plan) first(code ir.Op) *node {
	for _, n := range p.sorted() {
		if n.code == code {
			return n
		}
	}
	panic("no " + code.String())
}

// number numbers units by their places.
func (p *plan) number() {
	for i, u := range p.units {
		u.id = i
	}
}

const broken = `module broken clock reset {
  input d : 8x12
  input address : 2
  output q : 8x12
  output read : 12
  reg held : 8x12 reset 12'd0
  mem cells : 4x12
  when d[0][3] {
    cells[address] = d[1]
  }
  read = cells[address]
  for l 8 {
    held[l] = and(held[l], d[l])
    q[l] = mul(held[l], add(held[l], d[l]))
  }
}
`
