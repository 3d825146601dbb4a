package pcie

import "fmt"

// Gen is the generation of a link, 1 to LastGen.
type Gen int

// LastGen is the last generation that this package supports. Generation 6 frames TLPs differently.
const LastGen = 5

// ByteTime returns the time of a byte on a link with the given number of lanes as an exact
// fraction: ps picoseconds per bytes bytes. The encoding is 8b/10b at 2.5 and 5 GT/s and 128b/130b
// at 8, 16 and 32 GT/s (4.2).
func (g Gen) ByteTime(lanes int) (ps, bytes int64) {
	switch {
	case g < 1 || g > LastGen:
		panic(fmt.Sprintf("pcie: generation %d, expected 1 to %d", g, LastGen))
	case g <= 2:
		return 4000 >> (g - 1), int64(lanes)
	}
	return 8125, 8 << (g - 3) * int64(lanes)
}

// BytesPerSecond returns the raw rate of one direction, for example 15.754e9 for Gen3 x16.
func (g Gen) BytesPerSecond(lanes int) float64 {
	ps, bytes := g.ByteTime(lanes)
	return 1e12 * float64(bytes) / float64(ps)
}

// AckLatency returns the maximum time until a receiver acknowledges a TLP, in picoseconds (3.6.3.1,
// for a maximum payload of 256 bytes). It consists of the time of a large TLP, a factor for wide
// links, and an internal delay.
func (g Gen) AckLatency(lanes int) int64 {
	factor, inside := 1.4, 115.0
	switch {
	case lanes >= 12:
		factor = 3
	case lanes >= 8:
		factor = 2.5
	}
	switch g {
	case 1:
		inside = 19
	case 2:
		inside = 70
	}
	ps, bytes := g.ByteTime(1)
	return int64((256+28)*factor/float64(lanes)+inside) * ps / bytes
}

// FramingBytes is the number of bytes that the link adds to each TLP: STP, sequence number, LCRC
// and END up to Gen2 (1+2+4+1), or STP token and LCRC since Gen3 (4+4).
const FramingBytes = 8

// WireLen returns the number of bytes that the TLP occupies on the link.
func (t *TLP) WireLen() int { return t.Len() + FramingBytes }

// TLPShare returns the share of the raw rate that is left for TLPs when ACK, UpdateFC and SKP are
// sent at the recommended rates. The values are from the pcie-bench model for Gen3, x16 and x8
// (Neugebauer et al., SIGCOMM 2018).
func TLPShare(lanes, mps int) float64 {
	gbps := [2][3]float64{{13.96, 14.21, 14.33}, {7.08, 7.24, 7.16}} // x16, x8
	row, raw := gbps[0], Gen(3).BytesPerSecond(16)
	if lanes <= 8 {
		row, raw = gbps[1], Gen(3).BytesPerSecond(8)
	}
	col := 0
	for col < 2 && mps > 128<<col {
		col++
	}
	return row[col] * 1e9 / raw
}
