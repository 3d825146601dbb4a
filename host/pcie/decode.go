package pcie

import (
	"encoding/binary"
	"fmt"
)

// Decode decodes exactly one TLP; additional bytes are an error. Data of the result aliases b. Bits
// that this package does not model (TH, LN, PH and reserved bits) must be zero, so that encoding
// the result gives b again.
func Decode(b []byte) (TLP, error) {
	var t TLP
	if len(b) < 12 {
		return t, fmt.Errorf("pcie: decode: %d bytes, expected a header of at least 12", len(b))
	}
	be := binary.BigEndian
	dw0 := be.Uint32(b)
	if err := t.setKind(b[0]); err != nil {
		return t, err
	}
	if err := t.setDW0(dw0); err != nil {
		return t, err
	}
	hdr := 12
	if b[0]&fmt4DW != 0 {
		hdr = 16
	}
	want := hdr + t.payload()
	if t.TD {
		want += 4
	}
	if len(b) != want {
		return t, fmt.Errorf("pcie: decode %v: %d bytes, expected %d for a header of %d, a length of %d DWs and TD=%d",
			t.Kind, len(b), want, hdr, t.Length, dw0>>15&1)
	}
	dw1, dw2 := be.Uint32(b[4:]), be.Uint32(b[8:])
	t.Tag |= uint16(dw1 >> 8 & 0xff)
	t.Requester = ID(dw1 >> 16)
	var err error
	switch t.Kind {
	case MRd, MWr:
		t.FirstBE, t.LastBE = uint8(dw1&0xf), uint8(dw1>>4&0xf)
		err = t.setAddr(b[8:hdr])
	case Cpl, CplD:
		err = t.setCompletion(dw1, dw2)
	case CfgRd0, CfgWr0, CfgRd1, CfgWr1:
		t.FirstBE, t.LastBE = uint8(dw1&0xf), uint8(dw1>>4&0xf)
		err = t.setRegister(dw2)
	default:
		t.Code, t.Addr = uint8(dw1), be.Uint64(b[8:])
	}
	if err != nil {
		return t, err
	}
	if n := t.payload(); n > 0 {
		t.Data = b[hdr : hdr+n : hdr+n]
	}
	if t.TD {
		t.Digest = binary.LittleEndian.Uint32(b[want-4:])
	}
	return t, nil
}

// setKind decodes the first header byte.
func (t *TLP) setKind(first byte) error {
	data := first&fmtData != 0
	pick := func(without, with Kind) {
		if t.Kind = without; data {
			t.Kind = with
		}
	}
	switch base := first &^ fmtData; {
	case first&0x80 != 0:
		return fmt.Errorf("pcie: decode: first byte %#02x is a prefix, expected a header", first)
	case base&^fmt4DW == typeMem:
		pick(MRd, MWr)
	case base == typeCfg:
		pick(CfgRd0, CfgWr0)
	case base == typeCfg|1:
		pick(CfgRd1, CfgWr1)
	case base == typeCpl:
		pick(Cpl, CplD)
	case base&^7 == fmt4DW|typeMsg:
		pick(Msg, MsgD)
		t.Route = first & 7
	default:
		return fmt.Errorf("pcie: decode: unsupported first byte %#02x, expected a memory or configuration request, a completion or a message", first)
	}
	return nil
}

// setDW0 decodes the fields of the first DW after Fmt and Type.
func (t *TLP) setDW0(dw0 uint32) error {
	if dw0&(1<<17|1<<16) != 0 {
		return fmt.Errorf("pcie: decode %v: LN and TH bits are %02b, expected 00", t.Kind, dw0>>16&3)
	}
	t.TC = uint8(dw0 >> 20 & 7)
	t.Attr = Attr(dw0>>18&1<<2 | dw0>>12&3)
	t.AT = uint8(dw0 >> 10 & 3)
	t.TD, t.EP = dw0>>15&1 != 0, dw0>>14&1 != 0
	t.Tag = uint16(dw0>>23&1<<9 | dw0>>19&1<<8)
	t.Length = int(dw0 & 0x3ff)
	if t.Kind == Cpl || t.Kind == Msg {
		if t.Length != 0 {
			return fmt.Errorf("pcie: decode %v: length %d, expected 0 without data", t.Kind, t.Length)
		}
	} else if t.Length == 0 {
		t.Length = MaxLength
	}
	return nil
}

// payload returns the size of the payload in bytes according to the header.
func (t *TLP) payload() int {
	if t.Kind.HasData() {
		return 4 * t.Length
	}
	return 0
}

// setAddr decodes the address of a memory request from 4 or 8 bytes.
func (t *TLP) setAddr(b []byte) error {
	if len(b) == 4 {
		t.Addr = uint64(binary.BigEndian.Uint32(b))
	} else if t.Addr = binary.BigEndian.Uint64(b); t.Addr < 1<<32 {
		return fmt.Errorf("pcie: decode %v: header of 4 DWs for address %#x, expected 3 DWs below 4 GiB", t.Kind, t.Addr)
	}
	if t.Addr&3 != 0 {
		return fmt.Errorf("pcie: decode %v: processing hint %02b, expected 00", t.Kind, t.Addr&3)
	}
	return nil
}

// setRegister decodes the third DW of a configuration request.
func (t *TLP) setRegister(dw2 uint32) error {
	if dw2&0xf003 != 0 {
		return fmt.Errorf("pcie: decode %v: reserved bits of DW 2 are %#04x, expected 0", t.Kind, dw2&0xf003)
	}
	t.Completer, t.Addr = ID(dw2>>16), uint64(dw2&0xffc)
	return nil
}

// setCompletion decodes the second and third DW of a completion.
func (t *TLP) setCompletion(dw1, dw2 uint32) error {
	if dw2&0x80 != 0 {
		return fmt.Errorf("pcie: decode %v: reserved bit 7 of DW 2 is set", t.Kind)
	}
	t.Completer = ID(dw1 >> 16)
	t.Status = Status(dw1 >> 13 & 7)
	t.BCM = dw1>>12&1 != 0
	if t.ByteCount = int(dw1 & 0xfff); t.ByteCount == 0 {
		t.ByteCount = 4096
	}
	t.Requester = ID(dw2 >> 16)
	t.Tag = t.Tag&0x300 | uint16(dw2>>8&0xff)
	t.LowerAddr = uint8(dw2 & 0x7f)
	return nil
}
