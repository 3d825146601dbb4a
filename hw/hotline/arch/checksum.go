package arch

import "hash/crc32"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is the CRC-32C of commands, completions and beats.
func Checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// BeatSum adds up the checksums of the beats in b: whole ones, of so many bytes.
func BeatSum(beatBytes int, b []byte) (sum uint32) {
	for ; len(b) > 0; b = b[beatBytes:] {
		sum += Checksum(b[:beatBytes])
	}
	return sum
}
