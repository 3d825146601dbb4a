package arch

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum returns the CRC-32C (Castagnoli) that protects commands, completions and beats.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// BeatSum returns the sum, modulo 2^32, of the checksums of the beats in b. The length of b must be
// a multiple of beatBytes.
func BeatSum(beatBytes int, b []byte) (sum uint32) {
	for ; len(b) > 0; b = b[beatBytes:] {
		sum += Checksum(b[:beatBytes])
	}
	return sum
}
