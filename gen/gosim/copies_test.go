package gosim_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/examples/foreign"
	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/crc"
	"github.com/hotline-rtl/hotline/hw/random"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// copiesRunner compares a batch of instances with single runs of the interpreter. Each instance has
// its own random inputs. The runner compares ports and all registers in every cycle, memories at
// the end, and the messages of failed assertions.
const copiesRunner = `package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"

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
	failed string
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
			s.failed = broken(s.Step())
		}
		failed := make([]string, len(singles))
		if err := m.Step(); err != nil {
			for _, x := range err.(sim.Failures) {
				failed[x.Copy] += broken(&x.AssertionError)
			}
		}
		for i, s := range singles {
			if s.failed != failed[i] {
				return fmt.Errorf("cycle %%d, copy %%d: %%q, want %%q", c, i, failed[i], s.failed)
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

// broken is an assertion that fails, without its place in the source, which models do not know.
func broken(err error) string {
	if err == nil {
		return ""
	}
	x := *err.(*sim.AssertionError)
	x.Pos = ir.Pos{}
	return x.Error()
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

// engine is a model that has all inputs of many cycles played.
type engine[In any] interface {
	sim.Copies
	Play([]In) error
}

// recorder notes the inputs of a model in each cycle, and what failed.
type recorder[In any] struct {
	model, other engine[In]
	in           func() *In
	inputs       []In
	failed       sim.Failures
}

func (r *recorder[In]) Copies() int         { return r.model.Copies() }
func (r *recorder[In]) Copy(i int) sim.Copy { return r.model.Copy(i) }
func (r *recorder[In]) Cycle() uint64       { return r.model.Cycle() }

func (r *recorder[In]) Step() error {
	r.inputs = append(r.inputs, *r.in())
	err := r.model.Step()
	if now, ok := err.(sim.Failures); ok {
		r.failed = r.failed.Join(now)
	}
	return err
}

// play has another model play all of that.
func (r *recorder[In]) play() error {
	for i := range r.Copies() {
		sim.PowerUp(r.other.Copy(i), uint64(i))
	}
	err := r.other.Play(r.inputs)
	if failed, _ := err.(sim.Failures); !reflect.DeepEqual(failed, r.failed) || (err == nil) != (r.failed == nil) {
		return fmt.Errorf("played at once, %%v, want %%v", err, r.failed)
	}
	for i, x := range r.model.Copy(0).State() {
		for k := range r.Copies() {
			for w := range max(1, x.Depth) {
				if a, b := slices.Clone(r.Copy(k).Read(i, w)), r.other.Copy(k).Read(i, w); !slices.Equal(a, b) {
					return fmt.Errorf("copy %%d: %%s, word %%d, is %%x when played at once, want %%x", k, x.Path, w, b, a)
				}
			}
		}
	}
	return nil
}

func try[In any](name string, l model.Level, r *recorder[In]) (failed bool) {
	cycles, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = compare(os.Args[1]+"/"+name+".ir", cycles, r)
	}
	if err == nil {
		err = r.play()
	}
	if err != nil {
		fmt.Printf("%%s, %%s: %%v\n", name, l, err)
	}
	return err != nil
}

// main takes a folder with designs and a number of cycles.
func main() {
	failed, levels := false, model.Levels()
%s	if failed {
		os.Exit(1)
	}
}
`

// copiesLockstep runs batches of instances of designs in lock-step with single runs, with and
// without vectors.
func copiesLockstep(t *testing.T, designs map[string]*ir.Design, n, cycles int) {
	dir := t.TempDir()
	require.NoError(t, compiled.Workspace(dir))
	var imports, calls strings.Builder
	for name, d := range designs {
		require.NoError(t, gosim.WriteCopies(filepath.Join(dir, name), d, n, name))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".ir"), []byte(d.String()), 0o644))
		fmt.Fprintf(&imports, "\t%q\n", compiled.Below+"/"+name)
		for _, everything := range []bool{false, true} {
			fmt.Fprintf(&calls, "\tfor _, l := range levels {\n")
			fmt.Fprintf(&calls, "\t\tm, other := %[1]s.New(%[1]s.Options{Everything: %[2]t, Level: l}), %[1]s.New(%[1]s.Options{Level: l})\n", name, everything)
			fmt.Fprintf(&calls, "\t\tfailed = try(%q, l, &recorder[%[1]s.In]{model: m, other: other, in: func() *%[1]s.In { return m.In }}) || failed\n\t}\n", name)
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), fmt.Appendf(nil, copiesRunner, imports.String(), calls.String()), 0o644))
	build := exec.Command("go", "build", "-o", "run", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(filepath.Join(dir, "run"), dir, strconv.Itoa(cycles)).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestCopiesOfParts runs every operator, on one word and on several; memories, conditional resets,
// and a core.
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
		"seldom":  elaborate(t, seldom{}),
		"alike":   elaborate(t, alike{}),
		"raised":  elaborate(t, raised{}),
		"zeros":   zeros(t),
		"random":  random.Random(9010, random.Small),
		"large":   large(t),
		"nested":  elaborate(t, nested{}),
		"chain":   chain(t),
	}
	for _, w := range []int{33, 64, 130} {
		designs[fmt.Sprintf("w%d", w)] = elaborate(t, simtest.Operators{Width: w, Len: 3, Amount: 9})
	}
	chosen := map[string]*ir.Design{}
	for _, name := range some(slices.Sorted(maps.Keys(designs))...) {
		chosen[name] = designs[name]
	}
	copiesLockstep(t, chosen, 64, 30)
}

// chain returns a design in which a memory reads a word of another memory in the cycle that changes
// the word. Both have words of 500 bits, and addresses beyond the last word.
func chain(t *testing.T) *ir.Design {
	d, err := ir.Parse("chain.ir", `module chain clock {
  input on : 1
  input at : 2
  input x : 500
  output z : 500
  mem first : 3x500
  mem second : 3x500
  when on {
    first[at] = x
    second[at] = first[at]
  }
  z = second[at]
}
`)
	require.NoError(t, err)
	return d
}

// large returns a design with more registers than the first-level cache has bytes. Its outputs are
// in another order than its registers.
func large(t *testing.T) *ir.Design {
	const n = 80
	text := "module many clock {\n  input in : 64\n"
	for i := range n / 8 {
		text += fmt.Sprintf("  output q%d : 64\n", i)
	}
	text += "  reg r0 : 64\n  r0 = in\n"
	for i := 1; i < n; i++ {
		text += fmt.Sprintf("  reg r%d : 64\n  r%[1]d = add(r%[2]d, in)\n", i, i-1)
	}
	for i := range n / 8 {
		text += fmt.Sprintf("  q%d = r%d\n", i, n-1-8*i)
	}
	d, err := ir.Parse("large.ir", text+"}\n")
	require.NoError(t, err)
	return d
}

// zeros returns a design that counts the leading zeros of words of 16 and 40 bits. The words have
// few bits set or none, and the design reports none in two ways.
func zeros(t *testing.T) *ir.Design {
	count := func(of string, width, none int) string {
		text := fmt.Sprintf("7'd%d", none)
		for bit := range width {
			text = fmt.Sprintf("mux(%s[%d:%[2]d], 7'd%d, %s)", of, bit, width-1-bit, text)
		}
		return text
	}
	d, err := ir.Parse("zeros.ir", fmt.Sprintf(`module zeros clock {
  input a : 40
  input b : 40
  input few : 6
  output narrow : 7
  output wide : 7
  reg x : 16
  reg y : 40
  x = shru(and(a[15:0], b[15:0]), few)
  y = shru(and(a, b), few)
  narrow = %s
  wide = %s
}
`, count("x", 16, 16), count("y", 40, 47)))
	require.NoError(t, err)
	return d
}

// TestNumbersOfCopies runs batches of several sizes of random designs whose assertions sometimes
// fail.
func TestNumbersOfCopies(t *testing.T) {
	failing := random.Small
	failing.Fail = true
	for seed, n := range map[uint64]int{0: 2, 4: 20, 2: 64} {
		copiesLockstep(t, map[string]*ir.Design{"random": random.Random(seed, failing)}, n, 20)
	}
}

// TestNoCopies: a design that cannot run as a batch of instances is rejected.
func TestNoCopies(t *testing.T) {
	d := elaborate(t, rv32i.Core{})
	for n, want := range map[int]string{
		1:   "gosim: 1 copies; there can be 2 to 64 in a model, and any number in a batch of models",
		65:  "gosim: 65 copies; there can be 2 to 64 in a model, and any number in a batch of models",
		128: "gosim: 128 copies; there can be 2 to 64 in a model, and any number in a batch of models",
	} {
		_, err := gosim.GenerateCopies(d, n, "cores")
		require.EqualError(t, err, want)
	}
	_, err := gosim.GenerateCopies(elaborate(t, foreign.Dot{Lanes: 2, Width: 8}), 4, "dots")
	require.ErrorContains(t, err, "is a black box, which a batch of instances cannot contain")
}

// TestPortsOfCopies: ports are arrays whose last index is the instance, after the element of a
// vector and the word of a wide value.
func TestPortsOfCopies(t *testing.T) {
	for in, want := range map[string]string{
		"1": "bool", "8": "uint8", "9": "uint16", "33": "uint64", "65": "[2]uint64",
		"3x1": "[3]bool", "3x9": "[3]uint16", "3x130": "[3][3]uint64",
	} {
		d, err := ir.Parse("port.ir", "module port {\n  input in : "+in+"\n  output out : "+in+"\n  out = in\n}\n")
		require.NoError(t, err)
		files, err := gosim.GenerateCopies(d, 5, "port")
		require.NoError(t, err)
		at := strings.LastIndex(want, "]") + 1
		for _, name := range []string{"In", "Out"} {
			require.Regexp(t, `(?m)^\t`+name+` +`+regexp.QuoteMeta(want[:at]+"[Copies]"+want[at:])+" ", texts(files), in)
		}
	}
}

// texts concatenates the texts of files.
func texts(files []gosim.File) (out string) {
	for _, f := range files {
		out += f.Text
	}
	return out
}

// TestCyclesInKernels: kernels process whole cycles, unless the instances do not fill vectors of
// the widest words or the design needs operations that kernels lack.
func TestCyclesInKernels(t *testing.T) {
	for _, c := range []struct {
		n     int
		width int
		value string
		want  bool
	}{
		{64, 8, "add(q, in)", true},
		{20, 8, "add(q, in)", false},
		{8, 64, "add(q, in)", true},
		{12, 64, "add(q, in)", false},
		{64, 64, "mul(q, in)", true},
		{64, 65, "mul(q, in)", false},
		{64, 8, "divu(q, in)", false},
		{64, 8, "modu(q, in)", false},
	} {
		d, err := ir.Parse("one.ir", fmt.Sprintf("module one clock reset {\n  input in : %d\n  output out : %[1]d\n  reg q : %[1]d reset %[1]d'd0\n  q = %s\n  out = q\n}\n", c.width, c.value))
		require.NoError(t, err)
		files, err := gosim.GenerateCopies(d, c.n, "one")
		require.NoError(t, err)
		require.Equal(t, c.want, strings.Contains(texts(files), "inBlocks"), c)
	}
}

// ring has registers that exchange their values cyclically, and registers that follow them.
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

// TestAlikeInCopies: lanes that do the same share one kernel.
func TestAlikeInCopies(t *testing.T) {
	files, err := gosim.GenerateCopies(elaborate(t, alike{}), 64, "alike")
	require.NoError(t, err)
	require.True(t, strings.Contains(texts(files), "roundAVX512:"))
}

// alike has lanes that do the same, and two more lanes in halves of a word each. They have a common
// operand and registers in a ring. The outputs use another order than the clock edge.
type alike struct{}

type alikePorts struct{ Own, Common, Step, Sum hw.Bits }

func (alike) Build(m *hw.Module) alikePorts {
	io := alikePorts{Own: m.In("own", 256), Common: m.In("common", 32), Step: m.In("step", 1), Sum: m.Out("sum", 256)}
	own := m.Reg("own_then", 256, 0)
	own.Set(io.Own)
	words, sums := own.Unpack(32), m.WireVec("sums", 8, 32)
	m.For("lane", 8, func(i hw.Index) {
		u := hw.Inst(m, "alu", alikeLane{})
		u.Own.Set(words.At(i))
		u.Common.Set(io.Common)
		u.Step.Set(io.Step)
		sums.At(i.Times(-1).Plus(7)).Set(u.Sum)
	})
	io.Sum.Set(sums.Pack())
	return io
}

// alikeLane is a lane of alike.
type alikeLane struct{}

type alikeLanePorts struct {
	Own    hw.Bits `hw:"in,32"`
	Common hw.Bits `hw:"in,32"`
	Step   hw.Bits `hw:"in"`
	Sum    hw.Bits `hw:"out,32"`
}

func (alikeLane) Build(m *hw.Module) alikeLanePorts {
	io := hw.Ports[alikeLanePorts](m)
	then := func(name string, x hw.Bits) hw.Bits {
		r := m.Data(name, x.Width())
		r.Set(x)
		return r
	}
	up := then("up", io.Own.Bit(3).Xor(io.Step))
	x := then("x", hw.Mux(up, io.Own.Add(io.Common), io.Own.Mul(io.Common)))
	y := then("y", hw.Mux(x.Lt(io.Common), hw.Cat(x.Slice(6, 0), x.Slice(31, 7)), x.Xor(io.Own)))
	z := m.Data("z", 32)
	m.When(up, func() { z.Set(y.Sub(z)) })
	w := then("w", z)
	io.Sum.Set(z.Add(w).Xor(x).Sub(y))
	return io
}

// raised has slices of values with zeros in their low bits that are shifted to the right, also by
// more than the number of zeros, in words of all sizes.
type raised struct{}

type raisedPorts struct{ X, By, Slices hw.Bits }

func (raised) Build(m *hw.Module) raisedPorts {
	io := raisedPorts{X: m.In("x", 64), By: m.In("by", 8)}
	var list []hw.Bits
	for _, c := range []struct{ x, zeros, by int }{{27, 31, 5}, {20, 40, 5}, {20, 40, 6}, {9, 15, 4}, {9, 15, 5}, {8, 8, 3}, {60, 63, 6}, {60, 64, 6}, {64, 70, 8}, {1, 40, 5}} {
		v := hw.Cat(io.X.Trunc(c.x), hw.Zeros(c.zeros)).Shr(io.By.Trunc(c.by))
		top := v.Width() - 1
		list = append(list, v.Slice(top, c.zeros), v.Slice(top, top), v.Slice(c.zeros, c.zeros), v.Slice(c.zeros, c.zeros-1),
			v.Slice(c.zeros-1, c.zeros-1), v.Slice(c.zeros-1, 0), v.Slice(c.zeros-2, 3), v.Slice(min(c.zeros, 31), 0), v.Slice(5, 5))
	}
	all := hw.Cat(list...)
	io.Slices = m.Out("slices", all.Width())
	io.Slices.Set(all)
	return io
}

// nested has slices within slices of an input, a register, a sum and a product.
type nested struct{}

type nestedPorts struct{ X, Slices hw.Bits }

func (nested) Build(m *hw.Module) nestedPorts {
	io := nestedPorts{X: m.In("x", 64)}
	r := m.Reg("r", 64, 0)
	sum := r.Add(io.X)
	r.Set(sum)
	var list []hw.Bits
	for _, v := range []hw.Bits{io.X, r, sum, r.Mul(io.X)} {
		for _, at := range [][2]int{{40, 33}, {39, 34}, {33, 33}, {58, 44}, {50, 45}, {49, 48}, {61, 30}, {52, 52}, {15, 0}, {15, 15}} {
			list = append(list, v.Slice(at[0], at[1]))
		}
	}
	all := hw.Cat(list...)
	io.Slices = m.Out("slices", all.Width())
	io.Slices.Set(all)
	return io
}

// seldom has registers that take values computed only for them in one of 32 cycles: bytes first,
// then words. Another register takes such a sum in that cycle and something else in other cycles.
type seldom struct{}

type seldomPorts struct{ On, X, Sum hw.Bits }

func (seldom) Build(m *hw.Module) seldomPorts {
	io := seldomPorts{On: m.In("on", 5), X: m.In("x", 8), Sum: m.Out("sum", 64)}
	var words []hw.Bits
	sum := hw.Zeros(64)
	for i := range 8 {
		words = append(words, m.Reg(fmt.Sprint("word", i), 64, uint64(i)))
		sum = sum.Xor(words[i])
	}
	m.When(io.On.Eq(hw.K(0)), func() {
		x := io.X
		for i, w := range words {
			x = x.Add(io.X.Xor(hw.K(uint64(i))))
			w.Set(words[(i+1)%8].Add(x.Ext(64)).Xor(w))
		}
	})
	mixed := m.Reg("mixed", 64, 0)
	last := mixed
	for i, w := range words {
		last = last.Add(w).Xor(words[(i+3)%8])
	}
	mixed.Set(hw.Mux(io.On.Eq(hw.K(3)), last, mixed.Add(io.X.Ext(64))))
	io.Sum.Set(sum.Xor(mixed))
	return io
}
