package kernel_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx2"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx512"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// fieldBytes is the size of each field of the structures that random kernels work on.
const fieldBytes, fields = 2304, 24

// random generates random kernels. They read fields v0 to v5 and write each other field once.
type random struct {
	*rand.Rand
	k            *Kernel
	words, masks []Value
	mixed        bool // there are words of several sizes
	away         bool // it reads fields through a pointer, and reports no changes
}

// kernel returns a kernel of about n instructions.
func (r *random) kernel(name string, lanes, size, n int) *Kernel {
	r.k, r.words, r.masks = New(name, lanes, size), nil, nil
	r.k.Doc, r.k.Lines = name, r.away
	if r.IntN(3) == 0 {
		r.k.Mask, r.k.Masked = Place{Field: "v5", Bytes: 8 * r.IntN(4)}, true
	}
	for range 3 {
		r.word()
		r.mask()
	}
	for range n {
		if r.IntN(3) == 0 {
			r.mask()
		} else {
			r.word()
		}
	}
	words := 1 + r.IntN(3) // to a mask
	last := fields
	if size >= 32 && r.IntN(3) == 0 {
		last--
	}
	for f := 6; f < last; f++ {
		if r.mixed && !r.k.Masked && r.IntN(8) == 0 {
			r.within(f)
		} else {
			r.store(f, r.IntN(1+words) == 0)
		}
	}
	switch {
	case last == fields:
	case r.IntN(2) == 0 && r.mixed && size == 64 && !r.k.Masked:
		r.row(last)
	case r.IntN(2) == 0 && !r.k.Masked:
		r.scatter(last)
	default:
		r.copy(last)
	}
	return r.k
}

func (r *random) any(list []Value) Value { return list[r.IntN(len(list))] }

// from returns a random place to read words of at most the kernel's size.
func (r *random) from() Place {
	size := 8 << r.IntN(4)
	at := Place{Field: fmt.Sprintf("v%d", r.IntN(6)), Bytes: r.IntN(64), Size: min(size, r.k.Size)}
	if r.away && r.IntN(2) == 0 {
		at.Part, at.Away = "In", true
	}
	return at
}

// group returns the group of changes of a store, or -1 for none.
func (r *random) group() int {
	if r.away {
		return -1
	}
	return r.IntN(24) - 1
}

// numbers returns a number below n for each lane: in a pattern of real designs, or any.
func (r *random) numbers(n int) []int {
	out := make([]int, r.k.Lanes)
	div, mul, add := 1<<r.IntN(4), 1<<r.IntN(4), r.IntN(n)
	if r.IntN(4) == 0 {
		mul *= 3
	}
	anyhow := r.IntN(3) == 0
	if r.IntN(2) == 0 {
		add = 0
	}
	for l := range out {
		if out[l] = (l/div*mul + add) % n; anyhow {
			out[l] = r.IntN(n)
		}
	}
	return out
}

func (r *random) word() {
	k := r.k
	var x Value
	sources := len(r.words) < 3
	if r.mixed && !sources && r.IntN(3) == 0 {
		r.words = append(r.words, r.narrow())
		return
	}
	switch pick := r.IntN(21); {
	case pick == 0:
		x = k.Const(r.Uint64())
	case pick == 1:
		x = k.Table(r.numbers(200))
	case pick == 2 || sources && pick%2 == 0:
		x = k.Load(r.from())
	case pick == 3 || sources:
		x = k.Pick(r.from(), r.numbers(256))
	case pick < 9:
		ops := []Op{Add, Sub, And, Or, Xor}
		x = k.Do(ops[pick-4], r.any(r.words), r.any(r.words))
	case pick < 13 && k.Size > 8:
		ops := []Op{Mul, ShlBy, ShrBy, SarBy}
		by := r.any(r.words)
		if pick > 9 && r.IntN(2) == 0 {
			by = k.And(by, uint64(2*k.Size-1))
		}
		x = k.Do(ops[pick-9], r.any(r.words), by)
	case pick == 13 && r.mixed && k.Size >= 32 && len(r.words)%2 == 0:
		x = k.Do(LeadingZeros, r.any(r.words))
	case pick == 13:
		x = k.Do(Count, r.any(r.words))
	case pick == 14:
		x = k.Shift(r.any(r.words), r.IntN(2*k.Size-1)-k.Size+1)
	case pick == 15:
		x = k.Keep(r.any(r.masks), r.any(r.words))
	case pick == 17 && r.mixed && k.Size == 64:
		x = k.Parities([]Value{r.any(r.words), r.any(r.words), r.any(r.words)}, matrix(1+r.IntN(64), 3))
	case pick == 18 && r.mixed && k.Size == 64:
		x = k.Row(Place{Field: "v1", Bytes: r.IntN(64), Size: 64}, k.And(r.any(r.words), 1023), r.IntN(RowWords))
	case pick == 19:
		x = r.cut(r.any(r.words))
	case pick == 16 && k.Size >= 32:
		x = k.Gather(r.from(), k.And(r.any(r.words), 1023), r.any(r.masks))
	default:
		x = k.Do(Blend, r.any(r.masks), r.any(r.words), r.any(r.words))
	}
	r.words = append(r.words, x)
}

// cut cuts and moves bits of x several times, like slices of slices.
func (r *random) cut(x Value) Value {
	k := r.k
	for range 1 + r.IntN(5) {
		switch op := []Op{And, And, And, Shl, Shl, ShrBy, Or, Xor, Add, Sub}[r.IntN(10)]; {
		case op == And:
			x = k.And(x, r.run())
		case op == Shl:
			x = k.Shift(x, r.IntN(2*k.Size-1)-k.Size+1)
		case op != ShrBy || k.Size > 8:
			x = k.Do(op, x, k.Const(r.run()))
		}
	}
	return x
}

// run returns a word with a contiguous range of bits set.
func (r *random) run() uint64 { return ^uint64(0) >> r.IntN(64) << r.IntN(64) }

// narrow returns an operation on shorter words.
func (r *random) narrow() Value {
	k := r.k
	k.Size = r.size()
	x, y := r.cut(k.Resize(r.any(r.words))), k.Load(Place{Field: "v2", Bytes: r.IntN(64), Size: k.Size})
	less := k.Do(Less, x, y)
	r.masks = append(r.masks, less, k.Test(x, 3), k.Do(Equal, x, k.Const(0)))
	x = k.Do(Blend, less, k.Do(Add, k.Shift(x, r.IntN(2*k.Size-1)-k.Size+1), y), k.Do(Xor, x, k.Const(r.Uint64())))
	k.Size = k.Widest
	return k.Resize(x)
}

// size returns a random size of words that the kernel has.
func (r *random) size() int { return 8 << r.IntN(1+bits.TrailingZeros(uint(r.k.Widest/8))) }

func (r *random) mask() {
	k := r.k
	var x Value
	switch pick := r.IntN(13); {
	case pick == 0 || len(r.masks) < 2:
		x = k.LoadMask(r.from())
	case pick == 1:
		x = k.PickMask(r.from(), r.numbers(700))
	case pick < 7:
		ops := []Op{Equal, NotEqual, Less, LessEqual, LessSigned}
		x = k.Do(ops[pick-2], r.any(r.words), r.any(r.words))
	case pick == 7:
		x = k.Test(r.any(r.words), r.Uint64()&Ones(k.Size)|1)
	case pick == 8:
		x = k.Do(MaskNot, r.any(r.masks))
	case pick == 12:
		x = k.Do(NotEqual, k.Const(0), r.any(r.words))
	default:
		ops := []Op{MaskAnd, MaskOr, MaskXor, MaskAndNot}
		x = k.Do(ops[r.IntN(4)], r.any(r.masks), r.any(r.masks))
	}
	r.masks = append(r.masks, x)
}

// store writes a mask or words to a field that nothing reads.
func (r *random) store(f int, toMask bool) {
	k, mask, group := r.k, None, r.group()
	if r.IntN(2) == 0 {
		mask = r.any(r.masks)
	}
	if k.Masked {
		own := k.LoadMask(k.Mask)
		if mask != None {
			own = k.Do(MaskAnd, own, mask)
		}
		mask = own
	}
	at := Place{Field: fmt.Sprintf("v%d", f), Bytes: r.IntN(64), Size: k.Size}
	if toMask {
		k.Store(Place{Field: at.Field, Bytes: at.Bytes}, r.any(r.masks), mask, group)
		return
	}
	if n := 2 + r.IntN(3); at.Size == 64 && k.Lanes*n*8 <= 2048 && r.IntN(3) == 0 {
		var words []Value
		for range n {
			words = append(words, r.any(r.words))
		}
		k.StoreWords(at, words, mask, r.ofSize(group))
		return
	}
	if r.mixed {
		k.Size = r.size()
		defer func() { k.Size = k.Widest }()
		at.Size = k.Size
		group = r.ofSize(group)
	}
	x := k.Resize(r.any(r.words))
	if at.Size > 8 && r.IntN(2) == 0 {
		at.Size /= 2
		x = k.And(x, 1<<at.Size-1)
	}
	k.Store(at, x, mask, group)
}

// within stores words in the lanes of a mask, which is often empty, and computes some of them only
// for that purpose.
func (r *random) within(f int) {
	k, words, masks := r.k, slices.Clone(r.words), slices.Clone(r.masks)
	mask := r.any(r.masks)
	if r.IntN(2) == 0 {
		mask = k.Do(MaskAnd, mask, k.Do(Equal, r.any(r.words), r.any(r.words)))
	}
	k.Within(mask, func() {
		for range r.IntN(50) {
			if r.IntN(3) == 0 {
				r.mask()
			} else {
				r.word()
			}
		}
		at, x := Place{Field: fmt.Sprintf("v%d", f), Bytes: r.IntN(64), Size: k.Size}, r.any(r.words)
		for range r.IntN(40) { // more values than there are registers
			x = k.Do(Add, x, r.any(r.words))
		}
		k.Store(at, x, k.Do(MaskAnd, mask, r.any(r.masks)), -1)
	})
	r.words, r.masks = words, masks
}

// ofSize returns a group that has only words of the present size, if there are several sizes.
func (r *random) ofSize(group int) int {
	if !r.mixed || group < 0 {
		return group
	}
	return (group+1)/6*6 - 1 + bits.Len(uint(r.k.Size))
}

// copy copies memory to a field that nothing reads. Several lanes may write the same bytes, one
// after the other.
func (r *random) copy(f int) {
	k, most := r.k, []uint64{15, 255, 1023}[r.IntN(3)]
	bytes := func() Value { return k.And(r.any(r.words), most) }
	at := Place{Field: fmt.Sprintf("v%d", f), Bytes: r.IntN(64), Size: []int{8, 16, 32, 64, 128, 192}[r.IntN(6)]}
	mask := r.any(r.masks)
	if k.Masked {
		mask = k.Do(MaskAnd, k.LoadMask(k.Mask), mask)
	}
	k.Copy(r.from(), bytes(), at, bytes(), mask, r.group())
}

// scatter stores words to such a field.
func (r *random) scatter(f int) {
	at := Place{Field: fmt.Sprintf("v%d", f), Bytes: r.IntN(64), Size: r.size()}
	x := r.k.And(r.any(r.words), ^uint64(0)>>(64-at.Size))
	r.k.Scatter(at, x, r.k.And(r.any(r.words), 1023), r.any(r.masks), r.group())
}

// row stores rows to such a field.
func (r *random) row(f int) {
	var words []Value
	for range RowWords {
		words = append(words, r.any(r.words))
	}
	r.k.StoreRow(Place{Field: fmt.Sprintf("v%d", f), Bytes: r.IntN(64), Size: 64}, words, r.k.And(r.any(r.words), 1023), r.any(r.masks))
}

// woven returns a kernel with a loop over lanes of several words.
func (r *random) woven(name string) *Kernel {
	n := 2 + r.IntN(2)
	k := New(name, 64, 64)
	k.Doc = name
	var words []Value
	for w := range n {
		bytes := make([]int, k.Lanes)
		for l := range bytes {
			bytes[l] = 8 * (l*n + w)
		}
		x := k.Pick(Place{Field: "v0", Bytes: r.IntN(64), Size: 64}, bytes)
		for range 10 {
			x = k.Do(Add, x, k.Const(r.Uint64()))
		}
		words = append(words, x)
	}
	k.StoreWords(Place{Field: "v6", Bytes: r.IntN(64)}, words, k.LoadMask(Place{Field: "v1"}), 0)
	return k
}

// columns returns a kernel of lanes that read words of rows, most of them or few.
func (r *random) columns(name string) *Kernel {
	k := New(name, 8<<r.IntN(3), 64)
	k.Doc = name
	at := Place{Field: "v0", Bytes: r.IntN(64), Size: 64}
	for f, word := range r.Perm(RowWords)[:3+r.IntN(6)] {
		bytes := make([]int, k.Lanes)
		for l := range bytes {
			bytes[l] = 64*l + 8*word
		}
		k.Store(Place{Field: fmt.Sprintf("v%d", 6+f), Size: 64}, k.Pick(at, bytes), None, f)
	}
	return k
}

// rounds returns a kernel of several rounds. Some of the fields that it reads restart in each
// round.
func (r *random) rounds(name string) *Kernel {
	size := 8 << r.IntN(4)
	r.k, r.words, r.masks = New(name, 64, size), nil, nil
	k, each, offset := r.k, 1+r.IntN(2), 8*r.IntN(4)
	k.Doc = name
	picked := make([]int, k.Lanes)
	for l := range picked {
		picked[l] = each * l * size / 8
	}
	for f := range 4 {
		at := Place{Field: fmt.Sprint("v", f), Bytes: offset, Size: size, Again: f%2 == 0}
		r.words = append(r.words, k.Load(at))
		r.masks = append(r.masks, k.LoadMask(at))
		r.words = append(r.words, k.Pick(at, picked))
	}
	for range 30 {
		r.words = append(r.words, k.Do(Blend, r.any(r.masks), k.Do(Add, r.any(r.words), r.any(r.words)), r.any(r.words)))
		r.masks = append(r.masks, k.Do(Less, r.any(r.words), r.any(r.words)))
	}
	for f := 6; f < fields; f += 2 {
		k.Store(Place{Field: fmt.Sprint("v", f), Size: size}, r.any(r.words), None, -1)
		k.Store(Place{Field: fmt.Sprint("v", f+1)}, r.any(r.masks), None, -1)
	}
	k.Repeat(2)
	return k
}

// The program reads the fields, and for each kernel prints what it returns and leaves.
const program = `package main

import (
	"encoding/binary"
	"io"
	"os"
	"unsafe"
)

type state struct {
%s	_ [%d]byte
}

type Model struct {
	state
	In *In
}

type In state

%s
func main() {
	var start Model
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&start)), %d)
	for {
		if _, err := io.ReadFull(os.Stdin, bytes); err != nil {
			return
		}
		for _, f := range []func(*Model) uint64{%s} {
			m := new(Model)
			*m = start
			m.In = (*In)(unsafe.Pointer(m))
			_ = binary.Write(os.Stdout, binary.LittleEndian, f(m))
			_, _ = os.Stdout.Write(unsafe.Slice((*byte)(unsafe.Pointer(m)), len(bytes)))
		}
	}
}
`

// build builds the program of functions and returns its path.
func build(t testing.TB, functions []string, a *Assembly) string {
	dir, built := simtest.ProgramFolder(t)
	if built {
		return filepath.Join(dir, "run")
	}
	var decls, list, declared strings.Builder
	for f := range fields {
		fmt.Fprintf(&decls, "\tv%d [%d]byte\n", f, fieldBytes)
	}
	for _, f := range functions {
		fmt.Fprintf(&declared, "func %s(s *Model) uint64\n\n", f)
		fmt.Fprintf(&list, "%s, ", f)
	}
	for name, text := range map[string]string{
		"go.mod":    "module kernels\n\ngo 1.25\n",
		"kernels.s": a.String(),
		"main.go":   fmt.Sprintf(program, decls.String(), Beyond, declared.String(), fields*fieldBytes, list.String()),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, args := range [][]string{{"vet", "."}, {"build", "-o", "run", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return filepath.Join(dir, "run")
}

// targets are all targets, the best first.
var targets = []Target{avx512.Target{}, avx2.Target{}}

// TestKernelsCompute compares random kernels, of all operations, shapes and sizes, with their
// definition on each target. Some have more live values than there are registers.
func TestKernelsCompute(t *testing.T) {
	for on, want := range map[Target][]string{
		avx512.Target{}: {"loopAVX512:", "(SP), Z", "(SP), K", "ORQ R8, 8(SP)", "ORQ R9, 8(SP)", "VPERMB.Z", "VPERMB", "IMUL3Q", "(R12)(CX*", "PREFETCHT0", "KORTESTB", "KORTESTQ", "roundAVX512:", "(R10*", "(R11*"},
		avx2.Target{}:   {"loopAVX2:", "(SP), Y", "ORQ R9, 8(SP)", "VPSHUFB", "VPINSR", "VINSERTI128", "VBROADCASTI128", "IMUL3Q", "(R12)"},
	} {
		t.Run(on.Name(), func(t *testing.T) { compute(t, on, want) })
	}
}

func compute(t *testing.T, on Target, want []string) {
	r := &random{Rand: rand.New(rand.NewPCG(1, 4))}
	var kernels []*Kernel
	var functions []string
	a := NewAssembly()
	seen := map[Op]int{}
	for len(kernels) < 180 {
		size := 8 << r.IntN(4)
		lanes := []int{4, 8, 16, 32, 40, 64, 128, 192, 256}[r.IntN(9)]
		r.away = r.IntN(3) == 0
		r.mixed = on.Features().Mixed && lanes*size%512 == 0 && r.IntN(2) == 0
		k := r.kernel(fmt.Sprintf("kernel%d", len(kernels)), lanes, size, 4+r.IntN(120))
		if r.IntN(10) == 0 {
			k = r.woven(k.Name)
		}
		if len(kernels) >= 150 {
			k = r.columns(k.Name)
		}
		if len(kernels) >= 160 && on.Features().Mixed {
			k = r.rounds(k.Name)
		}
		require.NoError(t, k.Verify())
		added := *k
		if len(kernels)%2 == 0 {
			added.Simplify()
		}
		if _, err := a.Add([]Target{on}, &added); err != nil {
			continue
		}
		kernels, functions = append(kernels, k), append(functions, k.Name)
		for _, i := range k.Insts {
			seen[i.Op]++
		}
	}
	for op := range NumOps {
		if slices.Contains([]Op{Resize, Scatter, LeadingZeros, Parities, Row, StoreRow, Begin, End}, op) && !on.Features().Mixed {
			continue
		}
		require.Positive(t, seen[op], "no kernel has %s", op)
	}
	text := a.String()
	for _, w := range want {
		require.True(t, strings.Contains(text, w), "nothing needs %s", w)
	}
	require.NotContains(t, text, "R15", "which dynamic linking takes")
	if runtime.GOARCH != "amd64" {
		return
	}
	path := build(t, functions, a)
	if simtest.Building() {
		return
	}
	if !runs(t, on) {
		require.False(t, simtest.Emulated(), "the emulated processor lacks %s", on.Name())
		t.Run("not executed: the processor lacks "+on.Name(), func(*testing.T) {}) // hotline-lab levels reports it, too
		return
	}
	in := states(r.Rand, 6)
	out := execute(t, path, in)
	require.Empty(t, difference(kernels, in, out))
	for _, k := range kernels {
		k.Insts = subtracting(k).Insts
	}
	require.NotEmpty(t, difference(kernels, in, out), "negative control")
}

// runs reports whether this processor supports a target.
func runs(t testing.TB, on Target) bool {
	level, err := model.LevelNamed(strings.ToLower(on.Name()))
	require.NoError(t, err)
	return level.Check() == nil
}

// states returns n random contents of the structure. Half of the bytes have special values.
func states(r *rand.Rand, n int) []byte {
	in := make([]byte, n*fields*fieldBytes)
	for i := range in {
		in[i] = byte(r.Uint64())
		if r.IntN(2) == 0 {
			in[i] = []byte{0, 0xff, in[max(i-1, 0)], 1}[r.IntN(4)]
		}
	}
	return in
}

// memoryOf returns the fields of a state, each with the bytes that follow it.
func memoryOf(s []byte) memory {
	m := memory{}
	for f := range fields {
		m[fmt.Sprintf("v%d", f)] = slices.Concat(s[f*fieldBytes:][:fieldBytes], s[min((f+1)*fieldBytes, len(s)-Beyond):][:Beyond])
	}
	return m
}

// same checks that a program built by build leaves the state that the definition of its kernels
// requires.
func same(t *testing.T, path string, kernels []*Kernel, in []byte) {
	t.Helper()
	require.Empty(t, difference(kernels, in, execute(t, path, in)))
}

// execute runs a program built by build on these states and returns its output.
func execute(t *testing.T, path string, in []byte) []byte {
	t.Helper()
	cmd := exec.Command(path)
	var problems bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &problems
	out, err := cmd.Output()
	require.NoError(t, err, "%s", &problems)
	return out
}

// difference describes the first difference between the output of a program and the definition of
// its kernels. It is empty if there is none.
func difference(kernels []*Kernel, in, out []byte) string {
	for s := range slices.Chunk(in, fields*fieldBytes) {
		for _, k := range kernels {
			m := memoryOf(s)
			changed := run(k, m)
			got := out[:8+len(s)]
			out = out[8+len(s):]
			if x := binary.LittleEndian.Uint64(got); x != changed {
				return fmt.Sprintf("changes are %#x instead of %#x after\n%s", x, changed, k)
			}
			for f := range fields {
				name := fmt.Sprintf("v%d", f)
				if x := got[8+f*fieldBytes:][:fieldBytes]; !bytes.Equal(m[name][:fieldBytes], x) {
					return fmt.Sprintf("%s is %x instead of %x after\n%s", name, x, m[name][:fieldBytes], k)
				}
			}
		}
	}
	return ""
}

// subtracting returns a kernel that subtracts where k adds.
func subtracting(k *Kernel) *Kernel {
	wrong := *k
	wrong.Insts = slices.Clone(k.Insts)
	for i := range wrong.Insts {
		if wrong.Insts[i].Op == Add {
			wrong.Insts[i].Op = Sub
		}
	}
	return &wrong
}
