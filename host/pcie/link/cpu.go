package link

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// AccessError reports a failed read by the CPU. A CPU of a real host would read all ones.
type AccessError struct {
	Addr uint64
	Size int
	Code Error
}

func (e *AccessError) Error() string {
	return fmt.Sprintf("link: CPU read of %d bytes at %#x: %v", e.Size, e.Addr, e.Code)
}

// Read32 reads a register of a device with a four-byte request and runs the kernel until it is
// complete. A failure returns an [*AccessError] and all ones as the value. Read32 must not be
// called from within an event.
func (rc *RootComplex) Read32(addr uint64) (uint32, error) {
	var b [4]byte
	if err := rc.Read(addr, b[:]); err != nil {
		return math.MaxUint32, err
	}
	return binary.LittleEndian.Uint32(b[:]), nil
}

// Write32 writes a register of a device with one posted write. It returns when the write has been
// queued. It fails if no device claims addr.
func (rc *RootComplex) Write32(addr uint64, v uint32) error {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], v)
	return rc.Write(addr, b[:])
}

// Write copies b to a device in posted writes of at most MPS bytes. It fails if no device claims
// addr.
func (rc *RootComplex) Write(addr uint64, b []byte) error {
	p, err := rc.device("write", addr, len(b))
	if err != nil {
		return err
	}
	for a, n := range pcie.Split(addr, len(b), rc.cfg.Memory.MPS) {
		p.Send(pcie.NewWrite(rc.id, a, b[a-addr:][:n]), nil)
	}
	return nil
}

// Read fills b from a device; see [RootComplex.Read32]. A read of no bytes flushes all earlier
// writes.
func (rc *RootComplex) Read(addr uint64, b []byte) error {
	var result error
	finished := false
	err := rc.ReadAsync(addr, len(b), func(got []byte, err error) {
		copy(b, got)
		result, finished = err, true
	})
	if err != nil {
		return err
	}
	if err := rc.k.Run(func() bool { return finished }); err != nil {
		return err
	}
	return result
}

// ReadAsync reads n bytes from a device. When the last completion has arrived, it calls done with
// the bytes or with an [*AccessError]. If no device claims addr, it returns an error and does not
// call done.
func (rc *RootComplex) ReadAsync(addr uint64, n int, done func([]byte, error)) error {
	p, err := rc.device("read", addr, n)
	if err != nil {
		return err
	}
	r := &cpuRead{rc: rc, port: p, addr: addr, left: n, err: &AccessError{Addr: addr, Size: n}, finish: done}
	r.flush = n == 0
	rc.waiting.Push(r)
	rc.issue()
	return nil
}

// device returns the port to the device that claims addr.
func (rc *RootComplex) device(op string, addr uint64, n int) (*Port, error) {
	p := rc.portOf(addr)
	if p == nil {
		return nil, fmt.Errorf("link: CPU %s of %d bytes at %#x: no device claims this address", op, n, addr)
	}
	return p, nil
}

// issue sends reads while there are free tags. The parts of one read are sent one after another,
// like the loads of a CPU.
func (rc *RootComplex) issue() {
	for rc.waiting.Len() > 0 && rc.reads.ready() {
		rc.waiting.Pop().send()
	}
}

// cpuRead is a read by the CPU.
type cpuRead struct {
	rc     *RootComplex
	port   *Port
	addr   uint64
	left   int
	flush  bool
	got    []byte
	err    *AccessError
	finish func([]byte, error)
}

// send issues the next part. If the link is down, the part fails.
func (r *cpuRead) send() {
	if !r.port.link.up {
		r.rc.k.After(r.rc.cfg.Latency, func() { r.done(UnsupportedRequest) })
		return
	}
	mem := &r.rc.cfg.Memory
	r.rc.reads.read(r.port, r.addr, pcie.FirstPart(r.addr, r.left, mem.MPS), mem.RCB, mem.MPS, r)
}

func (r *cpuRead) data(b []byte) {
	if r.flush {
		return
	}
	r.got = append(r.got, b...)
	r.addr, r.left = r.addr+uint64(len(b)), r.left-len(b)
}

func (r *cpuRead) done(e Error) {
	switch {
	case e != OK:
		r.err.Code = e
		r.finish(nil, r.err)
	case r.left > 0:
		r.rc.waiting.Push(r)
		r.rc.issue()
	default:
		r.finish(r.got, nil)
	}
}
