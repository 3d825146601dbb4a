package capture

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// Blocks of pcapng.
const (
	blockSection    = 0x0a0d0d0a
	blockInterface  = 1
	blockStatistics = 5
	blockPacket     = 6
)

// Options of blocks.
const (
	optionEnd        = 0
	optionResolution = 9  // of times, of an interface
	optionOffset     = 14 // of times, of an interface
	optionReceived   = 4  // packets, of statistics
)

const (
	byteOrder      = 0x1a2b3c4d
	nanoseconds    = 9
	mostBlock      = 1 << 16
	mostInterfaces = 2
	mostPacket     = headerBytes + 16 + 4*pcie.MaxLength + 4
)

// walker is a reader of a pcapng file that checks each block before it returns the block. It skips
// blocks of unknown types.
type walker struct {
	from   io.Reader
	offset int64 // of the block in the file
	block  []byte
	rest   []byte // unread part of block
	err    error
	torn   bool // err means that the rest is missing

	section    bool
	interfaces []onInterface
}

// onInterface is the state of an interface.
type onInterface struct {
	packets uint64
	ended   bool // its statistics have been read
}

// Read implements io.Reader. At the end of a complete file, the error is io.EOF.
func (w *walker) Read(p []byte) (int, error) {
	for len(w.rest) == 0 && w.err == nil {
		w.err = w.next()
	}
	if w.err != nil {
		return 0, w.err
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// next reads and checks a block.
func (w *walker) next() error {
	w.offset += int64(len(w.block))
	w.block = w.block[:0]
	typ, err := w.read()
	if err == io.EOF {
		return w.end()
	}
	if err != nil {
		return err
	}
	body := w.block[8 : len(w.block)-4]
	switch typ {
	case blockSection:
		err = w.sectionHeader(body)
	case blockInterface:
		err = w.description(body)
	case blockPacket:
		err = w.packet(body)
	case blockStatistics:
		err = w.statistics(body)
	default:
		return nil
	}
	w.rest = w.block
	return err
}

// read reads a block of plausible size. If there is no further byte, the error is io.EOF.
func (w *walker) read() (typ uint32, err error) {
	var start [8]byte
	if n, err := io.ReadFull(w.from, start[:]); err != nil {
		return 0, w.short(err, n, len(start))
	}
	le := binary.LittleEndian
	typ = le.Uint32(start[:])
	n := le.Uint32(start[4:])
	if !w.section && typ != blockSection {
		return 0, w.bad("block type %#x, expected a section header: this is not a pcapng file", typ)
	}
	if typ == blockSection && n&0xffff == 0 && n>>16 != 0 {
		return 0, w.bad("big-endian section, expected a little-endian one")
	}
	if n < 12 || n%4 != 0 || n > mostBlock {
		return 0, w.bad("block type %#x of %d bytes, expected a multiple of 4 from 12 to %d", typ, n, mostBlock)
	}
	w.block = append(w.block, start[:]...)
	w.block = append(w.block, make([]byte, n-8)...)
	if got, err := io.ReadFull(w.from, w.block[8:]); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return 0, w.short(err, 8+got, int(n))
	}
	if again := le.Uint32(w.block[n-4:]); again != n {
		return 0, w.bad("block of %d bytes ends with the length %d", n, again)
	}
	return typ, nil
}

// short converts the error of a read that ended early.
func (w *walker) short(err error, got, want int) error {
	if err == io.ErrUnexpectedEOF {
		w.torn = true
		return w.bad("%d bytes of a block, expected %d: the file is cut off", got, want)
	}
	return err
}

func (w *walker) bad(format string, args ...any) error {
	return fmt.Errorf("capture: at byte %d: "+format, append([]any{w.offset}, args...)...)
}

func (w *walker) sectionHeader(body []byte) error {
	le := binary.LittleEndian
	switch {
	case w.section:
		return w.bad("a second section, expected one")
	case len(body) < 16:
		return w.bad("section header of %d bytes, expected at least 28", len(w.block))
	case le.Uint32(body) != byteOrder:
		return w.bad("byte-order magic %#x, expected %#x", le.Uint32(body), byteOrder)
	case le.Uint16(body[4:]) != 1 || le.Uint16(body[6:]) != 0:
		return w.bad("pcapng version %d.%d, expected 1.0", le.Uint16(body[4:]), le.Uint16(body[6:]))
	}
	w.section = true
	return w.options(body[16:], func(int, []byte) error { return nil })
}

func (w *walker) description(body []byte) error {
	if len(body) < 8 {
		return w.bad("interface of %d bytes, expected at least 20", len(w.block))
	}
	if t := binary.LittleEndian.Uint16(body); t != uint16(LinkType) {
		return w.bad("link type %d, expected %d (USER0)", t, LinkType)
	}
	if len(w.interfaces) == mostInterfaces {
		return w.bad("more than %d interfaces, expected one for each direction", mostInterfaces)
	}
	w.interfaces = append(w.interfaces, onInterface{})
	resolution := -1
	err := w.options(body[8:], func(code int, value []byte) error {
		switch {
		case code == optionOffset:
			return w.bad("an interface with an offset of times, expected none")
		case code == optionResolution && len(value) == 1:
			resolution = int(value[0])
		}
		return nil
	})
	if err == nil && resolution != nanoseconds {
		return w.bad("an interface with times of resolution %d, expected %d: nanoseconds", resolution, nanoseconds)
	}
	return err
}

func (w *walker) packet(body []byte) error {
	if len(body) < 20 {
		return w.bad("packet block of %d bytes, expected at least 32", len(w.block))
	}
	on, err := w.interfaceOf(body)
	if err != nil {
		return err
	}
	le := binary.LittleEndian
	have, had := le.Uint32(body[12:]), le.Uint32(body[16:])
	padded := (uint64(have) + 3) &^ 3
	switch {
	case have != had:
		return w.bad("%d bytes of a packet of %d, expected all", have, had)
	case have > mostPacket || padded > uint64(len(body)-20):
		return w.bad("packet of %d bytes, expected at most %d", have, min(mostPacket, len(body)-20))
	}
	on.packets++
	return w.options(body[20+padded:], func(int, []byte) error { return nil })
}

func (w *walker) statistics(body []byte) error {
	if len(body) < 12 {
		return w.bad("statistics of %d bytes, expected at least 24", len(w.block))
	}
	on, err := w.interfaceOf(body)
	if err != nil {
		return err
	}
	on.ended = false
	var counted uint64
	err = w.options(body[12:], func(code int, value []byte) error {
		if code >= 2 && code <= 8 && len(value) != 8 {
			return w.bad("statistics with option %d of %d bytes, expected 8", code, len(value))
		}
		if code == optionReceived {
			on.ended, counted = true, binary.LittleEndian.Uint64(value)
		}
		return nil
	})
	if err == nil && on.ended && counted != on.packets {
		return w.bad("%d packets, but their number should be %d: some are lost", on.packets, counted)
	}
	return err
}

// interfaceOf returns the interface of a block. The interface must not have ended.
func (w *walker) interfaceOf(body []byte) (*onInterface, error) {
	i := binary.LittleEndian.Uint32(body)
	if int64(i) >= int64(len(w.interfaces)) {
		return nil, w.bad("interface %d, but there are %d", i, len(w.interfaces))
	}
	if on := &w.interfaces[i]; !on.ended {
		return on, nil
	}
	return nil, w.bad("a block of interface %d behind its end", i)
}

// options checks that all options are complete and passes each to see.
func (w *walker) options(b []byte, see func(code int, value []byte) error) error {
	le := binary.LittleEndian
	for len(b) > 0 { // a multiple of 4
		code, n := int(le.Uint16(b)), int(le.Uint16(b[2:]))
		b = b[4:]
		switch padded := (n + 3) &^ 3; {
		case code == optionEnd && n == 0 && len(b) == 0:
			return nil
		case code == optionEnd || n == 0 || padded > len(b):
			return w.bad("option %d of %d bytes, with %d left in its block", code, n, len(b))
		default:
			if err := see(code, b[:n]); err != nil {
				return err
			}
			b = b[padded:]
		}
	}
	return nil
}

// end checks that the file is complete.
func (w *walker) end() error {
	if !w.section {
		return w.bad("the file is empty, expected a pcapng section")
	}
	if len(w.interfaces) != mostInterfaces {
		return w.bad("the file ends with %d interfaces, expected %d", len(w.interfaces), mostInterfaces)
	}
	for i, on := range w.interfaces {
		if !on.ended {
			w.torn = true
			return w.bad("the file ends without the number of packets of interface %d: it is cut off, or was not closed", i)
		}
	}
	return io.EOF
}
