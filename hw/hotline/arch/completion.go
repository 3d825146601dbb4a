package arch

import "encoding/binary"

// Completion is an entry of the completion ring.
type Completion struct {
	ID             uint32 // id of the command; 0 if the command could not be read
	Status         Status
	Phase          bool // true on the first pass through the ring, then alternating
	Value0, Value1 uint32
	Head           uint16 // number of commands taken, modulo 2^16
	Sum            uint32 // BeatSum of the data that the command has written
}

// Byte offsets of the fields of a completion. The bytes between them are 0.
const (
	CompletionID     = 0  // 4 bytes
	CompletionStatus = 4  // 1 byte
	CompletionPhase  = 6  // the lowest bit of a byte
	CompletionValues = 8  // two values of 4 bytes
	CompletionHead   = 16 // 2 bytes
	CompletionSum    = 20 // 4 bytes
	CompletionCRC    = 28 // 4 bytes: Checksum of the bytes before it

	CompletionBytes = 32
)

// Encode returns the entry of the completion ring, with its CRC.
func (c Completion) Encode() []byte {
	le, b := binary.LittleEndian, make([]byte, CompletionBytes)
	le.PutUint32(b[CompletionID:], c.ID)
	b[CompletionStatus] = byte(c.Status)
	if c.Phase {
		b[CompletionPhase] = 1
	}
	le.PutUint32(b[CompletionValues:], c.Value0)
	le.PutUint32(b[CompletionValues+4:], c.Value1)
	le.PutUint16(b[CompletionHead:], c.Head)
	le.PutUint32(b[CompletionSum:], c.Sum)
	le.PutUint32(b[CompletionCRC:], Checksum(b[:CompletionCRC]))
	return b
}

// DecodeCompletion decodes an entry of CompletionBytes bytes. It reports whether the CRC is
// correct, and returns the fields even if it is not.
func DecodeCompletion(entry []byte) (c Completion, intact bool) {
	le := binary.LittleEndian
	c = Completion{
		ID: le.Uint32(entry[CompletionID:]), Status: Status(entry[CompletionStatus]), Phase: entry[CompletionPhase]&1 != 0,
		Value0: le.Uint32(entry[CompletionValues:]), Value1: le.Uint32(entry[CompletionValues+4:]),
		Head: le.Uint16(entry[CompletionHead:]), Sum: le.Uint32(entry[CompletionSum:]),
	}
	return c, le.Uint32(entry[CompletionCRC:]) == Checksum(entry[:CompletionCRC])
}
