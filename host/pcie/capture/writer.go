package capture

import (
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/pcapgo"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// mostText is how long a comment may be, in bytes.
const mostText = 1024

// Writer writes a capture. Its first error is kept, and Close returns it; what is
// written after an error is lost. Several goroutines may use a Writer.
type Writer struct {
	lock     sync.Mutex
	to       *redirected
	pcap     *pcapgo.NgWriter
	buffer   gopacket.SerializeBuffer
	packets  [2]uint64 // by direction
	latest   des.Time
	function *Function // the latest
	ring     *ring     // nil keeps all packets
	err      error
	done     chan struct{} // closed by Close
}

// redirected is a writer that can be exchanged.
type redirected struct{ io.Writer }

// NewWriter begins a capture of the link with this name.
func NewWriter(w io.Writer, name string) (*Writer, error) {
	c := &Writer{to: &redirected{w}, buffer: gopacket.NewSerializeBuffer(), done: make(chan struct{})}
	on := func(d link.Direction) pcapgo.NgInterface {
		return pcapgo.NgInterface{Name: name + " " + d.String(), LinkType: LinkType}
	}
	var err error
	c.pcap, err = pcapgo.NewNgWriterInterface(c.to, on(link.Down), pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "hotline"}})
	if err != nil {
		return nil, err
	}
	_, err = c.pcap.AddInterface(on(link.Up))
	return c, err
}

// TLP writes a TLP. One that has no encoding becomes a comment. A TLP that shows an
// error is flushed.
func (w *Writer) TLP(dir link.Direction, at des.Time, flags Flags, t *pcie.TLP) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if err := w.packet(Header{KindTLP, dir, flags, at}, &TLPLayer{TLP: *t}); err != nil {
		w.comment(dir, at, "a TLP that cannot be written: "+err.Error())
	}
	if flags != 0 || failure(t) {
		w.flush()
	}
}

// failure reports whether a TLP shows that something went wrong.
func failure(t *pcie.TLP) bool {
	switch t.Kind {
	case pcie.Cpl, pcie.CplD:
		return t.Status != pcie.SC || t.EP
	case pcie.Msg, pcie.MsgD:
		return t.Code == pcie.MsgErrCorrectable || t.Code == pcie.MsgErrNonFatal || t.Code == pcie.MsgErrFatal
	}
	return t.EP
}

// Comment writes a text, which is cut after 1,024 bytes and not empty.
func (w *Writer) Comment(dir link.Direction, at des.Time, text string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.comment(dir, at, text)
}

func (w *Writer) comment(dir link.Direction, at des.Time, text string) {
	text = strings.ToValidUTF8(text[:min(len(text), mostText)], "")
	w.must(Header{Kind: KindComment, Dir: dir, Time: at}, &commentLayer{Text: text})
}

// Function writes what the device below is from now on.
func (w *Writer) Function(f Function) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.function = &f
	w.must(Header{Kind: KindFunction, Time: w.latest}, &functionLayer{Function: f})
}

// Delay writes that the next TLP arrives so much too late: 1 ps to 2^60 ps.
func (w *Writer) Delay(dir link.Direction, at, late des.Time) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.must(Header{Kind: KindDelay, Dir: dir, Time: at}, &delayLayer{Delay: late})
}

// must writes a packet that has an encoding.
func (w *Writer) must(h Header, rest gopacket.SerializableLayer) {
	if err := w.packet(h, rest); err != nil {
		panic(err)
	}
}

// packet writes a packet, and lets a full ring drop its oldest packets before. The
// error is that the packet has no encoding.
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
	if w.ring != nil && w.ring.full() {
		w.flush()
		w.keep()
	}
	return nil
}

// wall is a simulated time as the file has it, in whole nanoseconds.
func wall(t des.Time) time.Time { return time.Unix(0, int64(t/des.Nanosecond)) }

// Flush hands all packets so far to the writer below. If that is a file, they outlast
// the end of the process, whatever ends it.
func (w *Writer) Flush() {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.flush()
}

func (w *Writer) flush() {
	if w.err == nil {
		w.err = w.pcap.Flush()
	}
}

// FlushAt flushes at each tick, until Close.
func (w *Writer) FlushAt(ticks <-chan time.Time) {
	for {
		select {
		case <-ticks:
			w.Flush()
		case <-w.done:
			return
		}
	}
}

// errClosed is the state of a Writer that was closed without an error.
var errClosed = errors.New("capture: closed")

// Close ends the capture with the number of packets of each interface. It does not
// close what is below. What is written after Close is lost; a second Close does
// nothing.
func (w *Writer) Close() error {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.err == errClosed {
		return nil
	}
	if w.ring != nil {
		w.flush()
		w.trim()
	}
	for i, n := range w.packets {
		if w.err == nil {
			w.err = w.pcap.WriteInterfaceStats(i, pcapgo.NgInterfaceStatistics{PacketsReceived: n, PacketsDropped: pcapgo.NgNoValue64})
		}
	}
	w.flush()
	if w.err != nil {
		return w.err
	}
	w.err = errClosed
	close(w.done)
	return nil
}
