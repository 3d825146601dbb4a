package bench

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// stimulus is a file of events. An event consists of a number of cycles, whether their time counts,
// and their input frame, all as little-endian 64-bit words. An event contains all inputs, not only
// changed inputs: this saves the runners a hard-to-predict branch for each changed input.
type stimulus struct {
	name, file string
	cycles     int // sum over all events
}

// write writes the file from a source of input frames, up to the last cycle that counts.
// Consecutive cycles with equal inputs form one event.
func (s Settings) write(design, name string, f *sim.Format, source sim.Stimulus, counts []bool) (stimulus, error) {
	counts = upToLast(counts)
	st := stimulus{name, filepath.Join(s.Dir, design+"-"+name+".stimulus"), len(counts)}
	file, err := outfile.Stream(st.file)
	if err != nil {
		return st, err
	}
	w := bufio.NewWriter(file)
	err = events(w, f, source, counts)
	return st, errors.Join(err, w.Flush(), file.Close())
}

// upToLast removes the cycles after the last cycle that counts.
func upToLast(counts []bool) []bool {
	for len(counts) > 0 && !counts[len(counts)-1] {
		counts = counts[:len(counts)-1]
	}
	return counts
}

func events(w io.Writer, f *sim.Format, source sim.Stimulus, counts []bool) error {
	frame, last := make([]uint64, f.InWords), make([]uint64, f.InWords)
	var event []uint64
	for c := range counts {
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
		event = append(append(event[:0], 1, 0), frame...)
		if counts[c] {
			event[1] = 1
		}
		copy(last, frame)
	}
	return binary.Write(w, binary.LittleEndian, event)
}
