//go:build linux

package client

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"syscall"
)

// rules predicts a server's answers from the protocol specification and the sizes that the server
// reports. It shares no code with the server.
type rules struct {
	regions map[uint32]uint64 // sizes
	irqs    map[uint32]uint32 // numbers of vectors
	agreed  bool              // a version was negotiated
	windows []span
}

// span is a range of addresses, both ends included.
type span struct{ first, last uint64 }

// verdict is the predicted outcome of a message: success, or one of some errnos.
type verdict struct {
	silent bool // no answer
	ends   bool // the connection ends after the answer
	errnos []syscall.Errno
	body   func([]byte) bool // checks the body of a successful answer
}

// Kinds of file descriptors.
const (
	isMemory = iota
	isEvent
)

// memorySize is the size of a storm's files.
const memorySize = 1 << 16

// Limits of the protocol.
const (
	mostTransfer = 1 << 20
	mostFiles    = 16
)

var le = binary.LittleEndian

func refuse(e ...syscall.Errno) verdict { return verdict{errnos: e} }

// success predicts an answer with the given body.
func success(body []byte) verdict {
	return verdict{body: func(b []byte) bool { return bytes.Equal(b, body) }}
}

// sized predicts an answer of n bytes with the given prefix.
func sized(n int, begin []byte) verdict {
	return verdict{body: func(b []byte) bool { return len(b) == n && bytes.HasPrefix(b, begin) }}
}

// judge predicts the answer to a message with file descriptors, and records the effects of the
// message.
func (r *rules) judge(f Frame, files []int) verdict {
	if f.Flags&0xf == Reply {
		return verdict{silent: true}
	}
	v := r.command(f, files)
	v.silent = f.Flags&Posted != 0
	return v
}

func (r *rules) command(f Frame, files []int) verdict {
	switch {
	case f.Flags&^Posted != 0 || len(files) > mostFiles:
		v := refuse(syscall.EINVAL)
		v.ends = !r.agreed && f.Command == Version
		return v
	case !r.agreed || f.Command == Version:
		return r.version(f)
	case len(files) > 0 && f.Command != DMAMap && f.Command != SetIRQs:
		return refuse(syscall.EINVAL)
	}
	b := f.Body
	switch f.Command {
	case DMAMap:
		return r.dmaMap(b, files)
	case DMAUnmap:
		return r.dmaUnmap(b)
	case GetInfo:
		return asked(b, 16, func() verdict { return success(U32(16, 3, 9, 5)) })
	case RegionInfo:
		return asked(b, 32, func() verdict { return r.regionInfo(le.Uint32(b[8:])) })
	case IRQInfo:
		return asked(b, 16, func() verdict { return r.irqInfo(le.Uint32(b[8:])) })
	case SetIRQs:
		return r.setIRQs(b, files)
	case RegionRead, RegionWrite:
		return r.access(f.Command, b)
	case Reset:
		if len(b) > 0 {
			return refuse(syscall.EINVAL)
		}
		return success(nil)
	}
	return refuse(syscall.EOPNOTSUPP)
}

// version predicts the answer to the first message, which must be a version. A rejected version
// ends the connection.
func (r *rules) version(f Frame) verdict {
	switch {
	case r.agreed || f.Command != Version:
		return refuse(syscall.EINVAL)
	case len(f.Body) < 4:
		return verdict{ends: true, errnos: []syscall.Errno{syscall.EINVAL}}
	case le.Uint16(f.Body) != 0:
		return verdict{ends: true, errnos: []syscall.Errno{syscall.EPROTONOSUPPORT}}
	}
	text := f.Body[4:]
	if len(text) > 0 {
		says := struct {
			Capabilities struct {
				Most  *uint64 `json:"max_data_xfer_size"`
				Files uint64  `json:"max_msg_fds"`
			}
		}{}
		if bytes.IndexByte(text, 0) != len(text)-1 || json.Unmarshal(text[:len(text)-1], &says) != nil ||
			says.Capabilities.Most != nil && *says.Capabilities.Most == 0 {
			return verdict{ends: true, errnos: []syscall.Errno{syscall.EINVAL}}
		}
	}
	r.agreed = true
	return verdict{body: func(b []byte) bool {
		return len(b) > 5 && bytes.HasPrefix(b, U32(0)) && b[len(b)-1] == 0 && json.Valid(b[4:len(b)-1])
	}}
}

// asked checks a message that begins with the maximum size of the answer.
func asked(b []byte, n int, answer func() verdict) verdict {
	if len(b) < n || le.Uint32(b) < uint32(n) {
		return refuse(syscall.EINVAL)
	}
	return answer()
}

func (r *rules) regionInfo(index uint32) verdict {
	if index >= 9 {
		return refuse(syscall.EINVAL)
	}
	access := uint32(0)
	if r.regions[index] > 0 {
		access = 3
	}
	return success(append(U32(32, access, index, 0), U64(r.regions[index], 0)...))
}

func (r *rules) irqInfo(index uint32) verdict {
	if index >= 5 {
		return refuse(syscall.EINVAL)
	}
	flags := uint32(0)
	if r.irqs[index] > 0 {
		flags = 0xb
	}
	return success(U32(16, flags, index, r.irqs[index]))
}

func (r *rules) dmaMap(b []byte, files []int) verdict {
	if len(b) != 32 || le.Uint32(b) < 32 || len(files) > 1 {
		return refuse(syscall.EINVAL)
	}
	flags, offset, w := le.Uint32(b[4:]), le.Uint64(b[8:]), span{first: le.Uint64(b[16:])}
	size := le.Uint64(b[24:])
	if w.last = w.first + size - 1; flags == 0 || flags > 3 || size == 0 || w.last < w.first {
		return refuse(syscall.EINVAL)
	}
	var wrong []syscall.Errno
	if slices.ContainsFunc(r.windows, w.overlaps) {
		wrong = append(wrong, syscall.EEXIST)
	}
	if len(files) > 0 && (files[0] != isMemory || offset > memorySize || size > memorySize-offset) {
		wrong = append(wrong, syscall.EINVAL)
	}
	if len(wrong) > 0 {
		return refuse(wrong...)
	}
	r.windows = append(r.windows, w)
	return success(nil)
}

func (w span) overlaps(o span) bool { return w.first <= o.last && o.first <= w.last }

func (r *rules) dmaUnmap(b []byte) verdict {
	if len(b) != 24 || le.Uint32(b) < 24 {
		return refuse(syscall.EINVAL)
	}
	flags, w, size := le.Uint32(b[4:]), span{first: le.Uint64(b[8:])}, le.Uint64(b[16:])
	w.last = w.first + size - 1
	switch {
	case flags == 2 && w.first == 0 && size == 0:
		w.last = math.MaxUint64
	case flags != 0 || size == 0 || w.last < w.first:
		return refuse(syscall.EINVAL)
	}
	cut := func(x span) bool { return x.overlaps(w) && (x.first < w.first || x.last > w.last) }
	if slices.ContainsFunc(r.windows, cut) {
		return refuse(syscall.EINVAL)
	}
	r.windows = slices.DeleteFunc(r.windows, w.overlaps)
	return success(b)
}

// access predicts the answers to reads and writes of regions.
func (r *rules) access(command uint16, b []byte) verdict {
	if len(b) < 16 {
		return refuse(syscall.EINVAL)
	}
	offset, size, n := le.Uint64(b), r.regions[le.Uint32(b[8:])], uint64(le.Uint32(b[12:]))
	body := 16
	if command == RegionWrite {
		body += int(n)
	}
	if n == 0 || n > mostTransfer || offset > size || n > size-offset || len(b) != body {
		return refuse(syscall.EINVAL)
	}
	if command == RegionWrite {
		return success(b[:16])
	}
	return sized(16+int(n), b[:16])
}

func (r *rules) setIRQs(b []byte, files []int) verdict {
	if len(b) < 20 || le.Uint32(b) != uint32(len(b)) {
		return refuse(syscall.EINVAL)
	}
	flags, index, start, count := le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:]), le.Uint32(b[16:])
	n, data, right := r.irqs[index], uint32(len(b)-20), false
	const byFiles, none, bools = 4, 1, 2
	act := flags &^ 7
	single := act == 8 || act == 0x10 || act == 0x20
	switch form := flags & 7; {
	case n == 0 || start > n || count > n-start || flags > 0x3f:
	case form == byFiles:
		right = act == 0x20 && data == 0 && count > 0 && (len(files) == 0 || len(files) == int(count)) && !slices.Contains(files, isMemory)
	case len(files) > 0:
	case form == none && count == 0:
		right = act == 0x20 && start == 0 && data == 0
	case form == none:
		right = single && data == 0
	case form == bools:
		// An action that applies to no vector is ignored, even if it is invalid.
		right = data == count && count > 0 && (single || !slices.ContainsFunc(b[20:], func(x byte) bool { return x != 0 }))
	}
	if !right {
		return refuse(syscall.EINVAL)
	}
	return success(nil)
}

// check compares an answer with the prediction.
func (v verdict) check(f, a Frame) error {
	switch {
	case a.ID != f.ID || a.Command != f.Command:
		return fmt.Errorf("client: answer %d to command %d, expected %d to %d", a.ID, a.Command, f.ID, f.Command)
	case a.Flags == Reply && v.body != nil && a.Errno == 0 && v.body(a.Body):
		return nil
	case a.Flags == Reply|Failure && slices.Contains(v.errnos, a.Errno) && len(a.Body) == 0:
		return nil
	}
	want := "success"
	if v.body == nil {
		want = fmt.Sprint(v.errnos)
	}
	return fmt.Errorf("client: command %d with flags %#x and % x is answered with flags %#x, error %d and % x; expected %s",
		f.Command, f.Flags, short(f.Body), a.Flags, a.Errno, short(a.Body), want)
}

func short(b []byte) []byte { return b[:min(len(b), 64)] }

// learn queries the server for the sizes of its regions and its numbers of vectors.
func (r *rules) learn(c *Client) error {
	r.regions, r.irqs = map[uint32]uint64{}, map[uint32]uint32{}
	for i := range uint32(9) {
		b, err := c.Call(RegionInfo, append(U32(32, 0, i, 0), U64(0, 0)...))
		if err != nil || len(b) != 32 {
			return errors.Join(err, fmt.Errorf("client: % x describes region %d", b, i))
		}
		r.regions[i] = le.Uint64(b[16:])
	}
	for i := range uint32(5) {
		b, err := c.Call(IRQInfo, U32(16, 0, i, 0))
		if err != nil || len(b) != 16 {
			return errors.Join(err, fmt.Errorf("client: % x describes interrupts %d", b, i))
		}
		r.irqs[i] = le.Uint32(b[12:])
	}
	return nil
}
