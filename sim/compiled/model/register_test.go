package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// regState is the state of a register with its next values, its mask and its reset condition.
type regState struct {
	q, d        [256]uint64
	mask, clear [2]uint64
}

// lane returns the words of lane l of an array.
func (r Reg) lane(array unsafe.Pointer, l int) []uint64 {
	x := make([]uint64, (r.Size+63)/64)
	get(array, l, r.Size, x)
	return x
}

// holds reports whether a condition with that number of lanes holds for lane l.
func holds(bits [2]uint64, lanes, l int) bool {
	if lanes == 1 {
		l = 0
	}
	return bits[l/64]>>(l%64)&1 == 1
}

// TestReg: for registers of all sizes, with and without conditions, the word-wise methods agree
// with a check of each lane. One lane has a value other than its initial value, another a different
// next value.
func TestReg(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{1, 8, 16, 32, 64, 128} {
		for _, lanes := range []int{1, 5, 64, 70, 128} {
			for try := range 90 {
				var s regState
				at := unsafe.Pointer(&s)
				r := Reg{
					q: unsafe.Offsetof(s.q), d: unsafe.Offsetof(s.d), Lanes: lanes, Size: size, Init: []uint64{1, 0}[:max(1, size/64)],
					Mask:  Condition{at: unsafe.Offsetof(s.mask), Lanes: []int{0, 1, lanes}[try%3]},
					Clear: Condition{at: unsafe.Offsetof(s.clear), Lanes: []int{0, 1, lanes}[try/3%3]},
				}
				require.True(t, r.reset(at))
				require.False(t, r.reset(at))
				require.True(t, r.isFirst(at, Condition{}))
				s.d = s.q
				other := make([]uint64, len(r.Init))
				l := random.IntN(lanes)
				put(unsafe.Pointer(&s.q), l, size, other)
				put(unsafe.Pointer(&s.d), l, size, other)
				put(unsafe.Pointer(&s.d), random.IntN(lanes), size, other)
				for i := range s.mask {
					s.mask[i], s.clear[i] = random.Uint64(), random.Uint64()
				}
				if r.Mask.Lanes == 1 {
					s.mask[0] &= 1
				}
				if r.Clear.Lanes == 1 {
					s.clear[0] &= 1
				}
				changes, isFirst := false, true
				for l := range lanes {
					q, d := r.lane(unsafe.Pointer(&s.q), l), r.lane(unsafe.Pointer(&s.d), l)
					clear := r.Clear.Lanes > 0 && holds(s.clear, r.Clear.Lanes, l)
					takes := r.Mask.Lanes == 0 || holds(s.mask, r.Mask.Lanes, l)
					changes = changes || takes && !clear && !slices.Equal(q, d)
					isFirst = isFirst && !(clear && !slices.Equal(q, r.Init))
				}
				text := fmt.Sprintf("%+v, lane %d", r, l)
				require.Equal(t, changes, r.changes(at), text)
				require.Equal(t, isFirst, r.Clear.Lanes == 0 || r.isFirst(at, r.Clear), text)
			}
		}
	}
}

// TestMark: bits beyond the last one keep their values.
func TestMark(t *testing.T) {
	for n, want := range map[int][2]uint64{0: {}, 3: {7}, 64: {^uint64(0)}, 65: {^uint64(0), 1}} {
		var got [2]uint64
		Mark(got[:], n)
		require.Equal(t, want, got, n)
	}
}
