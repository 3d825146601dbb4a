package plan

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
	"github.com/hotline-rtl/hotline/hw/random"
)

var update = flag.Bool("update", false, "write what the passes do into testdata/passes")

// TestOrderOfPasses: every pass follows the passes that it needs.
func TestOrderOfPasses(t *testing.T) {
	done := map[string]bool{}
	for _, p := range Passes {
		for _, needed := range p.after {
			require.True(t, done[needed], "%s stands before %s", p.Name, needed)
		}
		require.False(t, done[p.Name], p.Name)
		done[p.Name] = true
	}
}

// TestPasses compares the effect of each pass on small designs with a file that contains the plan
// before and after the pass.
func TestPasses(t *testing.T) {
	for _, pass := range Passes {
		names, err := filepath.Glob(filepath.Join("testdata", "passes", pass.Name+"*.txt"))
		require.NoError(t, err)
		require.NotEmpty(t, names, pass.Name)
		for _, name := range names {
			testPass(t, pass.Name, name)
		}
	}
}

func testPass(t *testing.T, pass, name string) {
	const before, after = "\n-- before --\n", "\n-- after --\n"
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	design, _, _ := strings.Cut(string(text), before)
	d, err := ir.Parse(name, design)
	require.NoError(t, err)
	last, got := "", ""
	_, err = New(d, func(done string, p *Plan) {
		if done == pass {
			got = design + before + last + after + p.String()
		}
		last = p.String()
	})
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(text), got, "go test ./gen/gosim/plan -run TestPasses -update accepts it")
}

// TestVerify: random designs satisfy the invariants after each pass.
func TestVerify(t *testing.T) {
	for seed := range uint64(60) {
		_, err := New(random.Random(seed, random.Options{Size: 4, Levels: 2}), nil) // New verifies after each pass
		require.NoError(t, err, seed)
	}
}

// TestBrokenPlans: the error names the one place in which a plan is broken.
func TestBrokenPlans(t *testing.T) {
	for want, corrupt := range map[string]func(p *Plan){
		"operand 0 of 13 bits reads 12 bits":     func(p *Plan) { p.first(ir.And).Args[0].Width++ },
		"operand 0 reads lane 8 of 8":            func(p *Plan) { p.first(ir.And).Args[0].At.Add++ },
		"operand 0 is nothing":                   func(p *Plan) { p.first(ir.And).Args[0] = Operand{Width: 12} },
		"result has 8 lanes of 11 bits":          func(p *Plan) { p.first(ir.And).Out.Width-- },
		"is not the node of what it computes":    func(p *Plan) { p.first(ir.And).Out.Node = &Node{Out: &Value{}} },
		"mask has 8 lanes of 12 bits":            func(p *Plan) { n := p.first(ir.And); n.mask = n.Out },
		"takes no value of a node, lane by lane": func(p *Plan) { p.Regs[0].D.V = p.Inputs[0] },
		"is in no unit":                          func(p *Plan) { u := p.first(ir.And).Unit; u.Nodes = u.Nodes[1:] },
		"is in two units":                        func(p *Plan) { n := p.first(ir.And); n.Unit.Nodes = append(n.Unit.Nodes, n) },
		"has number 7":                           func(p *Plan) { p.Units[0].ID = 7 },
		"is evaluated before":                    func(p *Plan) { slices.Reverse(p.Units); p.number() },
		"does not hear of changes":               func(p *Plan) { clear(p.Readers) },
		"which is not stored":                    func(p *Plan) { p.Regs[0].Q.Stored = false },
		"commit 1 does not hear of changes": func(p *Plan) {
			m := p.Regs[1].Mask
			p.Readers[m] = slices.DeleteFunc(p.Readers[m], func(mark int) bool { return mark >= CommitMark })
		},
		"has no commit":                          func(p *Plan) { clear(p.Commits) },
		"write 0 of memory m0 has 12 bits":       func(p *Plan) { p.Mems[0].Width++ },
		"write 0 of memory m0 is to lane 1 of 1": func(p *Plan) { p.Mems[0].Writes[0].At.Add++ },
	} {
		d, err := ir.Parse("broken.ir", broken)
		require.NoError(t, err)
		p, err := New(d, nil)
		require.NoError(t, err)
		require.NoError(t, p.Verify())
		corrupt(p)
		err = fmt.Errorf("%w", p.Verify())
		require.ErrorContains(t, err, want)
	}
}

// TestBrokenBlocks: the error names what a block reads too early or too late.
func TestBrokenBlocks(t *testing.T) {
	text, err := os.ReadFile("testdata/passes/branches.txt")
	require.NoError(t, err)
	design, _, _ := strings.Cut(string(text), "\n-- before --\n")
	for want, corrupt := range map[string]func(p *Plan){
		"is read after it is set":    func(p *Plan) { p.Units[0].Kept = nil },
		"is read where it is not":    func(p *Plan) { b := p.Preview.Body.Steps[0].Choice.Arms[0]; b.Steps = b.Steps[1:] },
		"memory after it is written": func(p *Plan) { slices.Reverse(p.Units[0].Body.Steps) },
	} {
		d, err := ir.Parse("branches.ir", design)
		require.NoError(t, err)
		p, err := New(d, nil)
		require.NoError(t, err)
		corrupt(p)
		err = fmt.Errorf("%w", p.Verify())
		require.ErrorContains(t, err, want)
	}
}

// TestMistakes runs a pass that breaks the plan and a pass that panics. New returns an error with
// the operator and its place.
func TestMistakes(t *testing.T) {
	all := Passes
	defer func() { Passes = all }()
	for want, run := range map[string]func(p *Plan){
		`^gosim: internal error after pass last: v\d+ = and \(top\): 1 moves$`:             func(p *Plan) { p.first(ir.And).Moves = make([]Ref, 1) },
		`^gosim: internal error after pass last: v\d+ = add \(.*\) depends on itself, .*`:  func(p *Plan) { n := p.first(ir.Add); n.Args[0].V = n.Out },
		`^gosim: internal error in pass last: runtime error: index out of range \[99\].*$`: func(p *Plan) { p.Values[0].Lanes = len(p.first(ir.And).Args[99].Table) },
	} {
		d, err := ir.Parse("broken.ir", broken)
		require.NoError(t, err)
		Passes = append(slices.Clone(all), Pass{Name: "last", run: run})
		_, err = New(d, nil)
		require.Error(t, err)
		require.Regexp(t, want, err.Error())
	}
}

// first returns the first node with an operator.
func (p *Plan) first(code ir.Op) *Node {
	for _, n := range p.sorted() {
		if n.Code == code {
			return n
		}
	}
	panic("no " + code.String())
}

const broken = `module broken clock reset {
  input d : 8x12
  input address : 2
  output q : 8x12
  output read : 12
  reg held : 8x12 reset 12'd0
  reg kept : 8x12
  mem cells : 4x12
  when d[0][3] {
    cells[address] = d[1]
  }
  read = cells[address]
  for l 8 {
    held[l] = and(held[l], d[l])
    when not(d[l][3]) {
      kept[l] = mul(d[l], d[l])
    }
    q[l] = mul(held[l], add(kept[l], d[l]))
  }
}
`
