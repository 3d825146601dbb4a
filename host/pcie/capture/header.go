package capture

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Kind is the type of a packet in the file.
type Kind uint8

// The kinds; 1 is reserved for packets of the data link layer.
const (
	KindTLP      Kind = 0
	KindComment  Kind = 2
	KindFunction Kind = 3
	KindDelay    Kind = 4
	KindGap      Kind = 5
)

// Flags describes the fate of a TLP.
type Flags uint16

// Flag bits.
const (
	Dropped  Flags = 1 // the receiver never gets it
	Injected Flags = 2 // it was changed, delayed, dropped or otherwise modified by fault injection
	Added    Flags = 4 // no component sent it: it was inserted after the previous TLP
)

// Header precedes each packet.
type Header struct {
	Kind  Kind
	Dir   link.Direction
	Flags Flags
	Time  des.Time // time at which the first byte enters the link; not negative
}

const (
	headerBytes   = 16
	magic         = 0xc1
	headerVersion = 1
)

func (h Header) append(b []byte) []byte {
	be := binary.BigEndian
	b = append(b, magic, headerVersion, byte(h.Kind), byte(h.Dir), 0, 0)
	b = be.AppendUint16(b, uint16(h.Flags))
	return be.AppendUint64(b, uint64(h.Time))
}

func (h *Header) decode(b []byte) error {
	if len(b) < headerBytes {
		return fmt.Errorf("packet of %d bytes, expected a header of %d", len(b), headerBytes)
	}
	be := binary.BigEndian
	*h = Header{Kind: Kind(b[2]), Dir: link.Direction(b[3]), Flags: Flags(be.Uint16(b[6:])), Time: des.Time(be.Uint64(b[8:]))}
	switch {
	case b[0] != magic || b[1] != headerVersion:
		return fmt.Errorf("packet header begins with %02x %02x, expected %02x %02x: no capture of this program, or of another version", b[0], b[1], magic, headerVersion)
	case h.Kind > KindGap || h.Kind == 1:
		return fmt.Errorf("packet of kind %d, expected %d or %d to %d", h.Kind, KindTLP, KindComment, KindGap)
	case h.Dir > link.Up:
		return fmt.Errorf("direction %d, expected 0 or 1", h.Dir)
	case b[4] != 0 || b[5] != 0 || h.Flags > Dropped|Injected|Added:
		return fmt.Errorf("packet header % x has reserved bits that are set", b[:headerBytes])
	case uint64(h.Time) > math.MaxInt64:
		return fmt.Errorf("time %#x, expected less than 2^63 ps", uint64(h.Time))
	}
	return nil
}

// Function describes the device below the link.
type Function struct {
	ID         pcie.ID
	BAR        link.Window
	MSIXOffset uint64 // of the MSI-X structures in the BAR, below 4 GiB
}

const functionBytes = 24

func (f Function) append(b []byte) []byte {
	be := binary.BigEndian
	b = be.AppendUint16(b, uint16(f.ID))
	b = be.AppendUint16(b, 0)
	b = be.AppendUint32(b, uint32(f.MSIXOffset))
	b = be.AppendUint64(b, f.BAR.Base)
	return be.AppendUint64(b, f.BAR.Size)
}

func (f *Function) decode(b []byte) error {
	if len(b) != functionBytes {
		return fmt.Errorf("function of %d bytes, expected %d", len(b), functionBytes)
	}
	be := binary.BigEndian
	if be.Uint16(b[2:]) != 0 {
		return fmt.Errorf("function % x has reserved bits that are set", b)
	}
	*f = Function{
		ID: pcie.ID(be.Uint16(b)), MSIXOffset: uint64(be.Uint32(b[4:])),
		BAR: link.Window{Base: be.Uint64(b[8:]), Size: be.Uint64(b[16:])},
	}
	if f.BAR.Size == 0 || f.BAR.Base+f.BAR.Size-1 < f.BAR.Base || f.MSIXOffset >= f.BAR.Size {
		return fmt.Errorf("BAR %v with MSI-X at %#x is not a window", f.BAR, f.MSIXOffset)
	}
	return nil
}
