package gosim_test

import (
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
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// runner compares models with the interpreter, with and without skipping. It compares ports and all
// registers in every cycle, the recorded values, whether nothing would change, and memories at the
// end. The state is random at the start, and again in the middle of the run. At random times,
// models run a detour and return to a snapshot.
const runner = `package main

import (
	"encoding"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/wave"
%s)

// recorded is the number of cycles in which what a model records is compared.
const recorded = 100

func compare(name string, seed uint64, skips bool, m sim.Simulator) error {
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
	memories := slices.ContainsFunc(reference.State(), func(s sim.State) bool { return s.Depth > 0 })
	f := sim.NewFormat(l.Ports())
	s := sim.Random(f, seed)
	quiet, could, did := 0, 0, 0
	seen := mirror{}
	if err := m.(interface{ Record(wave.Recorder) error }).Record(&seen); err != nil {
		return err
	}
	for c := range %d {
		if c == 99 {
			sim.PowerUp(reference, seed+2)
			sim.PowerUp(m.(sim.Writable), seed+2)
			l.SetReset(true)
			if err := l.Step(); err != nil {
				return err
			}
		}
		before := registers(reference, c < recorded)
		if err := sim.Drive(l, s, 1); err != nil {
			return err
		}
		for path, want := range before {
			if seen.values[path] != want {
				return fmt.Errorf("cycle %%d: recorded %%s of %%s, want %%s", c, seen.values[path], path, want)
			}
		}
		if c%%7 == 3 {
			if err := detour(m, f, seed, c%%2 == 0); err != nil {
				return err
			}
		}
		if m.Quiet() != reference.Quiet() && !memories { // two ports may write one word, one in vain
			return fmt.Errorf("cycle %%d: quiet %%t, want %%t", c, m.Quiet(), reference.Quiet())
		}
		if m.Quiet() {
			before := dump(reference)
			for range 2 { // the second edge follows one that changed nothing
				if err := l.Step(); err != nil {
					return err
				}
			}
			if dump(reference) != before {
				return fmt.Errorf("cycle %%d: quiet, but something changed", c)
			}
			if skips && idles(m) {
				could++
				if !busy(m) {
					did++
				}
			}
			quiet++
		}
	}
	if quiet == 0 && !reference.Quiet() {
		fmt.Println(name, "was never quiet")
	}
	if could > 0 && did == 0 {
		return fmt.Errorf("nothing changed in %%d cycles, but something was evaluated in all of them", could)
	}
	if err := frames(m, f, seed); err != nil {
		return err
	}
	return l.CompareMemories()
}

// detour takes a snapshot, lets m do something else and goes back to it, as it is or by
// way of bytes.
func detour(m sim.Simulator, f *sim.Format, seed uint64, bytes bool) error {
	v := reflect.ValueOf(m)
	x := v.MethodByName("Snapshot").Call(nil)[0]
	if bytes {
		data, err := x.Interface().(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			return err
		}
		x = reflect.New(x.Type().Elem())
		if err := x.Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(data); err != nil {
			return err
		}
	}
	s, in := sim.Random(f, seed+1), make([]uint64, f.InWords)
	for range 5 {
		if err := s.Next(in); err != nil {
			return err
		}
		m.(sim.Framed).SetFrame(in)
		_ = m.Step() // what else happens may break what the design assumes
	}
	m.Quiet() // evaluates, so that nothing waits for that which did before
	v.MethodByName("Restore").Call([]reflect.Value{x})
	return nil
}

// frames compares taking inputs and giving outputs in frames with doing so port by
// port.
func frames(m sim.Simulator, f *sim.Format, seed uint64) error {
	s := sim.Random(f, seed)
	in, out := make([]uint64, f.InWords), make([]uint64, f.OutWords)
	for i := range out {
		out[i] = ^uint64(0) // which nothing of may be left
	}
	for range 5 {
		if err := s.Next(in); err != nil {
			return err
		}
		m.(sim.Framed).SetFrame(in)
		m.(sim.Framed).GetFrame(out)
		for _, side := range []struct {
			fields []sim.Field
			frame  []uint64
		}{{f.In, in}, {f.Out, out}} {
			for _, x := range side.fields {
				value := make([]uint64, x.Words)
				if m.Get(x.Port, value); !slices.Equal(value, x.Of(side.frame)) {
					return fmt.Errorf("port %%s is %%x, %%x in a frame", f.Ports[x.Port].Name, value, x.Of(side.frame))
				}
			}
		}
		if reset := reflect.ValueOf(m).Elem().FieldByName("Reset").Bool(); reset != (in[0]&1 != 0) {
			return fmt.Errorf("reset is %%t, %%d in a frame", reset, in[0])
		}
	}
	return nil
}

// registers are the values of those of s as text, if they are wanted.
func registers(s sim.Inspector, wanted bool) map[string]string {
	values := map[string]string{}
	for i, x := range s.State() {
		if wanted && x.Depth == 0 {
			values[x.Path] = fmt.Sprint(s.Read(i, 0))
		}
	}
	return values
}

// mirror is a recorder of the present values.
type mirror struct {
	paths  []string
	values map[string]string
}

func (m *mirror) Begin(_ string, signals []wave.Signal) error {
	m.values = map[string]string{}
	for _, s := range signals {
		m.paths = append(m.paths, strings.Join(s.Path, "."))
	}
	return nil
}

func (m *mirror) Cycle(uint64) {}

func (m *mirror) Change(i int, x []uint64) { m.values[m.paths[i]] = fmt.Sprint(x) }

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

// idles tells whether m can evaluate nothing at all: not the single unit of a small
// design, which keeps its last inputs, nor what a reset sets.
func idles(m sim.Simulator) bool {
	model := reflect.ValueOf(m).Elem()
	last := model.FieldByName("last")
	return !model.FieldByName("Reset").Bool() && !(last.IsValid() && last.Type().Name() == "In")
}

// busy tells whether m has units to evaluate.
func busy(m sim.Simulator) bool { return !reflect.ValueOf(m).Elem().FieldByName("dirty").IsZero() }

func main() {
	failed := false
	try := func(name string, seed uint64, skips bool, l model.Level, m sim.Simulator) {
		if err := compare(os.Args[1]+"/"+name+".ir", seed, skips, m); err != nil {
			fmt.Printf("%%s at level %%s: %%v\n", name, l, err)
			failed = true
		}
	}
%s	if failed {
		os.Exit(1)
	}
}
`

// lockstep generates and builds a model of each design, and runs the models in lock-step with the
// interpreter, on each target.
func lockstep(t *testing.T, designs map[string]*ir.Design, cycles int) {
	dir := t.TempDir()
	require.NoError(t, compiled.Workspace(dir))
	var imports, calls strings.Builder
	for name, d := range designs {
		require.NoError(t, gosim.Write(filepath.Join(dir, name), d, name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".ir"), []byte(d.String()), 0o644))
		fmt.Fprintf(&imports, "\t%q\n", compiled.Below+"/"+name)
		fmt.Fprintf(&calls, "\tfor _, l := range model.Levels() {\n")
		for seed, everything := range []bool{false, true} {
			fmt.Fprintf(&calls, "\t\ttry(%q, %d, %t, l, %s.New(%s.Options{Everything: %t, Level: l}))\n", name, seed+1, !everything, name, name, everything)
		}
		fmt.Fprintf(&calls, "\t}\n")
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, runner, imports.String(), cycles, calls.String()), 0o644))
	build := exec.Command("go", "build", "-o", "run", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
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

// some returns the list, or every third element with -short.
func some[T any](list ...T) (out []T) {
	for i, x := range list {
		if !testing.Short() || i%3 == 0 {
			out = append(out, x)
		}
	}
	return out
}

func TestOperators(t *testing.T) {
	designs := map[string]*ir.Design{}
	for _, w := range some(1, 2, 31, 32, 63, 64, 65, 127, 128, 130, 200) {
		designs[fmt.Sprintf("w%d", w)] = elaborate(t, simtest.Operators{Width: w, Len: 3, Amount: 9})
	}
	designs["long"] = elaborate(t, simtest.Operators{Width: 8, Len: 70, Amount: 3})
	designs["bits"] = elaborate(t, simtest.Operators{Width: 1, Len: 130, Amount: 70})
	lockstep(t, designs, 300)
}

// TestLanes runs lanes of all sizes, with numbers of lanes within and beyond a word.
func TestLanes(t *testing.T) {
	designs := map[string]*ir.Design{}
	for _, w := range some(2, 7, 8, 13, 16, 31, 32, 33, 64, 70) {
		for _, n := range some(8, 20, 64, 128) {
			if w <= 16 || n == 8 || n == 64 {
				designs[fmt.Sprintf("l%dw%d", n, w)] = elaborate(t, simtest.Lanes{Lanes: n, Width: w})
			}
		}
	}
	lockstep(t, designs, 200)
}

// TestTags runs bit maps within and beyond a word, indexed by numbers that always fit, and wide
// registers that hold their values.
func TestTags(t *testing.T) {
	designs := map[string]*ir.Design{}
	sizes := [][2]int{{4, 2}, {13, 4}, {33, 5}, {40, 6}, {64, 6}, {64, 7}, {64, 64}, {65, 7}, {100, 6}, {128, 7}, {128, 8}, {192, 8}, {256, 8}, {256, 65}}
	for _, x := range some(sizes...) {
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

// TestChoices runs choices among many numbers, one of which occurs twice.
func TestChoices(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("plan", "testdata", "passes", "choices.txt"))
	require.NoError(t, err)
	design, _, _ := strings.Cut(string(text), "\n-- before --")
	d, err := ir.Parse("choices.txt", design)
	require.NoError(t, err)
	lockstep(t, map[string]*ir.Design{"choices": d}, 1000)
}

// TestResets runs instances with conditional resets, in numbers of lanes within and beyond a word.
func TestResets(t *testing.T) {
	designs := map[string]*ir.Design{}
	for _, n := range []int{1, 8, 64, 70} {
		designs[fmt.Sprintf("l%d", n)] = elaborate(t, simtest.Resets{Lanes: n})
		designs[fmt.Sprintf("k%d", n)] = elaborate(t, keepers{n})
	}
	lockstep(t, designs, 1000)
}

// keepers has instances that hold values, seldom take new values, and are often in reset: by
// inputs, by a register, and by a condition for each lane.
type keepers struct{ Lanes int }

type keepersPorts struct {
	Each, Whole, Take hw.Bits
	Value             hw.Vec
}

func (p keepers) Build(m *hw.Module) keepersPorts {
	io := keepersPorts{Each: m.In("each", p.Lanes), Whole: m.In("whole", 4), Take: m.In("take", 3), Value: m.OutVec("value", 2+p.Lanes, 79)}
	armed, x := m.Reg("armed", 1, 0), m.Data("x", 4)
	armed.Set(io.Take.Ge(hw.K(3)))
	m.When(io.Take.Eq(hw.K(0)), func() { x.Set(io.Whole) })
	connect := func(k keeperPorts, at hw.Index) {
		k.Take.Set(io.Take.Eq(hw.K(5)))
		k.X.Set(x)
		io.Value.At(at).Set(k.Value)
	}
	connect(hw.InstReset(m, "of_input", keeper{}, io.Whole.Le(hw.K(9))), hw.At(0))
	connect(hw.InstReset(m, "of_register", keeper{}, armed), hw.At(1))
	m.For("lane", p.Lanes, func(l hw.Index) {
		connect(hw.InstReset(m, "keeper", keeper{}, io.Each.Unpack(1).At(l).And(armed)), l.Plus(2))
	})
	return io
}

type keeper struct{}

type keeperPorts struct{ Take, X, Value hw.Bits }

func (keeper) Build(m *hw.Module) keeperPorts {
	io := keeperPorts{m.In("take", 1), m.In("x", 4), m.Out("value", 79)}
	last, bit, small, wide := m.Reg("last_q", 4, 6), m.Reg("bit_q", 1, 1), m.Reg("small_q", 4, 9), m.Reg("wide_q", 70, 77)
	last.Set(io.X)
	m.When(io.Take, func() {
		bit.Set(io.X.Bit(1))
		small.Set(io.X)
		wide.Set(wide.Add(io.X.Ext(70)))
	})
	io.Value.Set(hw.Cat(last, bit, small, wide))
	return io
}

func TestRandomDesigns(t *testing.T) {
	designs := map[string]*ir.Design{}
	for seed := range uint64(12) {
		designs[fmt.Sprintf("r%d", seed)] = random.Random(seed, random.Small)
	}
	lockstep(t, designs, 300)
}
