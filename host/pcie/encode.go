package pcie

import (
	"encoding/binary"
	"fmt"
)

// The first header byte, Fmt and Type (2.2.1).
const (
	fmt4DW  = 0x20 // Fmt[0]: header of four DWs
	fmtData = 0x40 // Fmt[1]: with data
	typeMem = 0x00
	typeCfg = 0x04 // low bit: type 1
	typeCpl = 0x0a
	typeMsg = 0x10 // low three bits: routing
)

// AppendTo appends the encoded TLP: header, payload, and digest if TD is set. It fails if a field
// does not fit its place in the header, or if payload and Length disagree. It does not check the
// rules of [TLP.Check].
func (t *TLP) AppendTo(dst []byte) ([]byte, error) {
	if err := t.fits(); err != nil {
		return dst, err
	}
	var h [16]byte
	dst = append(dst, t.header(&h)...)
	dst = append(dst, t.Data...)
	if t.TD {
		dst = binary.LittleEndian.AppendUint32(dst, t.Digest)
	}
	return dst, nil
}

// fits checks that every encoded field fits.
func (t *TLP) fits() error {
	if t.Kind >= kinds {
		return fmt.Errorf("pcie: encode: unknown kind %v", t.Kind)
	}
	wantData := 0
	if t.Kind.HasData() {
		wantData = 4 * t.Length
	}
	if len(t.Data) != wantData {
		return fmt.Errorf("pcie: encode %v: payload of %d bytes, expected %d for a length of %d DWs", t.Kind, len(t.Data), wantData, t.Length)
	}
	minLength, maxLength := 1, MaxLength
	if t.Kind == Cpl || t.Kind == Msg {
		minLength, maxLength = 0, 0
	}
	for _, f := range []struct {
		name        string
		v, min, max int
	}{
		{"length", t.Length, minLength, maxLength},
		{"traffic class", int(t.TC), 0, 7},
		{"attributes", int(t.Attr), 0, 7},
		{"address type", int(t.AT), 0, 3},
		{"tag", int(t.Tag), 0, MaxTag},
		{"first byte enables", int(t.FirstBE), 0, 15},
		{"last byte enables", int(t.LastBE), 0, 15},
		{"status", int(t.Status), 0, 7},
		{"lower address", int(t.LowerAddr), 0, 127},
		{"routing", int(t.Route), 0, 7},
	} {
		if f.v < f.min || f.v > f.max {
			return fmt.Errorf("pcie: encode %v: %s %d, expected %d to %d", t.Kind, f.name, f.v, f.min, f.max)
		}
	}
	switch t.Kind {
	case MRd, MWr:
		if t.Addr&3 != 0 {
			return fmt.Errorf("pcie: encode %v: address %#x, expected a multiple of 4", t.Kind, t.Addr)
		}
	case Cpl, CplD:
		if t.ByteCount < 1 || t.ByteCount > 4096 {
			return fmt.Errorf("pcie: encode %v: byte count %d, expected 1 to 4096", t.Kind, t.ByteCount)
		}
	case CfgRd0, CfgWr0, CfgRd1, CfgWr1:
		if t.Addr&3 != 0 || t.Addr > 0xffc {
			return fmt.Errorf("pcie: encode %v: register %#x, expected a multiple of 4 below 0x1000", t.Kind, t.Addr)
		}
	}
	return nil
}

// header encodes the header into h and returns the used part. The fields must fit.
func (t *TLP) header(h *[16]byte) []byte {
	be := binary.BigEndian
	n := t.HeaderLen()
	be.PutUint32(h[0:], t.dw0(n))
	switch t.Kind {
	case MRd, MWr:
		be.PutUint32(h[4:], uint32(t.Requester)<<16|uint32(t.Tag&0xff)<<8|uint32(t.LastBE)<<4|uint32(t.FirstBE))
		if n == 16 {
			be.PutUint64(h[8:], t.Addr)
		} else {
			be.PutUint32(h[8:], uint32(t.Addr))
		}
	case Cpl, CplD:
		be.PutUint32(h[4:], uint32(t.Completer)<<16|uint32(t.Status)<<13|bit(t.BCM, 12)|uint32(t.ByteCount&0xfff))
		be.PutUint32(h[8:], uint32(t.Requester)<<16|uint32(t.Tag&0xff)<<8|uint32(t.LowerAddr))
	case CfgRd0, CfgWr0, CfgRd1, CfgWr1:
		be.PutUint32(h[4:], uint32(t.Requester)<<16|uint32(t.Tag&0xff)<<8|uint32(t.LastBE)<<4|uint32(t.FirstBE))
		be.PutUint32(h[8:], uint32(t.Completer)<<16|uint32(t.Addr))
	default:
		be.PutUint32(h[4:], uint32(t.Requester)<<16|uint32(t.Tag&0xff)<<8|uint32(t.Code))
		be.PutUint64(h[8:], t.Addr)
	}
	return h[:n]
}

// dw0 returns the first DW of a header of n bytes (2.2.1).
func (t *TLP) dw0(n int) uint32 {
	first := uint32(typeMem)
	switch t.Kind {
	case Cpl, CplD:
		first = typeCpl
	case Msg, MsgD:
		first = typeMsg | uint32(t.Route)
	case CfgRd0, CfgWr0:
		first = typeCfg
	case CfgRd1, CfgWr1:
		first = typeCfg | 1
	}
	if n == 16 {
		first |= fmt4DW
	}
	if t.Kind.HasData() {
		first |= fmtData
	}
	tag := uint32(t.Tag)
	return first<<24 | tag>>9&1<<23 | uint32(t.TC)<<20 | tag>>8&1<<19 | uint32(t.Attr>>2)<<18 |
		bit(t.TD, 15) | bit(t.EP, 14) | uint32(t.Attr&3)<<12 | uint32(t.AT)<<10 | uint32(t.Length)&0x3ff
}

func bit(b bool, pos int) uint32 {
	if b {
		return 1 << pos
	}
	return 0
}
