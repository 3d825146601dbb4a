package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every test of this file compares each implementation bit by bit with the plain loops that the
// comments describe. All NaNs count as equal.

// sizes contains vector sizes: none, one, near tile sizes, large.
var sizes = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 24, 25, 33, 47, 130}

// awkward contains numbers that a kernel might treat specially.
var awkward = []float32{
	0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, 0x1.fffffcp-127, -0x1p-130,
	math.MaxFloat32, -math.MaxFloat32, 0x1p-75, 0x1p75, 1, -1,
}

// values returns random numbers; share is the share of awkward numbers.
func values(rng *rand.Rand, n int, share float64) []float32 {
	v := randomValues(rng, n)
	for i := range v {
		if rng.Float64() < share {
			v[i] = awkward[rng.IntN(len(awkward))]
		}
	}
	return v
}

// bitsOf maps values to their bits, and all NaNs to the same bits.
func bitsOf(v []float32) []uint32 {
	u := make([]uint32, len(v))
	for i, f := range v {
		u[i] = math.Float32bits(f)
		if f != f {
			u[i] = 0x7fc00000
		}
	}
	return u
}

// eachImplementation runs a test with every implementation, with ordinary and with awkward numbers.
// All implementations get the same random numbers.
func eachImplementation(t *testing.T, f func(t *testing.T, rng *rand.Rand, share float64)) {
	for _, i := range implementations() {
		for _, share := range []float64{0, 0.02, 0.5} {
			t.Run(fmt.Sprint(i.name, " ", share), func(t *testing.T) {
				defer with(i)()
				f(t, rand.New(rand.NewPCG(1, 2)), share)
			})
		}
	}
}

// table is an inputs x width table for the plain loops, and the same values as a tensor.
type table struct {
	inputs, width int
	v             []float32
	t             Tensor
}

func newTable(rng *rand.Rand, inputs, width int, share float64) table {
	t := table{inputs, width, values(rng, inputs*width, share), NewTensor(width, Panels(inputs))}
	t.t.Load(t.v, inputs)
	return t
}

func (t table) at(k int) []float32 { return t.v[k*t.width:][:t.width] }

// require checks that the tensor equals the table after the plain loops.
func (t table) require(tt *testing.T, what ...any) {
	got := make([]float32, len(t.v))
	t.t.Store(got, t.inputs)
	require.Equal(tt, bitsOf(t.v), bitsOf(got), what...)
}

func TestLinear(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, share float64) {
		for _, out := range sizes {
			for _, in := range sizes {
				n := 1 + rng.IntN(3*Lanes)
				w, b := values(rng, out*in, share), values(rng, out, share)
				x, y := newTable(rng, n, in, share), newTable(rng, n, out, share)
				Linear(y.t, w, b, x.t)
				for k := range n {
					for i := range out {
						sum := b[i]
						for j, v := range x.at(k) {
							sum += float32(w[i*in+j] * v)
						}
						y.at(k)[i] = sum
					}
				}
				y.require(t, "%d x %d, %d inputs", out, in, n)
			}
		}
	})
}

func TestInputGradient(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, share float64) {
		for _, out := range sizes {
			for _, in := range sizes {
				n := 1 + rng.IntN(3*Lanes)
				w := values(rng, out*in, share)
				dx, dy := newTable(rng, n, in, share), newTable(rng, n, out, share)
				InputGradient(dx.t, w, dy.t)
				for k := range n {
					for j := range in {
						sum := float32(0)
						for i, v := range dy.at(k) {
							sum += float32(w[i*in+j] * v)
						}
						dx.at(k)[j] = sum
					}
				}
				dx.require(t, "%d x %d, %d inputs", out, in, n)
			}
		}
	})
}

// TestAddProducts uses numbers whose sums round, so that the order of additions is visible. All
// implementations add in input order.
func TestAddProducts(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, _ float64) {
		for _, out := range sizes {
			for _, in := range sizes {
				n := 1 + rng.IntN(5*Lanes)
				from := rng.IntN(n + 1)
				to := from + rng.IntN(n-from+1)
				x, y := newTable(rng, n, in, 0), newTable(rng, n, out, 0)
				s, want := make([]float64, out*in), make([]float64, out*in)
				for i := range s {
					s[i] = rng.NormFloat64()
					want[i] = s[i]
				}
				for k := from; k < to; k++ {
					for i, f := range y.at(k) {
						for j, v := range x.at(k) {
							want[i*in+j] = math.FMA(Odd(f), float64(v), want[i*in+j])
						}
					}
				}
				AddProducts(s, y.t, x.t, from, to)
				require.Equal(t, want, s, "%d x %d, inputs %d to %d", out, in, from, to)
			}
		}
	})
}

func TestAddInputs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, width := range sizes {
		y := newTable(rng, 100, width, 0)
		s, want := make([]float64, width), make([]float64, width)
		for i := range s {
			s[i], want[i] = 24, 24 // where the order does not matter
			for k := 3; k < 97; k++ {
				want[i] += Odd(y.at(k)[i] / 16)
				y.t.Set(k, i, y.at(k)[i]/16)
			}
		}
		AddInputs(s, y.t, 3, 97)
		require.Equal(t, want, s)
	}
}

func TestAddOdd(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, share float64) {
		for _, n := range sizes {
			x, s, want := values(rng, n, share), make([]float64, n), make([]float64, n)
			for i, v := range x {
				if v-v != 0 {
					x[i] = 1 // only for finite numbers
				}
				s[i] = rng.NormFloat64()
				want[i] = s[i] + Odd(x[i])
			}
			AddOdd(s, x)
			require.Equal(t, want, s)
		}
	})
}

func TestOdd(t *testing.T) {
	require.Equal(t, 1+0x1p-52, Odd(1))
	require.Equal(t, -1-0x1p-52, Odd(-1))
	require.Equal(t, 0x1p-149+0x1p-201, Odd(0x1p-149))
	require.Zero(t, math.Float64bits(Odd(0)))
	require.Equal(t, math.Float64bits(math.Copysign(0, -1)), math.Float64bits(Odd(awkward[1])))
}

func TestRectify(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, share float64) {
		for _, width := range sizes {
			x, dx := newTable(rng, 70, width, share), newTable(rng, 70, width, share)
			Rectify(x.t)
			for i, v := range x.v {
				if v <= 0 {
					x.v[i] = 0
				}
			}
			x.require(t)
			RectifyBack(dx.t, x.t)
			for i, v := range x.v {
				if v <= 0 {
					dx.v[i] = 0
				}
			}
			dx.require(t)
		}
	})
}

func TestInteract(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, share float64) {
		for _, vectors := range []int{1, 2, 3, 5, 27} {
			for _, dim := range []int{1, 3, 16} {
				v, dv := newTable(rng, 50, vectors*dim, share), newTable(rng, 50, vectors*dim, share)
				z := newTable(rng, 50, pairs(vectors), share)
				Interact(z.t, v.t, dim)
				for k := range z.inputs {
					at := z.at(k)
					for i := range vectors {
						for j := range i {
							at[0] = 0
							for d := range dim {
								at[0] += float32(v.at(k)[i*dim+d] * v.at(k)[j*dim+d])
							}
							at = at[1:]
						}
					}
				}
				z.require(t, "%d vectors of %d", vectors, dim)

				InteractBack(dv.t, z.t, v.t, dim)
				for k := range z.inputs {
					for a := range vectors {
						for b := range vectors { // in the order of the other vector
							if a == b {
								continue
							}
							dot := z.at(k)[pairs(max(a, b))+min(a, b)]
							for d := range dim {
								dv.at(k)[a*dim+d] += float32(dot * v.at(k)[b*dim+d])
							}
						}
					}
				}
				dv.require(t, "%d vectors of %d", vectors, dim)
			}
		}
	})
}

func TestAxpy(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, share float64) {
		for _, n := range sizes {
			y, x, a := values(rng, n, share), values(rng, n, share), values(rng, 1, share)[0]
			want := append([]float32{}, y...)
			for i := range want {
				want[i] += float32(a * x[i])
			}
			Axpy(y, a, x)
			require.Equal(t, bitsOf(want), bitsOf(y))
		}
	})
}

func TestMaxAbs(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, share float64) {
		for _, width := range sizes {
			x := newTable(rng, Lanes, width, share)
			top, want := [Lanes]uint32{5}, [Lanes]uint32{5}
			for k := range want {
				for _, v := range x.at(k) {
					want[k] = max(want[k], math.Float32bits(float32(math.Abs(float64(v)))))
				}
			}
			MaxAbs(&top, x.t.Panel(0))
			for k := range want {
				if want[k] > 0x7f800000 {
					require.Greater(t, top[k], uint32(0x7f800000))
					continue
				}
				require.Equal(t, want[k], top[k])
			}
		}
	})
}

// TestNothingElseIsWritten: tiles at the edge stay within their tensor.
func TestNothingElseIsWritten(t *testing.T) {
	eachImplementation(t, func(t *testing.T, rng *rand.Rand, _ float64) {
		for _, out := range sizes {
			whole := newTable(rng, 64, out+2, 0)
			x, w, b := newTable(rng, 64, 5, 0), values(rng, out*5, 0), values(rng, out, 0)
			part := whole.t.Features(1, out+1)
			Linear(part, w, b, x.t)
			Rectify(part)
			for k := range 64 {
				require.Equal(t, whole.at(k)[0], whole.t.At(k, 0))
				require.Equal(t, whole.at(k)[out+1], whole.t.At(k, out+1))
			}
		}
	})
}

func TestTensor(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, width := range sizes {
		for _, n := range []int{0, 1, 31, 32, 33, 100} {
			x := newTable(rng, n, width, 0)
			x.require(t)
			for k := range n {
				for f, v := range x.at(k) {
					require.Equal(t, v, x.t.At(k, f))
				}
			}
			for k := n; k < x.t.Panels*Lanes; k++ {
				for f := range width {
					require.Zero(t, x.t.At(k, f))
				}
			}
		}
	}
	x := newTable(rng, 70, 6, 0)
	middle := NewTensor(2, 3)
	middle.Copy(x.t.Features(3, 5))
	require.Equal(t, x.at(69)[4], middle.At(69, 1))
	middle.First(2).Clear()
	require.Zero(t, middle.At(63, 1))
	require.Equal(t, x.at(64)[4], middle.At(64, 1))
	middle.Set(64, 1, 42)
	require.EqualValues(t, 42, middle.At(64, 1))
}

func TestShapesMustMatch(t *testing.T) {
	x, y := NewTensor(3, 1), NewTensor(2, 1)
	for _, f := range []func(){
		func() { Linear(y, make([]float32, 5), make([]float32, 2), x) },
		func() { Linear(y, make([]float32, 6), make([]float32, 2), NewTensor(3, 2)) },
		func() { InputGradient(x, make([]float32, 7), y) },
		func() { AddProducts(make([]float64, 5), y, x, 0, 1) },
		func() { AddInputs(make([]float64, 3), y, 0, 1) },
		func() { RectifyBack(x, y) },
		func() { Interact(y, x, 1) },
		func() { InteractBack(y, x, x, 1) },
		func() { x.Copy(y) },
	} {
		require.Panics(t, f)
	}
}

// TestEnvironment runs this test again with some implementations disabled.
func TestEnvironment(t *testing.T) {
	const asked = "KERNEL_TEST_IMPLEMENTATION"
	if os.Getenv(asked) != "" {
		fmt.Printf("uses %s\n", use.name)
		return
	}
	names := map[string]bool{}
	for _, i := range implementations() {
		names[i.name] = true
	}
	for _, c := range []struct{ off, want string }{
		{"", use.name}, {"cpu.avx512f=off", "AVX2"}, {"cpu.avx512f=off,cpu.avx2=off", "Go"},
	} {
		if !names[c.want] {
			continue // not supported by this processor
		}
		again := exec.Command(os.Args[0], "-test.run=^TestEnvironment$")
		again.Env = append(os.Environ(), "GODEBUG="+c.off, asked+"=1")
		out, err := again.Output()
		require.NoError(t, err)
		require.Contains(t, string(out), "uses "+c.want+"\n")
	}
}
