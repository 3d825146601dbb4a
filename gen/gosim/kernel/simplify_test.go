package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// TestSimplify checks an example of each simplification.
func TestSimplify(t *testing.T) {
	at := func(n, size int) Place { return Place{Field: fmt.Sprint("v", n), Size: size} }
	word := func(k *Kernel) Value { return k.Load(at(0, k.Size)) }
	in := func(k *Kernel, size int, do func() Value) Value {
		was := k.Size
		k.Size = size
		defer func() { k.Size = was }()
		return do()
	}
	for name, c := range map[string]struct {
		make func(k *Kernel)
		want string
	}{
		"a comparison with zero is a test": {
			func(k *Kernel) { k.Store(at(1, 0), k.Do(NotEqual, word(k), k.Const(0)), None, -1) },
			"%0 = load v0+0:32; %1 = test %0 0xffffffff; storemask %1 v1+0",
		},
		"or where there is none": {
			func(k *Kernel) { k.Store(at(1, 0), k.Do(Equal, k.Const(0), word(k)), None, -1) },
			"%0 = load v0+0:32; %1 = test %0 0xffffffff; %2 = masknot %1; storemask %2 v1+0",
		},
		"of the bits where they come from": {
			func(k *Kernel) {
				x := k.Shift(k.And(k.Shift(word(k), 3), 0xff0), -5)
				x = in(k, 8, func() Value { return k.Do(NotEqual, k.Resize(x), k.Const(0)) })
				k.Store(at(1, 0), x, None, -1)
			},
			"%0 = load v0+0:32; %1 = test %0 0x1fc; storemask %1 v1+0",
		},
		"or of shorter words": {
			func(k *Kernel) {
				x := in(k, 16, func() Value { return word(k) })
				k.Store(at(1, 0), k.Test(k.Shift(k.Resize(x), 4), 0xffff00), None, -1)
			},
			"%0 = load v0+0:16; %1 = test %0 0xfff0; storemask %1 v1+0",
		},
		"of all bits if no others may be set": {
			func(k *Kernel) { k.Store(at(1, 0), k.Test(k.Load(at(0, 8)), 0x1ff), None, -1) },
			"%0 = load v0+0:8; %1 = test %0 0xffffffff; storemask %1 v1+0",
		},
		"of nothing if all are zero": {
			func(k *Kernel) { k.Store(at(1, 0), k.Test(k.Load(at(0, 8)), 0xf00), None, -1) },
			"%0 = const 0x0; %1 = notequal %0 %0; storemask %1 v1+0",
		},
		"but it is no comparison of constants": {
			func(k *Kernel) { k.Store(at(1, 0), k.Do(Equal, k.Const(0), k.Const(0)), None, -1) },
			"%0 = const 0x0; %1 = equal %0 %0; storemask %1 v1+0",
		},
		"bits that are zero anyway": {
			func(k *Kernel) {
				b := k.And(word(k), 0xff)
				bit := k.Keep(k.LoadMask(at(2, 0)), k.Const(0x40))
				k.Store(at(1, 32), k.And(k.Do(Add, k.Or(k.Shift(k.Load(at(0, 16)), -12), bit), b), 0x1ff), None, -1)
			},
			"%0 = load v0+0:32; %1 = const 0xff; %2 = and %0 %1; %3 = loadmask v2+0; %4 = const 0x40; %5 = keep %3 %4; %6 = load v0+0:16; %7 = shr %6 12; %8 = or %7 %5; %9 = add %8 %2; store %9 v1+0:32",
		},
		"but not those that a sum may set": {
			func(k *Kernel) {
				b := k.Load(at(0, 8))
				k.Store(at(1, 32), k.And(k.Do(Add, b, k.Do(Add, b, b)), 0x1ff), None, -1)
			},
			"%0 = load v0+0:8; %1 = add %0 %0; %2 = add %0 %1; %3 = const 0x1ff; %4 = and %2 %3; store %4 v1+0:32",
		},
		"nor those that move there": {
			func(k *Kernel) { k.Store(at(1, 32), k.And(k.Do(ShrBy, k.Const(0xf0), word(k)), 0xf0), None, -1) },
			"%0 = const 0xf0; %1 = load v0+0:32; %2 = shrby %0 %1; %3 = and %2 %0; store %3 v1+0:32",
		},
		"bits that nothing asks for": {
			func(k *Kernel) {
				x := k.And(k.Do(Sub, k.And(word(k), 0xfff), k.Const(1)), 0xffff)
				k.Store(at(1, 8), x, k.Test(x, 0x80), -1)
				k.Store(at(2, 32), k.And(k.Shift(x, 3), 0x7f8), None, -1)
			},
			"%0 = load v0+0:32; %1 = const 0x1; %2 = sub %0 %1; %3 = test %2 0x80; store %2 %3 v1+0:8; %5 = shl %2 3; %6 = const 0x7f8; %7 = and %5 %6; store %7 v2+0:32",
		},
		"but not those that change what is asked for": {
			func(k *Kernel) { k.Store(at(1, 32), k.And(k.Do(Mul, k.And(word(k), 0xff), word(k)), 0x1ff), None, -1) },
			"%0 = load v0+0:32; %1 = const 0xff; %2 = and %0 %1; %3 = mul %2 %0; %4 = const 0x1ff; %5 = and %3 %4; store %5 v1+0:32",
		},
		"nor those whose change it tells": {
			func(k *Kernel) { k.Store(at(1, 8), k.And(word(k), 0xff), None, 0) },
			"%0 = load v0+0:32; %1 = const 0xff; %2 = and %0 %1; store %2 v1+0:8 group 0",
		},
		"moves there and back": {
			func(k *Kernel) { k.Store(at(1, 32), k.Shift(k.Shift(word(k), -4), 4), None, -1) },
			"%0 = load v0+0:32; %1 = const 0xfffffff0; %2 = and %0 %1; store %2 v1+0:32",
		},
		"moves one after the other": {
			func(k *Kernel) { k.Store(at(1, 32), k.Shift(k.And(k.Shift(word(k), -9), 0xffff0), -3), None, -1) },
			"%0 = load v0+0:32; %1 = shr %0 12; %2 = const 0x1fffe; %3 = and %1 %2; store %3 v1+0:32",
		},
		"also of other words": {
			func(k *Kernel) {
				x := in(k, 16, func() Value { return k.Shift(word(k), -9) })
				k.Store(at(1, 32), k.Shift(k.Resize(x), 2), None, -1)
			},
			"%0 = load v0+0:16; %1 = shr %0 7; %2 = resize %1; %3 = const 0x1fc; %4 = and %2 %3; store %4 v1+0:32",
		},
		"words that are others for nothing": {
			func(k *Kernel) {
				x := word(k)
				x = in(k, 16, func() Value { return k.Resize(x) })
				k.Store(at(1, 32), k.Shift(k.Resize(x), 20), None, -1)
			},
			"%0 = load v0+0:32; %1 = shl %0 20; store %1 v1+0:32",
		},
		"but not if that costs more": {
			func(k *Kernel) {
				x := word(k)
				k.Size = 16
				k.Store(at(1, 16), k.Shift(k.And(k.Resize(x), 0xf), 3), None, -1)
			},
			"%0 = load v0+0:32; %1 = resize %0; %2 = const 0xf; %3 = and %1 %2; %4 = shl %3 3; store %4 v1+0:16",
		},
		"nor those of which each of two would do": {
			func(k *Kernel) { k.Store(at(1, 8), k.Or(k.Const(0xff), k.Const(0x1ff)), None, -1) },
			"%0 = const 0x1ff; store %0 v1+0:8",
		},
		"values that nothing asks for": {
			func(k *Kernel) {
				x := k.Shift(k.Do(Mul, word(k), word(k)), 8)
				k.Do(Less, x, word(k))
				k.Store(at(1, 8), k.Or(word(k), x), None, -1)
			},
			"%0 = load v0+0:32; store %0 v1+0:8",
		},
		"negations": {
			func(k *Kernel) {
				m := k.Do(Equal, word(k), k.Const(0))
				k.Store(at(1, 0), k.Do(MaskAndNot, k.LoadMask(at(2, 0)), m), k.Do(MaskNot, m), -1)
			},
			"%0 = load v0+0:32; %1 = test %0 0xffffffff; %2 = loadmask v2+0; %3 = maskand %2 %1; storemask %3 %1 v1+0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := New("k", 64, 32)
			c.make(k)
			k.Simplify()
			require.NoError(t, k.Verify())
			got := strings.Split(strings.TrimSpace(k.String()), "\n")[1:]
			for i := range got {
				got[i] = strings.TrimSpace(got[i])
			}
			require.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

// FuzzSimplify compares the results of random kernels before and after simplification.
func FuzzSimplify(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := &random{Rand: rand.New(rand.NewPCG(seed, 2)), mixed: true}
		k := r.kernel("k", 64, 8<<r.IntN(4), r.IntN(200))
		simple := *k
		simple.Simplify()
		require.NoError(t, simple.Verify())
		in := states(r.Rand, 1)
		want, got := memoryOf(in), memoryOf(in)
		require.Equal(t, run(k, want), run(&simple, got), "changes of\n%s", k)
		require.Equal(t, want, got, "%s\n%s", k, &simple)
	})
}
