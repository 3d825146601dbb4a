package oracle

// keys are the four round keys of the permutation.
var keys = [4]uint64{0x9E37, 0x79B9, 0x7F4A, 0x5F35}

// feistel is a permutation of IDs with this number of bits.
type feistel int

func (w feistel) halves() (hi, lo int) { return (int(w) + 1) / 2, int(w) / 2 }

// round computes the round function F on numbers of m bits.
func round(x, k uint64, m int) uint64 {
	mask := uint64(1)<<m - 1
	x = (x + k) & mask
	x = (x + x<<3) & mask
	x ^= x >> (m / 2)
	r := m/2 - 1
	x = (x + (x<<r | x>>(m-r))) & mask
	return x ^ x>>(m/3)
}

func (w feistel) apply(x uint64, order [4]int) uint64 {
	hiBits, loBits := w.halves()
	hi, lo := x>>loBits, x&(1<<loBits-1)
	for _, i := range order {
		if i%2 == 0 {
			lo ^= round(hi, keys[i], hiBits) & (1<<loBits - 1)
		} else {
			hi ^= round(lo, keys[i], hiBits)
		}
	}
	return hi<<loBits | lo
}

// forward returns the place of an ID. From the low end, a place consists of the bank, the set in
// the bank and the tag.
func (w feistel) forward(id uint32) uint64 { return w.apply(uint64(id), [4]int{0, 1, 2, 3}) }
