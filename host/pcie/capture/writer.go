package capture

import (
	"io"
	"strings"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/pcapgo"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// mostText is how long a comment may be, in bytes.
const mostText = 1024

// Writer writes a capture. Its first error is kept, and Close gives it; what is
// written behind an error is lost.
type Writer struct {
	pcap    *pcapgo.NgWriter
	buffer  gopacket.SerializeBuffer
	packets [2]uint64 // by direction
	latest  node.Time
	err     error
}

// NewWriter begins a capture of the link with this name.
func NewWriter(w io.Writer, name string) (*Writer, error) {
	on := func(d link.Direction) pcapgo.NgInterface {
		return pcapgo.NgInterface{Name: name + " " + d.String(), LinkType: LinkType}
	}
	pcap, err := pcapgo.NewNgWriterInterface(w, on(link.Down), pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "hotline"}})
	if err != nil {
		return nil, err
	}
	_, err = pcap.AddInterface(on(link.Up))
	return &Writer{pcap: pcap, buffer: gopacket.NewSerializeBuffer()}, err
}

// TLP writes a TLP. One that has no encoding becomes a comment.
func (w *Writer) TLP(dir link.Direction, at node.Time, flags Flags, t *pcie.TLP) {
	if err := w.packet(Header{KindTLP, dir, flags, at}, &TLPLayer{TLP: *t}); err != nil {
		w.Comment(dir, at, "a TLP that cannot be written: "+err.Error())
	}
}

// Comment writes a text, which is cut after 1,024 bytes and not empty.
func (w *Writer) Comment(dir link.Direction, at node.Time, text string) {
	text = strings.ToValidUTF8(text[:min(len(text), mostText)], "")
	w.must(Header{Kind: KindComment, Dir: dir, Time: at}, &commentLayer{Text: text})
}

// Function writes what the device below is from now on.
func (w *Writer) Function(f Function) {
	w.must(Header{Kind: KindFunction, Time: w.latest}, &functionLayer{Function: f})
}

// Delay writes that the next TLP arrives so much too late: 1 ps to 2^60 ps.
func (w *Writer) Delay(dir link.Direction, at, late node.Time) {
	w.must(Header{Kind: KindDelay, Dir: dir, Time: at}, &delayLayer{Delay: late})
}

// must writes a packet that has an encoding.
func (w *Writer) must(h Header, rest gopacket.SerializableLayer) {
	if err := w.packet(h, rest); err != nil {
		panic(err)
	}
}

// packet writes a packet; the error is that it has no encoding.
func (w *Writer) packet(h Header, rest gopacket.SerializableLayer) error {
	if w.err != nil {
		return nil
	}
	if err := gopacket.SerializeLayers(w.buffer, gopacket.SerializeOptions{}, &headerLayer{Header: h}, rest); err != nil {
		return err
	}
	b := w.buffer.Bytes()
	w.packets[h.Dir]++
	w.latest = max(w.latest, h.Time)
	w.err = w.pcap.WritePacket(gopacket.CaptureInfo{
		Timestamp: wall(h.Time), CaptureLength: len(b), Length: len(b), InterfaceIndex: int(h.Dir),
	}, b)
	return nil
}

// wall is a simulated time as the file has it, in whole nanoseconds.
func wall(t node.Time) time.Time { return time.Unix(0, int64(t/node.Nanosecond)) }

// Close ends the capture with the number of packets of each interface. It does not
// close the file.
func (w *Writer) Close() error {
	for i, n := range w.packets {
		if w.err == nil {
			w.err = w.pcap.WriteInterfaceStats(i, pcapgo.NgInterfaceStatistics{PacketsReceived: n, PacketsDropped: pcapgo.NgNoValue64})
		}
	}
	if w.err == nil {
		w.err = w.pcap.Flush()
	}
	return w.err
}
