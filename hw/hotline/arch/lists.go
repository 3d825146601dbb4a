package arch

import "encoding/binary"

// HotRow is an entry of the list that hotset writes: a row that the EAL holds, and its block.
type HotRow struct{ ID, Block uint32 }

// Sizes of lists in memory, in bytes.
const (
	WordBytes   = 4  // a lookup of a mini-batch, or a value of a row
	HotRowBytes = 8  // an entry of the hot set
	HotSetUnit  = 64 // the hot set is padded with one bits to a multiple of this
	UpdateBytes = 8  // an entry of an update list: table, index
)

// Append appends the encoded entry to a list.
func (h HotRow) Append(list []byte) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(list, h.ID), h.Block)
}

// HotRowOf decodes the entry at the start of a list.
func HotRowOf(list []byte) HotRow {
	return HotRow{binary.LittleEndian.Uint32(list), binary.LittleEndian.Uint32(list[4:])}
}

// HotSetBytes returns the size in bytes of a hot set with the given number of rows, including
// padding.
func HotSetBytes(rows int) int { return (rows*HotRowBytes + HotSetUnit - 1) / HotSetUnit * HotSetUnit }
