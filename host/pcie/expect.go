package pcie

// Expect is a requester's record of an outstanding read, configuration read or configuration write.
// It validates completions, so the requester does not need to trust the completer.
type Expect struct {
	Requester ID
	Tag       uint16
	TC        uint8
	Attr      Attr
	Addr      uint64 // of the next byte
	Left      int    // bytes still owed; 0 when the request is done
	NoData    bool   // for a write
	RCB, MPS  int
}

// NewExpect returns the record of a non-posted request. rcb and mps are the requester's values, in
// bytes.
func NewExpect(req *TLP, rcb, mps int) Expect {
	addr, n := req.Span()
	return Expect{
		Requester: req.Requester, Tag: req.Tag, TC: req.TC, Attr: req.Attr,
		Addr: addr, Left: n, NoData: req.Kind.HasData(), RCB: rcb, MPS: mps,
	}
}

// Accept validates a completion. If the completion is legal, Accept advances the expectation and
// returns the completion's bytes, which alias c.Data. A status other than SC ends the request and
// returns no bytes.
//
// An illegal completion leaves the expectation unchanged. The error wraps [ErrUnexpected] if the
// completion belongs to another request or another position. It wraps [ErrMalformed] if no
// completer may send such a completion.
func (e *Expect) Accept(c *TLP) ([]byte, error) {
	if err := e.identify(c); err != nil {
		return nil, err
	}
	if c.Status != SC {
		if c.Kind != Cpl {
			return nil, malformed("completion with status %v carries data", c.Status)
		}
		e.Left = 0
		return nil, nil
	}
	if (c.Kind == Cpl) != e.NoData {
		return nil, unexpected("tag %03x: successful completion by %v, expected data for a read and none for a write", c.Tag, c.Kind)
	}
	if c.ByteCount != e.Left {
		return nil, unexpected("tag %03x: byte count %d, expected %d", c.Tag, c.ByteCount, e.Left)
	}
	if want := uint8(e.Addr & 0x7f); c.LowerAddr != want {
		return nil, unexpected("tag %03x: lower address %#02x, expected %#02x", c.Tag, c.LowerAddr, want)
	}
	if e.NoData {
		e.Left = 0
		return nil, nil
	}
	if err := c.Check(e.MPS, 0); err != nil {
		return nil, err
	}
	b := c.Bytes()
	if end := e.Addr + uint64(len(b)); len(b) < e.Left && end%uint64(e.RCB) != 0 {
		return nil, malformed("tag %03x: completion ends at %#x, expected the end of the read or a multiple of %d", c.Tag, end, e.RCB)
	}
	e.Addr += uint64(len(b))
	e.Left -= len(b)
	return b, nil
}

// identify checks that c belongs to this request.
func (e *Expect) identify(c *TLP) error {
	switch {
	case c.Kind != Cpl && c.Kind != CplD:
		return unexpected("%v, expected a completion", c.Kind)
	case c.Requester != e.Requester || c.Tag != e.Tag:
		return unexpected("completion for %v tag %03x, expected %v tag %03x", c.Requester, c.Tag, e.Requester, e.Tag)
	case c.TC != e.TC || c.Attr != e.Attr:
		return unexpected("tag %03x: traffic class %d and attributes %03b, expected %d and %03b", c.Tag, c.TC, c.Attr, e.TC, e.Attr)
	case e.Left == 0:
		return unexpected("tag %03x: completion of a read that is done", c.Tag)
	}
	return nil
}
