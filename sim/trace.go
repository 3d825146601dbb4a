package sim

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/sim/bv"
)

// traceMagic begins a trace file, inside gzip; its last word is the version. The header continues
// with lines "design <hash>", "input <name> <len>x<width>"... and "cycles".
//
// Each cycle is the number of changed fields plus one, as a uvarint, followed by the changed
// fields. A field is its number as a uvarint and its value. Number 0 is the reset and 1 the first
// input. The value has as many little-endian bytes as its bits need. A 0 and the number of cycles,
// as a uvarint, follow the last cycle.
const traceMagic = "hotline-trace 1"

// errTruncated reports a file that ends too early.
var errTruncated = errors.New("the file is truncated")

// traceFields returns the fields of an input frame, with the reset first.
func traceFields(f *Format) []Field {
	return append([]Field{{Port: -1, Words: 1}}, f.In...)
}

// bytes returns the size of a field in the file in bytes.
func (f *Format) bytes(x Field) int {
	if x.Port < 0 {
		return 1
	}
	return (f.Ports[x.Port].Type.Bits() + 7) / 8
}

func traceHeader(hash string, f *Format) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\ndesign %s\n", traceMagic, hash)
	for _, x := range f.In {
		fmt.Fprintf(&b, "%s\n", f.Ports[x.Port])
	}
	b.WriteString("cycles\n")
	return b.String()
}

// Recorder is a Simulator that writes its inputs to a trace file.
type Recorder struct {
	Simulator
	f         *Format
	zip       *gzip.Writer
	w         *bufio.Writer
	now, last []uint64
	buf       []byte
	cycles    uint64
	err       error
}

// NewRecorder returns a Simulator that records the inputs of s to w. The argument hash is the Hash
// of the design that s runs. Close completes the file but does not close w.
func NewRecorder(s Simulator, hash string, w io.Writer) *Recorder {
	f := NewFormat(s.Ports())
	zip := gzip.NewWriter(w)
	r := &Recorder{Simulator: s, f: f, zip: zip, w: bufio.NewWriter(zip), now: make([]uint64, f.InWords), last: make([]uint64, f.InWords)}
	_, r.err = r.w.WriteString(traceHeader(hash, f))
	return r
}

// Set implements Simulator.
func (r *Recorder) Set(port int, value []uint64) {
	copy(r.f.input(port).Of(r.now), value)
	r.Simulator.Set(port, value)
}

// SetReset implements Simulator.
func (r *Recorder) SetReset(on bool) {
	r.now[0] = 0
	if on {
		r.now[0] = 1
	}
	r.Simulator.SetReset(on)
}

// Step implements Simulator. The error may be a write error.
func (r *Recorder) Step() error {
	r.write()
	return errors.Join(r.Simulator.Step(), r.err)
}

// write appends the current inputs to the file.
func (r *Recorder) write() {
	changed := 0
	b := r.buf[:0]
	for i, x := range traceFields(r.f) {
		v := x.Of(r.now)
		if bv.Equal(v, x.Of(r.last)) {
			continue
		}
		changed++
		b = binary.AppendUvarint(b, uint64(i))
		for k := range r.f.bytes(x) {
			b = append(b, byte(v[k/8]>>(k%8*8)))
		}
	}
	copy(r.last, r.now)
	r.buf = b
	r.cycles++
	r.put(binary.AppendUvarint(nil, uint64(changed)+1))
	r.put(b)
}

func (r *Recorder) put(b []byte) {
	if r.err == nil {
		_, r.err = r.w.Write(b)
	}
}

// Close completes the file and closes the recorded Simulator. It returns the first write error and
// the Simulator's error, joined.
func (r *Recorder) Close() error {
	r.put(binary.AppendUvarint([]byte{0}, r.cycles))
	if r.err == nil {
		r.err = r.w.Flush()
	}
	if r.err == nil {
		r.err = r.zip.Close()
	}
	return errors.Join(r.err, r.Simulator.Close())
}

// Trace is a recorded Stimulus.
type Trace struct {
	// Design is the Hash of the design that the trace was recorded on.
	Design string
	f      *Format
	r      *bufio.Reader
	fields []Field
	cycles uint64
	ended  bool
}

// NewTrace reads a trace file for a design with format f. It fails if the file is not a trace, has
// another version or has other inputs.
func NewTrace(r io.Reader, f *Format) (*Trace, error) {
	zip, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("not a trace file: %w", err)
	}
	t := &Trace{f: f, r: bufio.NewReader(zip), fields: traceFields(f)}
	if err := t.header(); err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	return t, nil
}

func (t *Trace) header() error {
	line, err := t.line()
	if err == nil && line != traceMagic {
		return fmt.Errorf("the file begins with %.40q, expected %q", line, traceMagic)
	}
	if err == nil {
		line, err = t.line()
	}
	if err != nil {
		return err
	}
	hash, ok := strings.CutPrefix(line, "design ")
	if !ok {
		return fmt.Errorf("line 2 is %.40q, expected the design", line)
	}
	t.Design = hash
	for i := 0; ; i++ {
		line, err := t.line()
		if err != nil {
			return err
		}
		want := "cycles"
		if i < len(t.f.In) {
			want = t.f.Ports[t.f.In[i].Port].String()
		}
		if line != want {
			return fmt.Errorf("recorded on other ports: the file has %q where the design has %q", line, want)
		}
		if i == len(t.f.In) {
			return nil
		}
	}
}

func (t *Trace) line() (string, error) {
	s, err := t.r.ReadString('\n')
	if err != nil {
		return "", truncated(err)
	}
	return strings.TrimSuffix(s, "\n"), nil
}

// truncated replaces an unexpected end of file by errTruncated.
func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errTruncated
	}
	return err
}

// Next implements Stimulus. After the end, every call returns io.EOF.
func (t *Trace) Next(frame []uint64) error {
	if t.ended {
		return io.EOF
	}
	end, err := t.next(frame)
	if err != nil {
		return fmt.Errorf("cycle %d of the trace: %w", t.cycles, truncated(err))
	}
	if t.ended = end; end {
		return io.EOF
	}
	t.cycles++
	return nil
}

func (t *Trace) next(frame []uint64) (end bool, err error) {
	count, err := binary.ReadUvarint(t.r)
	if err != nil {
		return false, err
	}
	if count == 0 {
		return true, t.checkEnd()
	}
	for range count - 1 {
		i, err := binary.ReadUvarint(t.r)
		if err != nil {
			return false, err
		}
		if i >= uint64(len(t.fields)) {
			return false, fmt.Errorf("input %d of %d", i, len(t.fields))
		}
		if err := t.value(t.fields[i], frame); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (t *Trace) checkEnd() error {
	n, err := binary.ReadUvarint(t.r)
	if err != nil {
		return err
	}
	if n != t.cycles {
		return fmt.Errorf("the file says that it has %d cycles", n)
	}
	if _, err := t.r.ReadByte(); err != io.EOF { // reading to the end verifies the gzip checksum
		return fmt.Errorf("after the end: %w", cmp.Or(err, errors.New("more data")))
	}
	return nil
}

func (t *Trace) value(x Field, frame []uint64) error {
	v := x.Of(frame)
	clear(v)
	for k := range t.f.bytes(x) {
		b, err := t.r.ReadByte()
		if err != nil {
			return err
		}
		v[k/8] |= uint64(b) << (k % 8 * 8)
	}
	return nil
}
