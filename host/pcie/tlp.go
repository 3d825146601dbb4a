package pcie

import "fmt"

// Kind is the transaction type of a TLP.
type Kind uint8

// The kinds of TLP that this package supports. I/O, atomic operations and prefixes are not
// supported.
const (
	MRd    Kind = iota // memory read request
	MWr                // memory write request
	Cpl                // completion without data
	CplD               // completion with data
	Msg                // message
	MsgD               // message with data
	CfgRd0             // configuration read request for a function on the link
	CfgWr0             // configuration write request for a function on the link
	CfgRd1             // configuration read request for a function beyond a switch
	CfgWr1             // configuration write request for a function beyond a switch
	kinds
)

func (k Kind) String() string {
	if k < kinds {
		return [kinds]string{"MRd", "MWr", "Cpl", "CplD", "Msg", "MsgD", "CfgRd0", "CfgWr0", "CfgRd1", "CfgWr1"}[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// HasData reports whether TLPs of this kind carry a payload.
func (k Kind) HasData() bool {
	return k == MWr || k == CplD || k == MsgD || k == CfgWr0 || k == CfgWr1
}

// IsConfig reports whether TLPs of this kind are configuration requests.
func (k Kind) IsConfig() bool { return k >= CfgRd0 && k <= CfgWr1 }

// ID is a requester or completer ID: bus, device, function.
type ID uint16

// NewID returns the ID with an 8-bit bus, a 5-bit device and a 3-bit function.
func NewID(bus, device, function int) ID {
	return ID(bus&0xff<<8 | device&0x1f<<3 | function&7)
}

// String formats the ID like lspci: 01:00.0.
func (id ID) String() string {
	return fmt.Sprintf("%02x:%02x.%d", uint8(id>>8), uint8(id>>3&0x1f), uint8(id&7))
}

// Status is the status of a completion.
type Status uint8

// Completion statuses (2.2.9). All other values are reserved and count as UR.
const (
	SC  Status = 0 // successful completion
	UR  Status = 1 // unsupported request
	CRS Status = 2 // configuration request retry
	CA  Status = 4 // completer abort
)

func (s Status) String() string {
	switch s {
	case SC:
		return "SC"
	case UR:
		return "UR"
	case CRS:
		return "CRS"
	case CA:
		return "CA"
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// Attr contains the attributes of a TLP (2.2.6.3).
type Attr uint8

// Attribute bits.
const (
	NoSnoop         Attr = 1
	RelaxedOrdering Attr = 2
	IDOrdering      Attr = 4
)

// Message codes (2.2.8).
const (
	MsgUnlock         = 0x00
	MsgLTR            = 0x10
	MsgPMETurnOff     = 0x19
	MsgPMETOAck       = 0x1b
	MsgErrCorrectable = 0x30
	MsgErrNonFatal    = 0x31
	MsgErrFatal       = 0x33
	MsgSlotPowerLimit = 0x50
)

// Message routings, the low bits of the type field (2.2.8).
const (
	ToRoot    = 0
	ByAddress = 1
	ByID      = 2
	Broadcast = 3
	Local     = 4
	Gather    = 5
)

// MaxTag is the largest tag, with ten bits.
const MaxTag = 1<<10 - 1

// MaxLength is the largest Length, in DWs.
const MaxLength = 1024

// TLP is a transaction-layer packet. Kind determines which fields are used; unused fields are zero.
// A DW is four bytes.
type TLP struct {
	Kind Kind
	TC   uint8 // traffic class, 3 bits
	Attr Attr  // 3 bits
	AT   uint8 // address type, 2 bits
	EP   bool  // poisoned

	// TD indicates that a digest (ECRC), with the value Digest, follows the payload. A digest that
	// does not match the packet means a corrupted packet and is not an encoding error; see
	// [TLP.ECRC].
	TD     bool
	Digest uint32

	// Length is the size in DWs of the payload, or of the data to read: 1 to 1024, and 0 for Cpl
	// and Msg.
	Length int
	// Data is the payload, 4*Length bytes, in address order.
	Data []byte

	Requester ID
	Tag       uint16 // 10 bits

	// Requests: Addr is a multiple of 4. For configuration requests, it is the offset of a
	// register, below 4096. For messages, it contains DW 2 and 3 unmodified.
	Addr    uint64
	FirstBE uint8 // 4 bits
	LastBE  uint8 // 4 bits

	// Completer is the sender of a completion, or the target function of a configuration request.
	Completer ID

	// Completions.
	Status    Status
	BCM       bool  // byte count modified, by PCI-X bridges only
	ByteCount int   // bytes still owed, including this TLP: 1 to 4096
	LowerAddr uint8 // low 7 bits of the address of the first byte

	// Messages.
	Route uint8 // 3 bits
	Code  uint8

	// MSIX marks a memory write as an interrupt. It is the requester's vector number plus 1, and 0
	// for all other TLPs. It is not part of the packet. A host that holds the MSI-X table itself
	// uses it, because there no address identifies interrupts.
	MSIX int
}

// NewRead returns a request to read n bytes at addr. A read of no bytes is a flush: one DW without
// enabled bytes. The request must not cross a 4 KiB boundary; use [Split] for larger transfers.
func NewRead(requester ID, tag uint16, addr uint64, n int) *TLP {
	first, last := Enables(addr, n)
	return &TLP{
		Kind: MRd, Requester: requester, Tag: tag,
		Addr: addr &^ 3, Length: DWs(addr, n), FirstBE: first, LastBE: last,
	}
}

// NewWrite returns a request to write a copy of data at addr. Like a read, it must not cross a 4
// KiB boundary.
func NewWrite(requester ID, addr uint64, data []byte) *TLP {
	first, last := Enables(addr, len(data))
	t := newTLP(DWs(addr, len(data)))
	t.Kind, t.Requester = MWr, requester
	t.Addr, t.FirstBE, t.LastBE = addr&^3, first, last
	copy(t.Data[addr&3:], data)
	return t
}

// NewCompletion returns the completion of a read with n bytes at addr, where left bytes were owed
// before it. The caller fills in [TLP.Bytes].
func NewCompletion(req *TLP, completer ID, addr uint64, left, n int) *TLP {
	t := newTLP(DWs(addr, n))
	t.Kind, t.TC, t.Attr, t.Requester, t.Tag = CplD, req.TC, req.Attr, req.Requester, req.Tag
	t.Completer, t.ByteCount, t.LowerAddr = completer, left, uint8(addr&0x7f)
	return t
}

// newTLP returns a TLP with a payload of length DWs. A small payload shares one allocation with the
// TLP.
func newTLP(length int) *TLP {
	const small = 64
	if 4*length > small {
		return &TLP{Length: length, Data: make([]byte, 4*length)}
	}
	t := &struct {
		TLP
		payload [small]byte
	}{}
	t.Length, t.Data = length, t.payload[:4*length:4*length]
	return &t.TLP
}

// NewFailure returns the completion that ends a request with a status other than SC, while left
// bytes starting at addr are still owed.
func NewFailure(req *TLP, completer ID, addr uint64, left int, status Status) *TLP {
	return &TLP{
		Kind: Cpl, TC: req.TC, Attr: req.Attr, Requester: req.Requester, Tag: req.Tag,
		Completer: completer, Status: status, ByteCount: left, LowerAddr: uint8(addr & 0x7f),
	}
}

// NewMessage returns a message without data to the root complex.
func NewMessage(requester ID, code uint8) *TLP {
	return &TLP{Kind: Msg, Requester: requester, Route: ToRoot, Code: code}
}

// HeaderLen returns the size of the header in bytes: 12, or 16 for messages and for addresses of at
// least 4 GiB.
func (t *TLP) HeaderLen() int {
	switch t.Kind {
	case MRd, MWr:
		if t.Addr < 1<<32 {
			return 12
		}
		return 16
	case Msg, MsgD:
		return 16
	}
	return 12
}

// Len returns the size of the encoded TLP in bytes, including payload and digest.
func (t *TLP) Len() int {
	n := t.HeaderLen() + len(t.Data)
	if t.TD {
		n += 4
	}
	return n
}

// String formats the TLP on one line. All numbers except sizes are hexadecimal.
func (t *TLP) String() string {
	var s string
	switch t.Kind {
	case MRd, MWr:
		s = fmt.Sprintf("%v %v tag=%03x @%0*x len=%d be=%x%x", t.Kind, t.Requester, t.Tag,
			2*(t.HeaderLen()-8), t.Addr, t.Length, t.LastBE, t.FirstBE)
	case Cpl, CplD:
		s = fmt.Sprintf("%v %v>%v tag=%03x %v bc=%d la=%02x len=%d", t.Kind, t.Completer, t.Requester, t.Tag,
			t.Status, t.ByteCount, t.LowerAddr, t.Length)
	case CfgRd0, CfgWr0, CfgRd1, CfgWr1:
		s = fmt.Sprintf("%v %v>%v tag=%03x @%03x be=%x", t.Kind, t.Requester, t.Completer, t.Tag, t.Addr, t.FirstBE)
	default:
		s = fmt.Sprintf("%v %v tag=%03x code=%02x route=%d len=%d", t.Kind, t.Requester, t.Tag, t.Code, t.Route, t.Length)
	}
	if t.EP {
		s += " [EP]"
	}
	return s
}
