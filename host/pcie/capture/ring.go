package capture

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/des"
)

// File is a capture file that a Writer can rewrite to drop packets.
type File interface {
	io.Writer
	io.ReaderAt
	// Replace replaces the content by the output of write. The file keeps its old content until
	// write returns without an error. Later writes append to the new content.
	Replace(write func(io.Writer) error) error
}

// firstBytes is the size of the beginning that a ring keeps. There, the host sets up the device and
// its rings, which later TLPs refer to.
const firstBytes = 64 << 10

// LeastRing is the minimum size of a ring in bytes. It is large enough for any packet.
const LeastRing = 64 << 10

// ring is the state of a Writer that keeps the beginning and the last packets.
//
// After the beginning, the file contains between once and twice the number of bytes to keep. When
// it is full, the older half is dropped.
type ring struct {
	file   File
	last   int64  // bytes to keep
	begin  int64  // end of the beginning in the file; 0 until it is complete
	size   int64  // of the file
	marks  uint64 // number of packets after the beginning that describe the gap
	missed uint64 // number of dropped packets
}

// NewRing starts a capture that keeps the first 64 KiB and the last packets, up to last bytes of
// the file. While the capture is open, the file may contain twice as many; Close drops the excess.
// NewRing fails if last is below [LeastRing].
func NewRing(f File, name string, last int64) (*Writer, error) {
	if last < LeastRing {
		return nil, fmt.Errorf("capture: a ring of %d bytes, expected at least %d", last, LeastRing)
	}
	r := &ring{file: f, last: last}
	w, err := NewWriter(r, name)
	if err != nil {
		return nil, err
	}
	w.ring = r
	return w, nil
}

// Write implements io.Writer.
func (r *ring) Write(p []byte) (int, error) {
	n, err := r.file.Write(p)
	r.size += int64(n)
	return n, err
}

// full reports whether the file is full.
func (r *ring) full() bool {
	if r.begin == 0 {
		return r.size >= firstBytes
	}
	return r.size-r.begin >= 2*r.last
}

// keep drops the older half of a full file. All packets must be flushed.
func (w *Writer) keep() {
	r := w.ring
	if r.begin == 0 {
		r.begin = r.size
		return
	}
	w.trim()
}

// trim drops packets until at most last bytes remain after the beginning. All packets must be
// flushed.
func (w *Writer) trim() {
	r := w.ring
	if w.err != nil || r.begin == 0 || r.size-r.begin <= r.last {
		return
	}
	cut, at, dropped, err := r.oldest()
	if err != nil {
		w.err = err
		return
	}
	old, end := r.begin, r.size
	for i, n := range dropped {
		w.packets[i] -= n
	}
	r.missed += dropped[0] + dropped[1] - r.marks
	w.err = r.file.Replace(func(to io.Writer) error {
		if _, err := io.Copy(to, io.NewSectionReader(r.file, 0, old)); err != nil {
			return err
		}
		n, err := w.gap(to, at)
		if err != nil {
			return err
		}
		r.size = old + n + end - cut
		_, err = io.Copy(to, io.NewSectionReader(r.file, cut, end-cut))
		return err
	})
}

// oldest finds the packets to drop, which end at byte cut. The first packet after cut has the time
// at. dropped counts the packets by direction.
func (r *ring) oldest() (cut int64, at des.Time, dropped [2]uint64, err error) {
	cut = r.begin
	from := bufio.NewReaderSize(io.NewSectionReader(r.file, cut, r.size-cut), 1<<16)
	var start [packetStart]byte
	for {
		b, err := from.Peek(len(start))
		if err != nil {
			return 0, 0, dropped, fmt.Errorf("capture: byte %d of the file that was written: %w", cut, err)
		}
		copy(start[:], b)
		var h Header
		if err := h.decode(start[packetStart-headerBytes:]); err != nil {
			return 0, 0, dropped, fmt.Errorf("capture: byte %d of the file that was written: %w", cut, err)
		}
		if r.size-cut <= r.last {
			return cut, h.Time, dropped, nil
		}
		n := int64(binary.LittleEndian.Uint32(start[4:]))
		if _, err := from.Discard(int(n)); err != nil {
			return 0, 0, dropped, fmt.Errorf("capture: byte %d of the file that was written: %w", cut, err)
		}
		cut += n
		dropped[h.Dir]++
	}
}

// packetStart is the size of a packet block up to the end of the packet's header.
const packetStart = 28 + headerBytes

// gap writes the packets that describe the gap, and repeats the function.
func (w *Writer) gap(to io.Writer, at des.Time) (int64, error) {
	r := w.ring
	counted := &counter{to: to}
	before := w.to.Writer
	w.to.Writer = counted
	defer func() { w.to.Writer = before }()
	w.ring = nil // the file is not full
	defer func() { w.ring = r }()
	sum := w.packets[0] + w.packets[1]
	w.must(Header{Kind: KindGap, Time: at}, &gapLayer{Packets: r.missed})
	if w.function != nil {
		w.must(Header{Kind: KindFunction, Time: at}, &functionLayer{Function: *w.function})
	}
	r.marks = w.packets[0] + w.packets[1] - sum
	w.flush()
	return counted.n, w.err
}

// counter counts written bytes.
type counter struct {
	to io.Writer
	n  int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
