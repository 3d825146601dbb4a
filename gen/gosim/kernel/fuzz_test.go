package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// operator returns a kernel that loads operands, performs op, and stores the result in the lanes of
// a mask or in all lanes. It returns false if there is no such operation on words of this size.
func operator(op Op, lanes, size int, masked bool) (*Kernel, bool) {
	k := New(fmt.Sprintf("%s%dx%d", op, lanes, size), lanes, size)
	if masked {
		k.Name += "masked"
	}
	k.Doc = k.Name
	word := func(n int) Value { return k.Load(Place{Field: fmt.Sprintf("v%d", n), Bytes: 8, Size: k.Size}) }
	mask := func(n int) Value { return k.LoadMask(Place{Field: fmt.Sprintf("v%d", n), Bytes: 40}) }
	numbers, part := make([]int, lanes), Place{Field: "v3", Bytes: 3, Size: max(8, size/2)}
	for l := range numbers {
		numbers[l] = 7 * l % 50
	}
	var x Value
	switch op {
	case End:
		return k, false
	case StoreWords, Copy, Scatter, StoreRow, Begin: // below
	case Store, StoreMask:
		x = word(0)
		if op == StoreMask {
			x = mask(0)
		}
	case Const:
		x = k.Const(0x8182838485868788)
	case Table:
		x = k.Table(numbers)
	case Load:
		x = k.Load(part)
	case Pick:
		x = k.Pick(part, numbers)
	case Splat:
		x = k.Pick(part, make([]int, lanes))
	case Gather:
		x = k.Gather(part, k.And(word(0), 1023), mask(1))
	case LoadMask:
		x = mask(0)
	case PickMask:
		x = k.PickMask(part, numbers)
	case Shl:
		x = k.Shift(word(0), 3)
	case Shr:
		x = k.Shift(word(0), -3)
	case Test:
		x = k.Test(word(0), 0x91)
	case ShlBy, ShrBy, SarBy:
		x = k.Do(op, word(0), k.And(word(1), uint64(2*size-1)))
	case Resize:
		x = word(0)
		for s := 8; s < size; s *= 2 {
			k.Size = s
			y := k.Do(Add, k.Resize(x), word(1))
			k.Size = size
			x = k.Do(Xor, x, k.Resize(y))
		}
	case Row:
		x = k.Row(part, k.And(word(0), 1023), 5)
	case Parities:
		x = k.Parities([]Value{word(0), word(1)}, matrix(45, 2))
	default:
		var args []Value
		for n, kind := range strings.Split(strings.Split(op.Signature(), ">")[0], "") {
			if kind == "m" {
				args = append(args, mask(n))
			} else {
				args = append(args, word(n))
			}
		}
		x = k.Do(op, args...)
	}
	lane := None
	if masked {
		k.Mask, k.Masked = Place{Field: "v4", Bytes: 8}, true
		lane = k.LoadMask(k.Mask)
	}
	switch op {
	case StoreWords:
		k.StoreWords(Place{Field: "v6", Bytes: 16}, []Value{word(0), word(1), word(2)}, lane, 5)
		return k, k.Verify() == nil && lanes*192 <= 8*fieldBytes
	case Begin:
		k.Within(mask(2), func() {
			k.Store(Place{Field: "v6", Bytes: 16, Size: size}, k.Do(Add, word(0), word(1)), k.Do(MaskAnd, mask(2), mask(3)), 5)
		})
		k.Store(Place{Field: "v7", Bytes: 16, Size: size}, k.Do(Add, word(0), word(1)), None, 5)
		return k, k.Verify() == nil && !masked
	case Scatter:
		if lane == None {
			lane = mask(2)
		}
		k.Scatter(Place{Field: "v6", Bytes: 16, Size: part.Size}, k.And(word(0), uint64(1)<<part.Size-1), k.And(word(1), 1023), lane, 5)
		return k, k.Verify() == nil && !masked
	case StoreRow:
		var words []Value
		for n := range RowWords {
			words = append(words, k.Do(Add, word(0), k.Const(uint64(n))))
		}
		k.StoreRow(Place{Field: "v6", Bytes: 16, Size: 64}, words, k.And(word(1), 1023), mask(2))
		return k, k.Verify() == nil && !masked
	case Copy:
		if lane == None {
			lane = mask(2)
		}
		k.Copy(part, k.And(word(0), 1023), Place{Field: "v6", Bytes: 16, Size: part.Size}, k.And(word(1), 1023), lane, 5)
		return k, k.Verify() == nil
	}
	k.Store(Place{Field: "v6", Bytes: 16, Size: size}, x, lane, 5)
	return k, k.Verify() == nil
}

// matrix returns rows of masks.
func matrix(rows, masks int) [][]uint64 {
	r := rand.New(rand.NewPCG(uint64(rows), uint64(masks)))
	out := make([][]uint64, rows)
	for b := range out {
		for range masks {
			out[b] = append(out[b], r.Uint64()&r.Uint64())
		}
	}
	return out
}

// FuzzOperators compares each operation with its definition: lanes of each size, few and many,
// masked and not, on each target that this processor supports.
func FuzzOperators(f *testing.F) {
	var kernels []*Kernel
	for op := range NumOps {
		for _, size := range []int{8, 16, 32, 64} {
			for _, lanes := range []int{4, 8, 16, 24, 64, 256} {
				for _, masked := range []bool{false, true} {
					if k, ok := operator(op, lanes, size, masked); ok && lanes*size%128 == 0 {
						kernels = append(kernels, k)
					}
				}
			}
		}
	}
	programs := map[string][]*Kernel{}
	for _, on := range targets {
		a := NewAssembly()
		var functions []string
		var added []*Kernel
		for _, k := range kernels {
			if k.Mixed() && (!on.Features().Mixed || k.Lanes*k.Widest%on.Features().Longest != 0) {
				continue
			}
			_, err := a.Add([]Target{on}, k)
			require.NoError(f, err)
			functions, added = append(functions, k.Name), append(added, k)
		}
		if runtime.GOARCH == "amd64" {
			if path := build(f, functions, a); runs(f, on) {
				programs[path] = added
			}
		}
	}
	for seed := range uint64(3) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		in := states(rand.New(rand.NewPCG(seed, 1)), 1)
		for path, kernels := range programs {
			same(t, path, kernels, in)
		}
	})
}
