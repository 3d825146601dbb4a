package dma

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Memory is the storage behind a Target.
type Memory interface {
	ReadAt(addr uint64, p []byte)
	WriteAt(addr uint64, p []byte)
}

// Descriptor is a transfer at the boundary.
type Descriptor struct {
	Addr uint64
	Len  int // bytes
	Tag  int
	Peer bool
}

// Fault describes how a Target disturbs a descriptor.
type Fault struct {
	Error  arch.DMAError // error of the status
	Short  bool          // a read returns at most Beats beats
	Beats  int
	Poison bool // the middle beat of a read is poisoned
}

// ReadBeat is a beat of read data.
type ReadBeat struct {
	Tag      int
	Data     []uint64 // little-endian words
	Last     bool
	Poisoned bool
}

// WriteBeat is a beat of write data. Data are little-endian words.
type WriteBeat struct {
	Tag  int
	Data []uint64
	Keep uint64
	Last bool
}

// TagStatus reports the end of a descriptor.
type TagStatus struct {
	Tag   int
	Error arch.DMAError
}

// Target models the far side of the boundary: a memory behind a link on which descriptors wait a
// random time, interleave and finish out of order. Its methods return an error if the accelerator
// violates a rule of the boundary; see docs/reference/accelerator.md.
//
// In each cycle, call Tick, then ReadBeat, ReadStatus and WriteStatus, each at most once, then the
// Take methods.
type Target struct {
	Memory Memory
	Bytes  int                    // width of the stream
	Delay  int                    // maximum wait of a descriptor before data or status, in cycles
	Rate   float64                // probability of a beat, or of a status, per cycle
	Fault  func(Descriptor) Fault // returns the fault of a read or write; may be nil

	rand  *rand.Rand
	cycle int
	reads []*readJob
	// writes lack data, written lack only a status. Both are in the order of arrival.
	writes, written []*writeJob
}

type readJob struct {
	Descriptor
	Fault
	ready int // first cycle in which it can make progress
	beats [][]uint64
	sent  int
}

type writeJob struct {
	Descriptor
	Fault
	ready int
	data  []byte
}

// NewTarget returns a target without faults that answers at full rate. seed determines the order of
// the answers.
func NewTarget(m Memory, streamBytes, delay int, seed uint64) *Target {
	return &Target{Memory: m, Bytes: streamBytes, Delay: delay, Rate: 1, rand: rand.New(rand.NewPCG(seed, 1))}
}

// Tick begins a cycle.
func (t *Target) Tick() { t.cycle++ }

// Idle reports whether no descriptor is outstanding.
func (t *Target) Idle() bool { return len(t.reads)+len(t.writes)+len(t.written) == 0 }

func (t *Target) wait() int { return t.cycle + 1 + t.rand.IntN(t.Delay+1) }

func (t *Target) fault(d Descriptor) Fault {
	if t.Fault == nil {
		return Fault{}
	}
	return t.Fault(d)
}

func checkDescriptor(d Descriptor) error {
	if d.Len < 4 || d.Len > MaxBytes || d.Len%4 != 0 || d.Addr%4 != 0 {
		return fmt.Errorf("descriptor of tag %d: %d bytes at %#x; expected 4 to %d bytes, both multiples of 4", d.Tag, d.Len, d.Addr, MaxBytes)
	}
	return nil
}

// TakeRead accepts a read descriptor.
func (t *Target) TakeRead(d Descriptor) error {
	for _, j := range t.reads {
		if j.Tag == d.Tag {
			return fmt.Errorf("read tag %d is reused while outstanding", d.Tag)
		}
	}
	j := &readJob{Descriptor: d, Fault: t.fault(d), ready: t.wait()}
	p := make([]byte, (d.Len+t.Bytes-1)/t.Bytes*t.Bytes)
	t.Memory.ReadAt(d.Addr, p[:d.Len])
	for ; len(p) > 0; p = p[t.Bytes:] {
		j.beats = append(j.beats, WordsOf(p[:t.Bytes]))
	}
	if j.Short {
		j.beats = j.beats[:min(j.Fault.Beats, len(j.beats))]
	}
	t.reads = append(t.reads, j)
	return checkDescriptor(d)
}

// choose picks a random job that ok accepts. It returns false if there is none, or by chance
// according to Rate.
func choose[J any](t *Target, jobs []J, ok func(J) bool) (int, bool) {
	var open []int
	for i, j := range jobs {
		if ok(j) {
			open = append(open, i)
		}
	}
	if len(open) == 0 || t.rand.Float64() >= t.Rate {
		return 0, false
	}
	return open[t.rand.IntN(len(open))], true
}

// ReadBeat returns the next beat of read data, if there is one in this cycle.
func (t *Target) ReadBeat() (ReadBeat, bool) {
	i, ok := choose(t, t.reads, func(j *readJob) bool { return j.ready <= t.cycle && j.sent < len(j.beats) })
	if !ok {
		return ReadBeat{}, false
	}
	j := t.reads[i]
	b := ReadBeat{Tag: j.Tag, Data: j.beats[j.sent], Poisoned: j.Poison && j.sent == len(j.beats)/2}
	j.sent++
	if j.sent == len(j.beats) {
		b.Last = !j.Short
		j.ready = t.cycle + t.rand.IntN(t.Delay+1) // the status may arrive together with the last beat
	}
	return b, true
}

// ReadStatus returns the next status of a read, if there is one in this cycle.
func (t *Target) ReadStatus() (TagStatus, bool) {
	i, ok := choose(t, t.reads, func(j *readJob) bool { return j.ready <= t.cycle && j.sent == len(j.beats) })
	if !ok {
		return TagStatus{}, false
	}
	j := t.reads[i]
	t.reads = append(t.reads[:i:i], t.reads[i+1:]...)
	return TagStatus{j.Tag, j.Fault.Error}, true
}

// TakeWrite accepts a write descriptor.
func (t *Target) TakeWrite(d Descriptor) error {
	for _, j := range append(append([]*writeJob(nil), t.writes...), t.written...) {
		if j.Tag == d.Tag {
			return fmt.Errorf("write tag %d is reused while outstanding", d.Tag)
		}
	}
	t.writes = append(t.writes, &writeJob{Descriptor: d, Fault: t.fault(d)})
	return checkDescriptor(d)
}

// TakeData accepts a beat of write data.
func (t *Target) TakeData(b WriteBeat) error {
	if len(t.writes) == 0 {
		return fmt.Errorf("write data of tag %d before its descriptor", b.Tag)
	}
	j := t.writes[0]
	left := j.Len - len(j.data)
	n := min(left, t.Bytes)
	switch {
	case b.Tag != j.Tag:
		return fmt.Errorf("write data of tag %d, expected tag %d", b.Tag, j.Tag)
	case b.Last != (left <= t.Bytes):
		return fmt.Errorf("write tag %d: last is %v with %d bytes to come, %d in a beat", b.Tag, b.Last, left, t.Bytes)
	case b.Keep != ^uint64(0)>>(64-n):
		return fmt.Errorf("write tag %d: keep %#x for %d bytes", b.Tag, b.Keep, n)
	}
	j.data = append(j.data, BytesOf(b.Data)[:n]...)
	if !b.Last {
		return nil
	}
	if j.Error == 0 {
		t.Memory.WriteAt(j.Addr, j.data)
	}
	j.ready = t.wait()
	t.writes, t.written = t.writes[1:], append(t.written, j)
	return nil
}

// WriteStatus returns the next status of a write, if there is one in this cycle.
func (t *Target) WriteStatus() (TagStatus, bool) {
	i, ok := choose(t, t.written, func(j *writeJob) bool { return j.ready <= t.cycle })
	if !ok {
		return TagStatus{}, false
	}
	j := t.written[i]
	t.written = append(t.written[:i:i], t.written[i+1:]...)
	return TagStatus{j.Tag, j.Fault.Error}, true
}
