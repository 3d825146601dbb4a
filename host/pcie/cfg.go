package pcie

import "encoding/binary"

// NewConfigRead returns a type 0 request to read the DW at offset at, a multiple of 4, in the
// configuration space of target. The completion also contains the bytes that are not enabled; their
// values are undefined.
func NewConfigRead(requester ID, tag uint16, target ID, at int, enables uint8) *TLP {
	return &TLP{Kind: CfgRd0, Requester: requester, Tag: tag, Completer: target, Addr: uint64(at), Length: 1, FirstBE: enables}
}

// NewConfigWrite returns a type 0 request to write the enabled bytes of v at offset at, a multiple
// of 4.
func NewConfigWrite(requester ID, tag uint16, target ID, at int, v uint32, enables uint8) *TLP {
	t := newTLP(1)
	t.Kind, t.Requester, t.Tag, t.Completer, t.Addr, t.FirstBE = CfgWr0, requester, tag, target, uint64(at), enables
	binary.LittleEndian.PutUint32(t.Data, v)
	return t
}

// NewConfigDone returns the completion of a successful configuration request: with v for a read,
// without data for a write.
func NewConfigDone(req *TLP, completer ID, v uint32) *TLP {
	if req.Kind.HasData() {
		return NewFailure(req, completer, 0, 4, SC)
	}
	t := NewCompletion(req, completer, 0, 4, 4)
	binary.LittleEndian.PutUint32(t.Data, v)
	return t
}
