package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// stimulus is a file of events, and the cycles whose time counts. An event is a
// number of cycles, a number of fields that change before them, and of each its
// number (0 the reset, 1 the first input) and its words: little-endian 64-bit
// words all.
type stimulus struct {
	name, file string
	from, to   uint64
}

// write makes the file from a source of input frames.
func (s settings) write(name string, f *sim.Format, source sim.Stimulus, from, to uint64) (stimulus, error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return stimulus{}, err
	}
	st := stimulus{name, filepath.Join(s.dir, name+".stimulus"), from, to}
	file, err := os.Create(st.file)
	if err != nil {
		return st, err
	}
	w := bufio.NewWriter(file)
	fields := append([]sim.Field{{Port: -1, Words: 1}}, f.In...)
	frame, last := make([]uint64, f.InWords), make([]uint64, f.InWords)
	event := []uint64{0, 0}
	flush := func() error {
		var err error
		if event[0] > 0 {
			err = binary.Write(w, binary.LittleEndian, event)
		}
		event = []uint64{0, 0}
		return err
	}
	for c := range to {
		if err := source.Next(frame); err == io.EOF {
			st.to = c
			break
		} else if err != nil {
			return st, err
		}
		if c == from || !bv.Equal(frame, last) {
			if err := flush(); err != nil {
				return st, err
			}
			for i, x := range fields {
				if !bv.Equal(x.Of(frame), x.Of(last)) || c == 0 {
					event[1]++
					event = append(append(event, uint64(i)), x.Of(frame)...)
				}
			}
			copy(last, frame)
		}
		event[0]++
	}
	if err := flush(); err != nil {
		return st, err
	}
	if err := w.Flush(); err != nil {
		return st, err
	}
	return st, file.Close()
}

// outcome is what a run prints.
type outcome struct {
	cycles  uint64
	seconds float64
	sum     string
}

func (o outcome) speed() float64 { return float64(o.cycles) / max(o.seconds, 1e-9) }

// run runs the stimulus once.
func (p *program) run(st stimulus) (o outcome, err error) {
	cmd := exec.Command(p.path, st.file, fmt.Sprint(st.from), fmt.Sprint(st.to))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return o, fmt.Errorf("%s: %w", p.name, err)
	}
	if _, err := fmt.Fscan(strings.NewReader(string(out)), &o.cycles, &o.seconds, &o.sum); err != nil {
		return o, fmt.Errorf("%s printed %q: %w", p.name, out, err)
	}
	return o, nil
}
