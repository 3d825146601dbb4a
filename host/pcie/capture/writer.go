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

// mostText is the maximum length of a comment in bytes.
const mostText = 1024

// Writer writes a capture. It keeps its first error, which Close returns, and discards all packets
// after an error. A Writer is safe for concurrent use.
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

// redirected is a replaceable writer.
type redirected struct{ io.Writer }

// NewWriter starts a capture of the link with the given name.
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

// TLP writes a TLP. A TLP that cannot be encoded becomes a comment. A TLP that indicates an error
// is flushed.
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

// failure reports whether a TLP indicates an error.
func failure(t *pcie.TLP) bool {
	switch t.Kind {
	case pcie.Cpl, pcie.CplD:
		return t.Status != pcie.SC || t.EP
	case pcie.Msg, pcie.MsgD:
		return t.Code == pcie.MsgErrCorrectable || t.Code == pcie.MsgErrNonFatal || t.Code == pcie.MsgErrFatal
	}
	return t.EP
}

// Comment writes a text, which must not be empty. It is truncated to 1,024 bytes.
func (w *Writer) Comment(dir link.Direction, at des.Time, text string) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.comment(dir, at, text)
}

func (w *Writer) comment(dir link.Direction, at des.Time, text string) {
	text = strings.ToValidUTF8(text[:min(len(text), mostText)], "")
	w.must(Header{Kind: KindComment, Dir: dir, Time: at}, &commentLayer{Text: text})
}

// Function records the description of the device below the link, valid from now on.
func (w *Writer) Function(f Function) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.function = &f
	w.must(Header{Kind: KindFunction, Time: w.latest}, &functionLayer{Function: f})
}

// Delay records that the next TLP arrives late by the given time, 1 ps to 2^60 ps.
func (w *Writer) Delay(dir link.Direction, at, late des.Time) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.must(Header{Kind: KindDelay, Dir: dir, Time: at}, &delayLayer{Delay: late})
}

// must writes a packet that can always be encoded.
func (w *Writer) must(h Header, rest gopacket.SerializableLayer) {
	if err := w.packet(h, rest); err != nil {
		panic(err)
	}
}

// packet writes a packet. If the ring is full afterwards, it drops the oldest packets. The error
// means that the packet cannot be encoded.
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

// wall converts a simulated time to the time in the file, in whole nanoseconds.
func wall(t des.Time) time.Time { return time.Unix(0, int64(t/des.Nanosecond)) }

// Flush passes all packets so far to the underlying writer. If that is a file, they survive any end
// of the process.
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

// errClosed is the error of a Writer that was closed without an error.
var errClosed = errors.New("capture: closed")

// Close ends the capture with the number of packets of each interface. It does not close the
// underlying writer. Packets written after Close are discarded; a second Close does nothing.
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
