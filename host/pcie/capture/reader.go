package capture

import (
	"bufio"
	"fmt"
	"io"

	"github.com/google/gopacket"
	"github.com/google/gopacket/pcapgo"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// Packet is one packet of a capture: the Header and the field that belongs to its kind.
type Packet struct {
	Header
	TLP      pcie.TLP
	Comment  string
	Function Function
	Delay    des.Time
	Gap      uint64 // number of packets before this one that were not kept
}

// Reader reads a capture.
type Reader struct {
	walk    *walker
	pcap    *pcapgo.NgReader
	parser  *gopacket.DecodingLayerParser
	found   []gopacket.LayerType
	packets int
	last    des.Time

	header   headerLayer
	tlp      TLPLayer
	comment  commentLayer
	function functionLayer
	delay    delayLayer
	gap      gapLayer
}

// TornError reports that the rest of a capture is missing: the writer was killed, or the file was
// truncated. All packets that Next returned before are valid.
type TornError struct {
	Packets int      // number of complete packets
	Last    des.Time // of the last complete packet
	Offset  int64    // of the first unusable byte in the file
	Cause   error
}

func (e *TornError) Error() string {
	if e.Packets == 0 {
		return fmt.Sprintf("%v; there is no whole packet", e.Cause)
	}
	return fmt.Sprintf("%v; the last whole packet is number %d, of %v", e.Cause, e.Packets, e.Last)
}

func (e *TornError) Unwrap() error { return e.Cause }

// NewReader returns a reader for a capture. It fails if the start of the file is invalid.
func NewReader(r io.Reader) (*Reader, error) {
	c := &Reader{walk: &walker{from: bufio.NewReader(r)}}
	c.parser = gopacket.NewDecodingLayerParser(LayerTypeHeader, &c.header, &c.tlp, &c.comment, &c.function, &c.delay, &c.gap)
	var err error
	if c.pcap, err = pcapgo.NewNgReader(c.walk, pcapgo.NgReaderOptions{}); err != nil {
		return nil, c.cause(err)
	}
	return c, nil
}

// Next returns the next packet, which the caller may keep. The error is io.EOF at the end of a
// complete capture, and a [*TornError] if the rest is missing.
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
	case KindGap:
		p.Gap = c.gap.Packets
	}
	return p, nil
}

func (c *Reader) bad(format string, args ...any) error {
	return fmt.Errorf("capture: packet %d: "+format, append([]any{c.packets}, args...)...)
}

// cause returns the cause of an error of the library: the walker's error, if there is one.
func (c *Reader) cause(err error) error {
	if found := c.walk.err; found != nil && (found != io.EOF || err == io.EOF) {
		if c.walk.torn && len(c.walk.interfaces) == mostInterfaces {
			return &TornError{c.packets, c.last, c.walk.offset, found}
		}
		return found
	}
	return fmt.Errorf("capture: %w", err)
}
