package arch

import "encoding/binary"

// Completion is an entry of the completion ring.
type Completion struct {
	ID             uint32 // of the command; 0 if it could not be read
	Status         Status
	Phase          bool // true on the first pass through the ring, then false, ...
	Value0, Value1 uint32
	Head           uint16 // commands taken, modulo 2^16
	Sum            uint32 // BeatSum of what the command has written
}

// Where the parts of a completion are, in bytes from its start. What is between them is 0.
const (
	CompletionID     = 0  // 4 bytes
	CompletionStatus = 4  // 1 byte
	CompletionPhase  = 6  // the lowest bit of a byte
	CompletionValues = 8  // two, of 4 bytes each
	CompletionHead   = 16 // 2 bytes
	CompletionSum    = 20 // 4 bytes
	CompletionCRC    = 28 // 4 bytes: Checksum of those before

	CompletionBytes = 32
)

// Encode is the entry of the completion ring, with its CRC.
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

// DecodeCompletion takes an entry of CompletionBytes apart. It tells whether the CRC
// is right; the rest is what the entry says in any case.
func DecodeCompletion(entry []byte) (c Completion, intact bool) {
	le := binary.LittleEndian
	c = Completion{
		ID: le.Uint32(entry[CompletionID:]), Status: Status(entry[CompletionStatus]), Phase: entry[CompletionPhase]&1 != 0,
		Value0: le.Uint32(entry[CompletionValues:]), Value1: le.Uint32(entry[CompletionValues+4:]),
		Head: le.Uint16(entry[CompletionHead:]), Sum: le.Uint32(entry[CompletionSum:]),
	}
	return c, le.Uint32(entry[CompletionCRC:]) == Checksum(entry[:CompletionCRC])
}
