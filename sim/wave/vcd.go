package wave

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// VCD writes a value change dump (IEEE 1364-2005 clause 18). Cycle n begins at
// the rising clock edge at time n*period.
type VCD struct {
	w       *bufio.Writer
	period  uint64 // ps
	signals []Signal
	codes   []string
	clock   string
	cycle   uint64
	begun   bool // a cycle has been written
}

// NewVCD makes a recorder that writes to w with a clock period in picoseconds,
// at least 2. Close it at the end.
func NewVCD(w io.Writer, period uint64) *VCD {
	if period < 2 {
		panic("wave: clock period below 2 ps")
	}
	return &VCD{w: bufio.NewWriterSize(w, 1<<16), period: period}
}

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

// Begin implements Recorder: it writes the header.
func (v *VCD) Begin(top string, signals []Signal) error {
	v.signals = signals
	root := &scope{name: top}
	for i, s := range signals {
		at := root
		for _, name := range s.Path[:len(s.Path)-1] {
			at = at.child(name)
		}
		at.signals = append(at.signals, i)
		v.codes = append(v.codes, code(i+1))
	}
	v.clock = code(0)
	fmt.Fprintf(v.w, "$version Hotline $end\n$timescale 1ps $end\n")
	v.header(root, true)
	_, err := fmt.Fprintf(v.w, "$enddefinitions $end\n")
	return err
}

// code is the short name of the n-th signal: printable characters, the first
// ones shortest.
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
	fmt.Fprintf(v.w, "$scope %s %s $end\n", kind, s.name)
	if top {
		fmt.Fprintf(v.w, "$var wire 1 %s clk $end\n", v.clock)
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
		fmt.Fprintf(v.w, "$var %s %d %s %s%s $end\n", kind, sig.Width, v.codes[i], sig.Path[len(sig.Path)-1], bounds)
	}
	for _, c := range s.inner {
		v.header(c, false)
	}
	fmt.Fprintf(v.w, "$upscope $end\n")
}

// Cycle implements Recorder.
func (v *VCD) Cycle(n uint64) {
	v.fall()
	v.cycle, v.begun = n, true
	fmt.Fprintf(v.w, "#%d\n1%s\n", n*v.period, v.clock)
}

// fall writes the falling clock edge of the present cycle.
func (v *VCD) fall() {
	if v.begun {
		fmt.Fprintf(v.w, "#%d\n0%s\n", v.cycle*v.period+v.period/2, v.clock)
	}
}

// Change implements Recorder.
func (v *VCD) Change(signal int, value []uint64) {
	if v.signals[signal].Width == 1 {
		v.w.WriteByte('0' + byte(value[0]))
		v.w.WriteString(v.codes[signal])
		v.w.WriteByte('\n')
		return
	}
	v.w.WriteByte('b')
	v.number(value)
	v.w.WriteByte(' ')
	v.w.WriteString(v.codes[signal])
	v.w.WriteByte('\n')
}

// number writes value in binary without leading zeros.
func (v *VCD) number(value []uint64) {
	top := len(value) - 1
	for top > 0 && value[top] == 0 {
		top--
	}
	fmt.Fprintf(v.w, "%b", value[top])
	for top--; top >= 0; top-- {
		fmt.Fprintf(v.w, "%064b", value[top])
	}
}

// Close ends the dump and flushes it. The error is the first one of writing.
func (v *VCD) Close() error {
	v.fall()
	if v.begun {
		fmt.Fprintf(v.w, "#%d\n", (v.cycle+1)*v.period)
	}
	return v.w.Flush()
}
