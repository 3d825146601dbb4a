package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// stimulus is a file of events. An event is a number of cycles, whether their
// time counts, the number of fields that change before them, and of each its
// number (0 the reset, 1 the first input) and its words: little-endian 64-bit
// words all.
type stimulus struct {
	name, file string
	brief      bool // short enough for Icarus
}

// write makes the file from a source of input frames, up to the last cycle that
// counts. Cycles in which nothing changes are joined.
func (s settings) write(design, name string, f *sim.Format, source sim.Stimulus, counts []bool) (stimulus, error) {
	st := stimulus{name: name, file: filepath.Join(s.dir, design+"-"+name+".stimulus")}
	file, err := os.Create(st.file)
	if err != nil {
		return st, err
	}
	w := bufio.NewWriter(file)
	err = events(w, f, source, counts)
	return st, errors.Join(err, w.Flush(), file.Close())
}

func events(w io.Writer, f *sim.Format, source sim.Stimulus, counts []bool) error {
	end := len(counts)
	for end > 0 && !counts[end-1] {
		end--
	}
	fields := append([]sim.Field{{Port: -1, Words: 1}}, f.In...)
	frame, last := make([]uint64, f.InWords), make([]uint64, f.InWords)
	var event []uint64
	for c := range end {
		if err := source.Next(frame); err != nil {
			return err
		}
		if c > 0 && counts[c] == counts[c-1] && bv.Equal(frame, last) {
			event[0]++
			continue
		}
		if err := binary.Write(w, binary.LittleEndian, event); err != nil {
			return err
		}
		event = append(event[:0], 1, 0, 0)
		if counts[c] {
			event[1] = 1
		}
		for i, x := range fields {
			if v := x.Of(frame); c == 0 || !bv.Equal(v, x.Of(last)) {
				event[2]++
				event = append(append(event, uint64(i)), v...)
			}
		}
		copy(last, frame)
	}
	return binary.Write(w, binary.LittleEndian, event)
}
