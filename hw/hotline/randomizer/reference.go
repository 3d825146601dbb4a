package randomizer

// Rounds is the number of rounds. It is also the latency of the pipeline in cycles.
const Rounds = 4

// Limits of the width of an id in bits.
const (
	MinWidth = 12
	MaxWidth = 32
)

// keys are the round keys; a round adds the low bits of its key.
var keys = [Rounds]uint32{0x9E37, 0x79B9, 0x7F4A, 0x5F35}

// Permute returns the image of the w-bit id x.
func Permute(w int, x uint32) uint32 {
	h := split(w, x)
	for i := range Rounds {
		h.round(w, i)
	}
	return h.join(w)
}

// Invert returns the id whose image is the w-bit number y.
func Invert(w int, y uint32) uint32 {
	h := split(w, y)
	for i := Rounds - 1; i >= 0; i-- {
		h.round(w, i)
	}
	return h.join(w)
}

// halves is a w-bit number split into its high ceil(w/2) and low floor(w/2) bits.
type halves struct{ hi, lo uint32 }

func split(w int, x uint32) halves { return halves{x >> (w / 2), x & mask(w/2)} }

func (h halves) join(w int) uint32 { return h.hi<<(w/2) | h.lo }

// round applies round i, which is its own inverse.
func (h *halves) round(w, i int) {
	m := w - w/2
	if changesLow(i) {
		h.lo ^= mix(m, h.hi, keys[i]) & mask(w/2)
	} else {
		h.hi ^= mix(m, h.lo, keys[i])
	}
}

// changesLow reports whether round i changes the low half.
func changesLow(i int) bool { return i%2 == 0 }

// mix applies the round function to an m-bit number.
func mix(m int, x, key uint32) uint32 {
	all := mask(m)
	x = (x + key) & all
	x = (x + x<<3) & all
	x ^= x >> (m / 2)
	r := m/2 - 1
	x = (x + (x<<r | x>>(m-r))) & all
	return x ^ x>>(m/3)
}

func mask(w int) uint32 { return 1<<w - 1 }
