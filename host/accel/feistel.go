package accel

// permutation is the keyed Feistel network on ids of width bits.
type permutation struct{ width int }

// roundKeys are K of docs/accelerator.md.
var roundKeys = [4]uint32{0x9E37, 0x79B9, 0x7F4A, 0x5F35}

// apply gives the key of an id.
func (p permutation) apply(id uint32) uint32 {
	for i := range roundKeys {
		id = p.round(id, i)
	}
	return id
}

// invert gives the id of a key.
func (p permutation) invert(key uint32) uint32 {
	for i := len(roundKeys) - 1; i >= 0; i-- {
		key = p.round(key, i)
	}
	return key
}

// round is its own inverse: it changes one half by a function of the other.
func (p permutation) round(x uint32, i int) uint32 {
	low := p.width / 2
	lowMask := uint32(1)<<low - 1
	if i%2 == 0 {
		return x ^ p.mix(x>>low, roundKeys[i])&lowMask
	}
	return x ^ p.mix(x&lowMask, roundKeys[i])<<low
}

// mix is F, on as many bits as the high half has.
func (p permutation) mix(x, key uint32) uint32 {
	m := p.width - p.width/2
	mask := uint32(1)<<m - 1
	rotate := m/2 - 1
	x = (x + key) & mask
	x = (x + x<<3) & mask
	x ^= x >> (m / 2)
	x = (x + (x<<rotate | x>>(m-rotate))) & mask
	return x ^ x>>(m/3)
}
