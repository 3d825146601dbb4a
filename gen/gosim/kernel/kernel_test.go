package kernel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/kernel/avx512"
)

func TestText(t *testing.T) {
	k := New("k", 16, 32)
	at := Place{Field: "v1", Bytes: 4, Size: 16}
	x := k.Pick(at, []int{0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30})
	y := k.Pick(at, make([]int, 16))
	m := k.PickMask(Place{Field: "v2"}, []int{8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23})
	require.Equal(t, x, k.Load(at), "not made twice")
	sum := k.And(k.Shift(k.Do(Add, x, y), 3), 0xff)
	k.Store(Place{Field: "v3", Size: 32}, k.Do(Blend, m, sum, k.Const(7)), None, 2)
	k.Store(Place{Field: "v4"}, k.Test(sum, 0x80), m, -1)
	require.NoError(t, k.Verify())
	require.Equal(t, `kernel k: 16 lanes of 32 bits
  %0 = load v1+4:16
  %1 = splat v1+4:16
  %2 = loadmask v2+1
  %3 = add %0 %1
  %4 = shl %3 3
  %5 = const 0xff
  %6 = and %4 %5
  %7 = const 0x7
  %8 = blend %2 %6 %7
  store %8 v3+0:32 group 2
  %10 = test %6 0x80
  storemask %10 %2 v4+0
`, k.String())
	require.Equal(t, 3, k.Groups)
}

// TestFolding: redundant operations add no instructions.
func TestFolding(t *testing.T) {
	k := New("k", 8, 16)
	x := k.Load(Place{Field: "v", Size: 16})
	require.Equal(t, x, k.And(x, 0xfffff))
	require.Equal(t, x, k.Shift(x, 0))
	require.Equal(t, x, k.Or(k.Const(0), x))
	require.Equal(t, x, k.Or(x, k.Const(1<<16)))
	require.Equal(t, k.Const(4), k.And(k.Const(6), 12))
	require.Equal(t, k.Const(9), k.Table([]int{9, 9, 9, 9, 9, 9, 9, 9}))
	m := k.Test(x, 1)
	require.Equal(t, k.Const(0), k.Keep(m, k.Const(0)))
	all := k.Do(Equal, k.Const(7), k.Const(7))
	require.Equal(t, m, k.Do(MaskAnd, m, all))
	require.Equal(t, m, k.Do(MaskAnd, all, m))
	require.NotEqual(t, m, k.Do(MaskAnd, m, k.Do(Equal, x, x)))
}

func TestVerify(t *testing.T) {
	for want, k := range map[string]*Kernel{
		"kernel k: 2 lanes of 8 bits":                                                         {Name: "k", Lanes: 2, Widest: 8},
		"kernel k: 8 lanes of 12 bits":                                                        {Name: "k", Lanes: 8, Widest: 12},
		"kernel k: %0, add: operand %0 is not there yet":                                      {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Add, Size: 8, Args: []Value{0, 0}}}},
		`kernel k: %1, masknot: operands are "w", expected "m"`:                               {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Const, Size: 8}, {Op: MaskNot, Args: []Value{0}}}},
		"kernel k: %1, shl: shift by 8":                                                       {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Const, Size: 8}, {Op: Shl, Size: 8, Args: []Value{0}, Imm: 8}}},
		"kernel k: %0, load: lanes of 16 bits in memory":                                      {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Load, Size: 8, At: Place{Size: 16}}}},
		"kernel k: %0, table: 3 numbers":                                                      {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Table, Size: 8, Numbers: []int{1, 2, 3}}}},
		"kernel k: %2, add: operand %1 is nothing":                                            {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Const, Size: 8}, {Op: Store, Size: 8, Args: []Value{0}, At: Place{Size: 8}}, {Op: Add, Size: 8, Args: []Value{0, 1}}}},
		"kernel k: %1, mul: words of 8 bits":                                                  {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Const, Size: 8}, {Op: Mul, Size: 8, Args: []Value{0, 0}}}},
		"kernel k: %2, gather: words of 8 bits":                                               {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Const, Size: 8}, {Op: Test, Size: 8, Args: []Value{0}}, {Op: Gather, Size: 8, Args: []Value{0, 1}, At: Place{Size: 8}}}},
		"kernel k: %1, storewords: 2 words of 32 bits":                                        {Name: "k", Lanes: 8, Widest: 32, Insts: []Inst{{Op: Const, Size: 32}, {Op: StoreWords, Size: 32, Args: []Value{0, 0}, At: Place{Size: 128}}}},
		"kernel k: %2, copy: pieces of 24 bits":                                               copying(32, 24),
		"kernel k: %2, copy: words of 16 bits":                                                copying(16, 8),
		"kernel k: %2, copy: it is not the last":                                              followed(copying(32, 8)),
		"kernel k: %0, end: it has no other":                                                  {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: End}}},
		"kernel k: %4, count: operand %2 may have been left out":                              {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: LoadMask}, {Op: Begin, Args: []Value{0}}, {Op: Const, Size: 8}, {Op: End}, {Op: Count, Size: 8, Args: []Value{2}}}},
		"kernel k: rounds of 3 lanes, which do not divide its lanes, or which report changes": {Name: "k", Lanes: 8, Widest: 8, Round: 3},
		"kernel k: %0, load: it begins again, without rounds":                                 {Name: "k", Lanes: 8, Widest: 8, Insts: []Inst{{Op: Load, Size: 8, At: Place{Size: 8, Again: true}}}},
		"kernel k: it reads In, which is outside its state, and reports changes":              {Name: "k", Lanes: 8, Widest: 8, Groups: 1, Insts: []Inst{{Op: Load, Size: 8, At: Place{Part: "In", Size: 8, Away: true}}}},
	} {
		require.EqualError(t, k.Verify(), want)
	}
}

// copying returns a kernel that copies pieces of the given number of bits.
func copying(size, bits int) *Kernel {
	k := New("k", 8, size)
	k.Copy(Place{Field: "v"}, k.Const(0), Place{Field: "w", Size: bits}, k.Const(0), k.Do(Equal, k.Const(0), k.Const(0)), 0)
	return k
}

// followed returns k with one more instruction.
func followed(k *Kernel) *Kernel {
	k.Const(1)
	return k
}

// TestRefused: a kernel that a target does not support is rejected and leaves no trace.
func TestRefused(t *testing.T) {
	a := NewAssembly()
	empty := a.String()
	few := New("few", 8, 8)
	far := New("far", 16, 32)
	numbers := make([]int, 16)
	for l := range numbers {
		numbers[l] = 1001 * l
	}
	far.Store(Place{Field: "v", Size: 32}, far.Do(Add, far.Const(3), far.Table(numbers)), None, -1)
	far.Store(Place{Field: "v", Size: 32}, far.Pick(Place{Field: "w", Size: 32}, numbers), None, -1)
	many := New("many", 16, 32)
	for g := range 15 {
		many.Store(Place{Field: "v", Bytes: 64 * g, Size: 32}, many.Const(1), None, g)
	}
	for want, k := range map[string]*Kernel{
		"kernel few: 8 lanes of 8 bits are not vectors":  few,
		"kernel far: lanes are too far apart in memory":  far,
		"kernel many: 15 groups of changes":              many,
		"kernel k: 12 lanes of 32 bits are vectors of 4": New("k", 12, 32),
		"kernel short: 3 lanes are not a vector":         New("short", 3, 64),
	} {
		_, err := a.Add([]Target{avx512.Target{}}, k)
		require.EqualError(t, err, want)
	}
	bad := New("bad", 64, 8)
	bad.Doc = "bad: a kernel of lanes"
	bad.Insts = append(bad.Insts, Inst{Op: Add, Size: 8})
	_, err := a.Add(targets, bad)
	require.EqualError(t, err, `bad: a kernel of lanes: kernel bad: %0, add: operands are "", expected "ww"`)
	require.Equal(t, empty, a.String())
}

// TestResizedConstant resizes a value that simplification turns into a constant.
func TestResizedConstant(t *testing.T) {
	k := New("resized", 64, 64)
	k.Size = 8
	x := k.Do(Add, k.Load(Place{Field: "v", Size: 8}), k.Const(1))
	k.Size = 64
	k.Store(Place{Field: "w", Size: 64}, k.Do(Add, k.Resize(x), k.Load(Place{Field: "u", Size: 64})), None, -1)
	k.Insts[x] = Inst{Op: Const, Size: 8, Imm: 0x105}
	a := NewAssembly()
	_, err := a.Add([]Target{avx512.Target{}}, k)
	require.NoError(t, err)
	require.NotContains(t, a.String(), "VPMOVZXBQ")
	require.Equal(t, []uint64{5}, a.Constants())
}

// TestPartsOfAFunction: a kernel that two targets support is one function. Its body for the better
// target serves models of that level, the other body all other models. A kernel that only one
// target supports checks no level. Results are the same on all targets, so running a model does not
// reveal which body it used.
func TestPartsOfAFunction(t *testing.T) {
	k := New("k", 64, 8)
	k.Store(Place{Field: "v", Size: 8}, k.Do(Add, k.Load(Place{Field: "w", Size: 8}), k.Const(3)), None, 0)
	a := NewAssembly()
	have, err := a.Add(targets, k)
	require.NoError(t, err)
	require.Equal(t, targets, have)
	best, other, found := strings.Cut(a.String(), "\nAVX2:\n")
	require.True(t, found)
	require.Contains(t, best, "\tCMPB Model_level(AX), $const_avx512\n\tJLT AVX2\n")
	require.Contains(t, best, "Z0")
	require.Contains(t, other, "Y0")
	require.NotContains(t, other, "Z0")

	a = NewAssembly()
	narrow := New("k", 16, 8) // words of several sizes are for AVX-512 alone
	narrow.Size = 32
	wide := narrow.Load(Place{Field: "w", Size: 32})
	narrow.Size = 8
	narrow.Store(Place{Field: "v", Size: 8}, narrow.Resize(wide), None, 0)
	narrow.Widest = 32
	have, err = a.Add(targets, narrow)
	require.NoError(t, err)
	require.Equal(t, []Target{avx512.Target{}}, have)
	require.NotContains(t, a.String(), "Model_level")
}

// TestRepeat: lanes are counted in rounds only if some place is the same in each round.
func TestRepeat(t *testing.T) {
	for _, again := range []bool{false, true} {
		k := New("k", 64, 8)
		k.Store(Place{Field: "v1", Size: 8}, k.Load(Place{Field: "v0", Size: 8, Again: again}), None, -1)
		k.Repeat(4)
		require.NoError(t, k.Verify())
		require.Equal(t, 256, k.Lanes)
		require.Equal(t, map[bool]int{false: 0, true: 64}[again], k.Round)
	}
}

// TestMasksCopied: a mask that is only copied uses no mask register, unless its place has been
// overwritten.
func TestMasksCopied(t *testing.T) {
	from, to := Place{Field: "v"}, Place{Field: "w"}
	for _, over := range []bool{false, true} {
		k := New("k", 64, 8)
		x := k.LoadMask(from)
		if over {
			k.Store(from, k.LoadMask(to), None, -1)
		}
		k.Store(to, x, None, -1)
		a := NewAssembly()
		_, err := a.Add([]Target{avx512.Target{}}, k)
		require.NoError(t, err)
		require.Equal(t, over, strings.Contains(a.String(), "KMOVQ"))
	}
}

// TestNext: inputs of the next cycle are fetched by the loads of the same lanes of the present
// inputs, or one cache line per iteration.
func TestNext(t *testing.T) {
	in := Place{Part: "In", Field: "p", Size: 32, Away: true}
	for name, c := range map[string]struct {
		lanes int
		next  Next
		want  []string
	}{
		"loads":    {64, Next{Loads: true}, []string{"In__size+In_p+0(R12)", "In__size+In_p+64(R12)", "In__size+In_p+128(R12)", "In__size+In_p+192(R12)"}},
		"another":  {64, Next{}, nil},
		"turns":    {64, Next{Turns: "In"}, []string{"In__size+0(R12)", "In__size+64(R12)", "In__size+128(R12)", "In__size+192(R12)"}},
		"a loop":   {1024, Next{Turns: "In"}, []string{"In__size+0(R12)(CX*4)"}},
		"no loads": {1024, Next{Turns: "Inputs"}, []string{"Inputs__size+0(R12)(CX*4)"}},
	} {
		k := New("k", c.lanes, 32)
		k.Next = c.next
		from := in
		if name == "no loads" {
			from = Place{Field: "w", Size: 32}
		}
		k.Store(Place{Field: "v", Size: 32}, k.Do(Add, k.Load(from), k.Const(3)), None, -1)
		require.NoError(t, k.Verify())
		a := NewAssembly()
		_, err := a.Add([]Target{avx512.Target{}}, k)
		require.NoError(t, err)
		var have []string
		for _, line := range strings.Split(a.String(), "\n") {
			if text, ok := strings.CutPrefix(line, "\tPREFETCHT1 "); ok {
				have = append(have, text)
			}
		}
		require.Equal(t, c.want, have, name)
		require.Equal(t, from.Away || c.next.Turns != "", strings.Contains(a.String(), "(AX), R12"), name)
	}
}
