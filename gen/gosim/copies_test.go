package gosim_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/irgen"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// copiesRunner compares copies, each with random inputs of its own, with as many single
// runs of the interpreter: ports and all registers in every cycle, memories at the end,
// failed assertions.
const copiesRunner = `package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
%s)

// single is the reference of a copy.
type single struct {
	*interp.Sim
	inputs sim.Stimulus
	frame  []uint64
	at     []int // states of a copy that are its own
	failed bool
}

func compare(name string, cycles int, m sim.Copies) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	d, err := ir.Parse(name, string(text))
	if err != nil {
		return err
	}
	f := sim.NewFormat(sim.PortsOf(d))
	singles := make([]*single, m.Copies())
	for i := range singles {
		s, err := interp.New(d)
		if err != nil {
			return err
		}
		singles[i] = &single{Sim: s, inputs: sim.Random(f, uint64(i)), frame: make([]uint64, f.InWords), at: numbers(s.State(), m.Copy(i).State())}
		sim.PowerUp(s, uint64(i))
		sim.PowerUp(m.Copy(i), uint64(i))
	}
	for c := range cycles {
		for i, s := range singles {
			if err := s.inputs.Next(s.frame); err != nil {
				return err
			}
			for _, e := range []interface {
				SetReset(bool)
				Set(int, []uint64)
			}{s, m.Copy(i)} {
				e.SetReset(s.frame[0]&1 != 0)
				for _, x := range f.In {
					e.Set(x.Port, x.Of(s.frame))
				}
			}
		}
		for i, s := range singles {
			if err := same(s, m.Copy(i)); err != nil {
				return fmt.Errorf("cycle %%d, copy %%d: %%w", c, i, err)
			}
			s.failed = s.Step() != nil
		}
		failed := make([]bool, len(singles))
		if err := m.Step(); err != nil {
			for _, x := range err.(sim.Failures) {
				failed[x.Copy] = true
			}
		}
		for i, s := range singles {
			if s.failed != failed[i] {
				return fmt.Errorf("cycle %%d, copy %%d: an assertion fails: %%t, want %%t", c, i, failed[i], s.failed)
			}
		}
	}
	for i, s := range singles {
		if err := sameWords(s, m.Copy(i), true); err != nil {
			return fmt.Errorf("copy %%d: %%w", i, err)
		}
	}
	return nil
}

// numbers are where states with the paths of list stand in another; -1 if they do not.
func numbers(list, in []sim.State) (out []int) {
	at := map[string]int{}
	for i, x := range in {
		at[x.Path] = i + 1
	}
	for _, x := range list {
		out = append(out, at[x.Path]-1)
	}
	return out
}

// same compares ports and registers.
func same(want *single, got sim.Copy) error {
	for i, p := range want.Ports() {
		a, b := make([]uint64, ir.Words(p.Type.Bits())), make([]uint64, ir.Words(p.Type.Bits()))
		want.Get(i, a)
		got.Get(i, b)
		if !slices.Equal(a, b) {
			return fmt.Errorf("port %%s is %%x, want %%x", p.Name, b, a)
		}
	}
	return sameWords(want, got, false)
}

func sameWords(want *single, got sim.Copy, memories bool) error {
	for i, x := range want.State() {
		k := want.at[i]
		if k < 0 {
			return fmt.Errorf("no %%s", x.Path)
		}
		for w := range max(1, x.Depth) {
			if x.Depth > 0 && !memories {
				break
			}
			if a, b := want.Read(i, w), got.Read(k, w); !reflect.DeepEqual(a, b) {
				return fmt.Errorf("%%s, word %%d, is %%x, want %%x", x.Path, w, b, a)
			}
		}
	}
	return nil
}

func main() {
	failed := false
	try := func(name string, l model.Level, m sim.Copies) {
		if err := compare(os.Args[1]+"/"+name+".ir", %d, m); err != nil {
			fmt.Printf("%%s, %%s: %%v\n", name, l, err)
			failed = true
		}
	}
%s	if failed {
		os.Exit(1)
	}
}
`

// copiesLockstep runs copies of designs beside single ones, with and without vectors.
func copiesLockstep(t *testing.T, designs map[string]*ir.Design, n, cycles int) {
	dir := t.TempDir()
	require.NoError(t, compiled.Workspace(dir))
	var imports, calls strings.Builder
	for name, d := range designs {
		require.NoError(t, gosim.WriteCopies(filepath.Join(dir, name), d, n, name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".ir"), []byte(d.String()), 0o644))
		fmt.Fprintf(&imports, "\t%q\n", compiled.Below+"/"+name)
		fmt.Fprintf(&calls, "\tfor _, l := range model.Levels() {\n")
		for _, everything := range []bool{false, true} {
			fmt.Fprintf(&calls, "\t\ttry(%q, l, %s.New(%s.Options{Everything: %t, Level: l}))\n", name, name, name, everything)
		}
		fmt.Fprintf(&calls, "\t}\n")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, copiesRunner, imports.String(), cycles, calls.String()), 0o644))
	build := exec.Command("go", "build", "-o", "run", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(filepath.Join(dir, "run"), dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// Every operator, of words and of several; memories, resets by conditions, a core.
func TestCopiesOfParts(t *testing.T) {
	designs := map[string]*ir.Design{
		"list":    elaborate(t, simtest.Operators{Width: 8, Len: 11, Amount: 3}),
		"fifos":   elaborate(t, simtest.FIFOArray{Lanes: 3, Width: 130, Depth: 8}),
		"memory":  elaborate(t, simtest.Memory{Depth: 13, Width: 70}),
		"keepers": elaborate(t, keepers{3}),
		"tags":    elaborate(t, simtest.Tags{Bits: 256, Number: 65}),
		"rv32i":   elaborate(t, rv32i.Core{}),
		"crc":     elaborate(t, crc.CRC32C{Bytes: 11}),
		"rows":    elaborate(t, simtest.Memory{Depth: 16, Width: 512}),
		"ring":    elaborate(t, ring{}),
	}
	for _, w := range []int{33, 64, 130} {
		designs[fmt.Sprintf("w%d", w)] = elaborate(t, simtest.Operators{Width: w, Len: 3, Amount: 9})
	}
	copiesLockstep(t, designs, 64, 30)
}

// Numbers of copies in and beyond a word, of random designs.
func TestNumbersOfCopies(t *testing.T) {
	for seed, n := range []int{2, 20, 128} {
		copiesLockstep(t, map[string]*ir.Design{"random": irgen.Random(uint64(seed), irgen.Small)}, n, 20)
	}
}

// What cannot be run in copies is refused.
func TestNoCopies(t *testing.T) {
	d := elaborate(t, rv32i.Core{})
	for n, want := range map[int]string{
		1:    "gosim: 1 copies; there can be 2 to 64, or a multiple of 64 up to 1024",
		100:  "gosim: 100 copies; there can be 2 to 64, or a multiple of 64 up to 1024",
		2048: "gosim: 2048 copies; there can be 2 to 64, or a multiple of 64 up to 1024",
	} {
		_, err := gosim.GenerateCopies(d, n, "cores")
		require.EqualError(t, err, want)
	}
}

// ring has registers that take each other's values, and others that follow them.
type ring struct{}

type ringPorts struct{ Load, Value, A, B, Last hw.Bits }

func (ring) Build(m *hw.Module) ringPorts {
	io := ringPorts{Load: m.In("load", 1), Value: m.In("value", 9), A: m.Out("a", 9), B: m.Out("b", 9), Last: m.Out("last", 9)}
	a, b, c := m.Reg("ra", 9, 1), m.Reg("rb", 9, 2), m.Reg("rc", 9, 3)
	follower, last := m.Reg("follower", 9, 4), m.Reg("r_last", 9, 5)
	a.Set(b)
	b.Set(c)
	c.Set(a)
	follower.Set(a)
	m.When(io.Load, func() { last.Set(follower) })
	m.When(io.Load.And(io.Value.Bit(0)), func() { c.Set(io.Value) })
	io.A.Set(a)
	io.B.Set(b)
	io.Last.Set(last)
	return io
}
