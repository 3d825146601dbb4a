package detmath

import "math"

// golden is 2^64 divided by the golden ratio: the step of a Weyl sequence with well separated
// points.
const golden = 0x9e3779b97f4a7c15

// mix applies the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection in which
// every input bit affects every output bit.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Hash maps a key to 64 pseudorandom bits. Keys that differ in any word or in length give
// independent values.
func Hash(key ...uint64) uint64 {
	h := mix(uint64(len(key)) + golden)
	for _, k := range key {
		h = mix((h ^ k) + golden)
	}
	return h
}

// Unit maps 64 random bits to a uniform float64 in [0, 1), a multiple of 2^-53.
func Unit(bits uint64) float64 { return float64(bits>>11) * 0x1p-53 }

// Stream is a sequence of random numbers (SplitMix64).
type Stream struct{ state uint64 }

// NewStream returns the sequence of a key.
func NewStream(key ...uint64) *Stream { return &Stream{state: Hash(key...)} }

// Uint64 returns the next 64 random bits.
func (s *Stream) Uint64() uint64 {
	s.state += golden
	return mix(s.state)
}

// Float64 returns the next number, uniform in [0, 1).
func (s *Stream) Float64() float64 { return Unit(s.Uint64()) }

// Normal returns the next number with mean 0 and variance 1, by Marsaglia's polar method.
func (s *Stream) Normal() float64 {
	for {
		u, v := float64(2*s.Float64())-1, float64(2*s.Float64())-1
		q := float64(u*u) + float64(v*v)
		if q > 0 && q < 1 {
			return u * math.Sqrt(-2*Log(q)/q)
		}
	}
}
