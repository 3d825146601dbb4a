package pcie

// Expect is what a requester remembers of an outstanding read or configuration
// write, so that it need not trust the completer.
type Expect struct {
	Requester ID
	Tag       uint16
	TC        uint8
	Attr      Attr
	Addr      uint64 // of the next byte
	Left      int    // bytes still owed; 0 when the request is done
	NoData    bool   // of a write
	RCB, MPS  int
}

// NewExpect is the expectation that goes with a request that is not posted. rcb and mps are
// those of the requester.
func NewExpect(req *TLP, rcb, mps int) Expect {
	addr, n := req.Span()
	return Expect{
		Requester: req.Requester, Tag: req.Tag, TC: req.TC, Attr: req.Attr,
		Addr: addr, Left: n, NoData: req.Kind.HasData(), RCB: rcb, MPS: mps,
	}
}

// Accept takes a completion. A legal one moves the expectation on and its
// bytes are returned; they are a part of c.Data. A status other than SC ends
// the read, with no bytes.
//
// Any other completion leaves the expectation as it was, and is an error that
// wraps [ErrUnexpected] when it belongs to another request or another place,
// and [ErrMalformed] when no completer may form it.
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

// identify checks that c answers this request.
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
