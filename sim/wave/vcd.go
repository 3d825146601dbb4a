package wave

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// VCD writes a value change dump (IEEE 1364-2005 clause 18). Cycle n begins at the rising clock
// edge at time n*period. The first time step contains a value of every signal. The output always
// ends with a complete time step, even if the recording stops early.
type VCD struct {
	w        *bufio.Writer
	step     bytes.Buffer // the current time step
	written  int64        // bytes before it
	limit    int64
	full     func(cycle uint64)
	from, to uint64
	period   uint64 // in picoseconds
	begun    bool
	signals  []Signal
	codes    []string
	clock    string
	values   [][]uint64 // of all signals, until the first step is written
	some     bool       // a time step has been written
	seen     bool       // there was a cycle
	cycle    uint64     // the latest cycle
	state    vcdState
	err      error
}

// vcdState is the progress of a dump.
type vcdState int

const (
	vcdBefore vcdState = iota // the window has not begun
	vcdFirst                  // in its first cycle
	vcdInside
	vcdAfter
)

// NewVCD returns a recorder that writes to w with a clock period in picoseconds, at least 2. The
// caller must call Close at the end.
func NewVCD(w io.Writer, period uint64) *VCD {
	if period < 2 {
		panic("wave: clock period below 2 ps")
	}
	return &VCD{w: bufio.NewWriterSize(w, 1<<16), period: period, to: math.MaxUint64, limit: math.MaxInt64}
}

// Window restricts the dump to the cycles from, ..., to-1. It must be called before Begin.
func (v *VCD) Window(from, to uint64) { v.from, v.to = from, to }

// Limit restricts the size in bytes, except that the header is always written. The dump ends before
// the first cycle that exceeds the limit, and full is called with that cycle. Limit must be called
// before Begin.
func (v *VCD) Limit(bytes int64, full func(cycle uint64)) { v.limit, v.full = bytes, full }

// scope is a level of the hierarchy in the header.
type scope struct {
	name    string
	signals []int
	inner   []*scope
}

func (s *scope) child(name string) *scope {
	for _, c := range s.inner {
		if c.name == name {
			return c
		}
	}
	c := &scope{name: name}
	s.inner = append(s.inner, c)
	return c
}

// Begin implements Recorder. It writes the header.
func (v *VCD) Begin(top string, signals []Signal) error {
	v.begun, v.signals = true, signals
	v.values = make([][]uint64, len(signals))
	root := &scope{name: top}
	for i, s := range signals {
		at := root
		for _, name := range s.Path[:len(s.Path)-1] {
			at = at.child(name)
		}
		at.signals = append(at.signals, i)
		v.codes = append(v.codes, code(i+1))
		v.values[i] = make([]uint64, (s.Width+63)/64)
	}
	v.clock = code(0)
	v.step.WriteString("$version Hotline $end\n$timescale 1ps $end\n")
	v.header(root, true)
	v.step.WriteString("$enddefinitions $end\n")
	v.put()
	v.flush()
	return v.err
}

// code returns the short name of the n-th signal in printable characters. The first names are the
// shortest.
func code(n int) string {
	s := ""
	for {
		s += string(rune('!' + n%94))
		if n /= 94; n == 0 {
			return s
		}
		n--
	}
}

func (v *VCD) header(s *scope, top bool) {
	kind := "module"
	if strings.HasSuffix(s.name, "]") { // an iteration of a loop
		kind = "begin"
	}
	fmt.Fprintf(&v.step, "$scope %s %s $end\n", kind, s.name)
	if top {
		fmt.Fprintf(&v.step, "$var wire 1 %s clk $end\n", v.clock)
	}
	for _, i := range s.signals {
		sig := v.signals[i]
		kind, bounds := "wire", ""
		if sig.Reg {
			kind = "reg"
		}
		if sig.Width > 1 {
			bounds = fmt.Sprintf(" [%d:0]", sig.Width-1)
		}
		fmt.Fprintf(&v.step, "$var %s %d %s %s%s $end\n", kind, sig.Width, v.codes[i], sig.Path[len(sig.Path)-1], bounds)
	}
	for _, c := range s.inner {
		v.header(c, false)
	}
	fmt.Fprintf(&v.step, "$upscope $end\n")
}

// Cycle implements Recorder.
func (v *VCD) Cycle(n uint64) {
	v.finish()
	if v.state == vcdBefore && n >= v.from {
		v.open(n)
	}
	if v.state == vcdInside && n >= v.to {
		v.end(v.to)
	}
	v.seen, v.cycle = true, n
	if v.state == vcdInside {
		fmt.Fprintf(&v.step, "#%d\n1%s\n", n*v.period, v.clock)
	}
}

// open begins the window in cycle n, or in the idle cycles before it that were not recorded.
func (v *VCD) open(n uint64) {
	if !v.seen || n == v.from {
		v.state = vcdFirst
		return
	}
	v.dump(v.from, 0)
	v.commit(v.from)
}

// dump writes all values as the values of cycle n.
func (v *VCD) dump(n uint64, clock int) {
	fmt.Fprintf(&v.step, "#%d\n$dumpvars\n%d%s\n", n*v.period, clock, v.clock)
	for i, value := range v.values {
		v.change(i, value)
	}
	v.step.WriteString("$end\n")
	v.values, v.state = nil, vcdInside
}

// finish completes the current cycle's time step with the falling clock edge.
func (v *VCD) finish() {
	if v.state == vcdFirst {
		v.dump(v.cycle, 1)
	}
	if v.state == vcdInside && v.step.Len() > 0 {
		fmt.Fprintf(&v.step, "#%d\n0%s\n", v.cycle*v.period+v.period/2, v.clock)
		v.commit(v.cycle)
	}
}

// endBytes is reserved for the line that ends the dump.
const endBytes = 24

// commit writes the time step of cycle n, or ends the dump if the step exceeds the limit.
func (v *VCD) commit(n uint64) {
	if v.written+int64(v.step.Len()) <= v.limit-endBytes {
		v.some = true
		v.put()
		return
	}
	v.step.Reset()
	v.end(n)
	v.flush()
	v.full(n)
}

// put writes the contents of step.
func (v *VCD) put() {
	n, err := v.w.Write(v.step.Bytes())
	v.written += int64(n)
	v.step.Reset()
	v.check(err)
}

func (v *VCD) flush() { v.check(v.w.Flush()) }

// check keeps the first error, which ends the dump.
func (v *VCD) check(err error) {
	if err != nil && v.err == nil {
		v.err, v.state = err, vcdAfter
	}
}

// end ends the dump at the start of cycle n. A dump without a time step gets no end.
func (v *VCD) end(n uint64) {
	if v.some {
		fmt.Fprintf(&v.step, "#%d\n", n*v.period)
		v.put()
	}
	v.state = vcdAfter
}

// Change implements Recorder.
func (v *VCD) Change(signal int, value []uint64) {
	switch v.state {
	case vcdBefore, vcdFirst:
		copy(v.values[signal], value)
	case vcdInside:
		v.change(signal, value)
	}
}

func (v *VCD) change(signal int, value []uint64) {
	if v.signals[signal].Width == 1 {
		v.step.WriteByte('0' + byte(value[0]))
		v.step.WriteString(v.codes[signal])
		v.step.WriteByte('\n')
		return
	}
	v.step.WriteByte('b')
	v.number(value)
	v.step.WriteByte(' ')
	v.step.WriteString(v.codes[signal])
	v.step.WriteByte('\n')
}

// number writes value in binary without leading zeros.
func (v *VCD) number(value []uint64) {
	top := len(value) - 1
	for top > 0 && value[top] == 0 {
		top--
	}
	fmt.Fprintf(&v.step, "%b", value[top])
	for top--; top >= 0; top-- {
		fmt.Fprintf(&v.step, "%064b", value[top])
	}
}

// Empty reports whether the dump contains no time step.
func (v *VCD) Empty() bool { return !v.some }

// Cycles returns the number of cycles so far, inside and outside the window.
func (v *VCD) Cycles() uint64 {
	if !v.seen {
		return 0
	}
	return v.cycle + 1
}

// Close ends the dump and flushes it. It returns the first write error, or an error if no engine has
// begun the dump.
func (v *VCD) Close() error {
	if !v.begun {
		return errors.New("wave: the VCD is empty, because no engine records to it; pass it to the engine, as in interp.Record(v)")
	}
	v.finish()
	if v.state == vcdInside {
		v.end(v.cycle + 1)
	}
	v.flush()
	return v.err
}
