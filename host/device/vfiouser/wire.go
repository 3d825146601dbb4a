//go:build linux

package vfiouser

import (
	"encoding/binary"
	"syscall"
)

// Commands.
const (
	cmdVersion     = 1
	cmdDMAMap      = 2
	cmdDMAUnmap    = 3
	cmdGetInfo     = 4
	cmdRegionInfo  = 5
	cmdIRQInfo     = 7
	cmdSetIRQs     = 8
	cmdRegionRead  = 9
	cmdRegionWrite = 10
	cmdDMARead     = 11
	cmdDMAWrite    = 12
	cmdReset       = 13
)

// Bits of the flags of a header.
const (
	flagTypeMask = 0xf
	flagReply    = 0x1
	flagNoReply  = 0x10
	flagError    = 0x20
)

// Sizes in bytes, and limits.
const (
	headerBytes = 16
	accessBytes = 16 // of an access before its data
	infoBytes   = 16 // of the descriptions of device and interrupts
	regionBytes = 32 // of the description of a region
	mapBytes    = 32
	unmapBytes  = 24
	irqBytes    = 20 // before the data

	maxTransfer = 1 << 20 // of an access or a DMA
	maxMessage  = headerBytes + accessBytes + maxTransfer
	maxFiles    = 16 // file descriptors per message
	maxWindows  = 65535
	pageBytes   = 4096
)

var le = binary.LittleEndian

// header is the header of a message.
type header struct {
	id, command        uint16
	size, flags, errno uint32
}

func parseHeader(b []byte) header {
	return header{le.Uint16(b), le.Uint16(b[2:]), le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])}
}

func (h header) bytes() []byte {
	b := make([]byte, headerBytes)
	le.PutUint16(b, h.id)
	le.PutUint16(b[2:], h.command)
	le.PutUint32(b[4:], h.size)
	le.PutUint32(b[8:], h.flags)
	le.PutUint32(b[12:], h.errno)
	return b
}

func (h header) reply() bool { return h.flags&flagTypeMask == flagReply }

// message is a message from the client.
type message struct {
	header
	body   []byte
	files  []int     // file descriptors owned by the message
	lost   bool      // more file descriptors than allowed were sent
	broken bool      // the stream cannot be followed after this message
	asked  *question // question that the message answers, if it is a reply
}

// close closes the file descriptors that the message still owns.
func (m *message) close() {
	for _, fd := range m.files {
		_ = syscall.Close(fd)
	}
	m.files = nil
}

// words decodes n 32-bit words at the start of b.
func words(b []byte, n int) []uint32 {
	w := make([]uint32, n)
	for i := range w {
		w[i] = le.Uint32(b[4*i:])
	}
	return w
}

// packed encodes 32-bit words.
func packed(words ...uint32) []byte {
	var b []byte
	for _, w := range words {
		b = le.AppendUint32(b, w)
	}
	return b
}

// access encodes the offset, region and count of an access.
func access(offset uint64, region, count uint32) []byte {
	return le.AppendUint32(le.AppendUint32(le.AppendUint64(nil, offset), region), count)
}
