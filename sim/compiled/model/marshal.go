package model

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// Stateful is a model with readable and writable state.
type Stateful interface {
	sim.Inspector
	sim.Writable
	sim.Skipper
}

// format begins the data; its number is the format version.
const format = "hotline snapshot 1"

// Marshal encodes the state of a model of the design with this hash: cycle, reset, inputs, and
// registers and memories with their paths. Everything else follows from these. The result is
// compressed with gzip, whose checksum detects corruption.
func Marshal(s Stateful, reset bool, hash string) ([]byte, error) {
	var b []byte
	b = appendText(b, format)
	b = appendText(b, hash)
	b = appendWords(b, s.Cycle(), bit(reset))
	for i, p := range s.Ports() {
		if p.Input {
			x := make([]uint64, ir.Words(p.Type.Bits()))
			s.Get(i, x)
			b = appendWords(b, x...)
		}
	}
	for i, x := range s.State() {
		b = appendText(b, shape(x))
		for word := range max(1, x.Depth) {
			b = appendWords(b, s.Read(i, word)...)
		}
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(b); err != nil {
		return nil, err
	}
	err = z.Close()
	return out.Bytes(), err
}

// shape formats the path and size of a register or memory.
func shape(x sim.State) string { return fmt.Sprintf("%s %d %d", x.Path, x.Width, x.Depth) }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendWords(b []byte, words ...uint64) []byte {
	for _, w := range words {
		b = binary.AppendUvarint(b, w)
	}
	return b
}

// Unmarshal restores a state from Marshal in a new model of the design with this hash. After an
// error, the model must not be used.
func Unmarshal(data []byte, s Stateful, hash string) error {
	b, err := unpack(data)
	if err != nil {
		return fmt.Errorf("the snapshot is damaged: %w", err)
	}
	r := &reader{rest: b}
	if err := r.expect(format, "begins with"); err != nil {
		return err
	}
	if err := r.expect(hash, "is of design"); err != nil {
		return err
	}
	s.Skip(r.words(1)[0])
	s.SetReset(r.words(1)[0] != 0)
	for i, p := range s.Ports() {
		if p.Input {
			s.Set(i, r.words(ir.Words(p.Type.Bits())))
		}
	}
	for i, x := range s.State() {
		if err := r.expect(shape(x), "is of another version of the model: has"); err != nil {
			return err
		}
		for word := range max(1, x.Depth) {
			s.Write(i, word, r.words(ir.Words(x.Width)))
		}
	}
	if r.short || len(r.rest) > 0 {
		return errors.New("the snapshot has another length than the state of this design")
	}
	return nil
}

func unpack(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// reader decodes texts and words from bytes. At the end of the data, it returns empty texts and
// zeros and sets short.
type reader struct {
	rest  []byte
	short bool
	buf   []uint64
}

// expect reads a text and returns an error if it differs from the expected text.
func (r *reader) expect(text, what string) error {
	n := min(r.word(), uint64(len(r.rest)))
	got := string(r.rest[:n])
	r.rest = r.rest[n:]
	if got != text {
		return fmt.Errorf("the snapshot %s %q, expected %q", what, got, text)
	}
	return nil
}

// words reads n words, which are valid until the next call.
func (r *reader) words(n int) []uint64 {
	r.buf = r.buf[:0]
	for range n {
		r.buf = append(r.buf, r.word())
	}
	return r.buf
}

func (r *reader) word() uint64 {
	w, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.short = true
		r.rest = nil
		return 0
	}
	r.rest = r.rest[n:]
	return w
}
