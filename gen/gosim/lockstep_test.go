package gosim_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// runner compares models with the interpreter: ports and all registers in every
// cycle, memories at the end, with skipping and without. The state is random at the
// start, and once more amid the run.
const runner = `package main

import (
	"fmt"
	"os"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
%s)

func compare(name string, seed uint64, m sim.Simulator) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	d, err := ir.Parse(name, string(text))
	if err != nil {
		return err
	}
	reference, err := interp.New(d)
	if err != nil {
		return err
	}
	sim.PowerUp(reference, seed)
	sim.PowerUp(m.(sim.Writable), seed)
	l, err := sim.NewLockstep(d, sim.Engine{Name: "interp", Simulator: reference}, sim.Engine{Name: "compiled", Simulator: m})
	if err != nil {
		return err
	}
	if n, want := len(m.(sim.Inspector).State()), len(reference.State()); n != want {
		return fmt.Errorf("%%d registers and memories, want %%d", n, want)
	}
	f := sim.NewFormat(l.Ports())
	s := sim.Random(f, seed)
	quiet := 0
	for c := range %d {
		if c == 99 {
			sim.PowerUp(reference, seed+2)
			sim.PowerUp(m.(sim.Writable), seed+2)
			l.SetReset(true)
			if err := l.Step(); err != nil {
				return err
			}
		}
		if err := sim.Drive(l, s, 1); err != nil {
			return err
		}
		if m.Quiet() {
			before := dump(reference)
			if err := l.Step(); err != nil {
				return err
			}
			if dump(reference) != before {
				return fmt.Errorf("cycle %%d: quiet, but something changed", c)
			}
			quiet++
		}
	}
	if quiet == 0 && !reference.Quiet() {
		fmt.Println(name, "was never quiet")
	}
	return l.CompareMemories()
}

// dump is the state of s as text.
func dump(s sim.Inspector) string {
	out := ""
	for i, x := range s.State() {
		for w := range max(1, x.Depth) {
			out += fmt.Sprint(s.Read(i, w))
		}
	}
	return out
}

func main() {
	failed := false
	try := func(name string, seed uint64, m sim.Simulator) {
		if err := compare(os.Args[1]+"/"+name+".ir", seed, m); err != nil {
			fmt.Printf("%%s: %%v\n", name, err)
			failed = true
		}
	}
%s	if failed {
		os.Exit(1)
	}
}
`

// lockstep generates and builds a model of each design and runs the models in
// lock-step with the interpreter. The packages exist in an overlay only.
func lockstep(t *testing.T, designs map[string]*ir.Design, cycles int) {
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	overlay := map[string]string{}
	add := func(path, text string) {
		file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		overlay[filepath.Join(root, path)] = file
	}
	var imports, calls strings.Builder
	for name, d := range designs {
		files, err := gosim.Generate(d, name)
		require.NoError(t, err)
		for _, f := range files {
			add("gen/gosim/zz/"+name+"/"+f.Name, f.Text)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".ir"), []byte(d.String()), 0o644))
		fmt.Fprintf(&imports, "\t%q\n", "github.com/hotline-rtl/hotline/gen/gosim/zz/"+name)
		fmt.Fprintf(&calls, "\ttry(%q, 1, %s.New(%s.Options{}))\n\ttry(%q, 2, %s.New(%s.Options{Everything: true}))\n", name, name, name, name, name, name)
	}
	add("gen/gosim/zz/main.go", fmt.Sprintf(runner, imports.String(), cycles, calls.String()))
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), data, 0o644))
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", filepath.Join(dir, "run"), "./gen/gosim/zz")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(filepath.Join(dir, "run"), dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func elaborate[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

func TestOperators(t *testing.T) {
	designs := map[string]*ir.Design{}
	for _, w := range []int{1, 2, 31, 32, 63, 64, 65, 127, 128, 130, 200} {
		designs[fmt.Sprintf("w%d", w)] = elaborate(t, simtest.Operators{Width: w, Len: 3, Amount: 9})
	}
	designs["long"] = elaborate(t, simtest.Operators{Width: 8, Len: 70, Amount: 3})
	designs["bits"] = elaborate(t, simtest.Operators{Width: 1, Len: 130, Amount: 70})
	lockstep(t, designs, 300)
}

// TestLanes has lanes of all sizes, and numbers of lanes in and beyond a word.
func TestLanes(t *testing.T) {
	designs := map[string]*ir.Design{}
	for _, w := range []int{2, 7, 8, 13, 16, 31, 32, 33, 64, 70} {
		for _, n := range []int{8, 20, 64, 128} {
			if w <= 16 || n == 8 || n == 64 {
				designs[fmt.Sprintf("l%dw%d", n, w)] = elaborate(t, simtest.Lanes{Lanes: n, Width: w})
			}
		}
	}
	lockstep(t, designs, 200)
}

// TestTags has maps of bits in and beyond a word, by numbers that fit, and wide
// registers that hold.
func TestTags(t *testing.T) {
	designs := map[string]*ir.Design{}
	for _, x := range [][2]int{{4, 2}, {13, 4}, {33, 5}, {40, 6}, {64, 6}, {64, 7}, {64, 64}, {65, 7}, {100, 6}, {128, 7}, {128, 8}, {192, 8}, {256, 8}, {256, 65}} {
		designs[fmt.Sprintf("b%dn%d", x[0], x[1])] = elaborate(t, simtest.Tags{Bits: x[0], Number: x[1], Known: x[0] > 128})
	}
	lockstep(t, designs, 1000)
}

func TestParts(t *testing.T) {
	lockstep(t, map[string]*ir.Design{
		"fifos":  elaborate(t, simtest.FIFOArray{Lanes: 64, Width: 17, Depth: 4}),
		"wide":   elaborate(t, simtest.FIFOArray{Lanes: 3, Width: 130, Depth: 8}),
		"alu":    elaborate(t, simtest.ALU{Width: 32}),
		"memory": elaborate(t, simtest.Memory{Depth: 13, Width: 70}),
	}, 1000)
}

func TestRandomDesigns(t *testing.T) {
	designs := map[string]*ir.Design{}
	for seed := range uint64(12) {
		designs[fmt.Sprintf("r%d", seed)] = irgen.Random(seed, irgen.Small)
	}
	lockstep(t, designs, 300)
}
