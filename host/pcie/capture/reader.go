package capture

import (
	"bufio"
	"fmt"
	"io"

	"github.com/google/gopacket"
	"github.com/google/gopacket/pcapgo"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// Packet is what a capture holds, one after the other: Header and, by its kind,
// one of the others.
type Packet struct {
	Header
	TLP      pcie.TLP
	Comment  string
	Function Function
	Delay    node.Time
}

// Reader reads a capture.
type Reader struct {
	walk    *walker
	pcap    *pcapgo.NgReader
	parser  *gopacket.DecodingLayerParser
	found   []gopacket.LayerType
	packets int
	last    node.Time

	header   headerLayer
	tlp      TLPLayer
	comment  commentLayer
	function functionLayer
	delay    delayLayer
}

// NewReader begins to read. The error is of the start of the file.
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{walk: &walker{from: bufio.NewReader(r)}}
	c.parser = gopacket.NewDecodingLayerParser(LayerTypeHeader, &c.header, &c.tlp, &c.comment, &c.function, &c.delay)
	var err error
	if c.pcap, err = pcapgo.NewNgReader(c.walk, pcapgo.NgReaderOptions{}); err != nil {
		return nil, c.cause(err)
	}
	return c, nil
}

// Next is the next packet; it may be kept. The error is io.EOF at the end of a
// capture that is whole.
func (c *Reader) Next() (Packet, error) {
	b, info, err := c.pcap.ReadPacketData()
	if err != nil {
		return Packet{}, c.cause(err)
	}
	c.packets++
	if err := c.parser.DecodeLayers(b, &c.found); err != nil {
		return Packet{}, c.bad("%w", err)
	}
	h := c.header.Header
	switch {
	case info.InterfaceIndex != int(h.Dir):
		return Packet{}, c.bad("direction %v on interface %d", h.Dir, info.InterfaceIndex)
	case !info.Timestamp.Equal(wall(h.Time)):
		return Packet{}, c.bad("time %v in the header, but another one, %v, in the block", h.Time, info.Timestamp)
	case h.Time < c.last:
		return Packet{}, c.bad("time %v behind %v", h.Time, c.last)
	}
	c.last = h.Time
	p := Packet{Header: h}
	switch h.Kind {
	case KindTLP:
		p.TLP = c.tlp.TLP
	case KindComment:
		p.Comment = c.comment.Text
	case KindFunction:
		p.Function = c.function.Function
	case KindDelay:
		p.Delay = c.delay.Delay
	}
	return p, nil
}

func (c *Reader) bad(format string, args ...any) error {
	return fmt.Errorf("capture: packet %d: "+format, append([]any{c.packets}, args...)...)
}

// cause is the error behind one of the library: the walker's, if it has found
// something.
func (c *Reader) cause(err error) error {
	if found := c.walk.err; found != nil && (found != io.EOF || err == io.EOF) {
		return found
	}
	return fmt.Errorf("capture: %w", err)
}
