// Command serve runs a compiled model for a parent process. The function external.Model builds it
// with compiled.Build, which links in the model. The arguments are the hash of the design and a
// level. The protocol is the protocol of sim/external/native/harness.cpp.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

// engine is the interface of a generated model.
type engine interface {
	sim.Simulator
	sim.Framed
	sim.Writable
}

// server responds to requests.
type server struct {
	engine
	format *sim.Format
	r      *bufio.Reader
	w      *bufio.Writer
	states map[string]int // indices of registers, memories and elements by path
}

// writeState replaces the cycle count in a request that sets state.
const writeState = 1<<32 - 1

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("expected the hash of a design and a level")
	}
	level, err := model.LevelNamed(args[1])
	if err == nil {
		err = level.Check()
	}
	if err != nil {
		return err
	}
	s, ok := model.Lookup(args[0], level)
	if !ok {
		return fmt.Errorf("this program has no model of design %s", args[0])
	}
	v := server{engine: s.(engine), format: sim.NewFormat(s.Ports()), r: bufio.NewReader(in), w: bufio.NewWriter(out), states: map[string]int{}}
	for i, x := range v.State() {
		v.states[x.Path] = i
	}
	for {
		var count uint32
		err := binary.Read(v.r, binary.LittleEndian, &count)
		if err == nil {
			err = v.answer(count)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (v server) answer(count uint32) error {
	if count == writeState {
		return v.write()
	}
	in, out := make([]uint64, v.format.InWords), make([]uint64, v.format.OutWords)
	for range max(1, count) {
		if err := binary.Read(v.r, binary.LittleEndian, in); err != nil {
			return err
		}
		v.SetFrame(in)
		v.GetFrame(out)
		if err := binary.Write(v.w, binary.LittleEndian, out); err != nil {
			return err
		}
		var failed *sim.AssertionError // ignored: the interpreter reports them
		if count == 0 {
			break
		}
		if err := v.Step(); err != nil && !errors.As(err, &failed) {
			return err
		}
	}
	return v.w.Flush()
}

// write sets a register with all its elements, or a word of a memory. It ignores state that the
// model omits because nothing depends on it.
func (v server) write() error {
	var size struct{ Path, Word, Words uint32 }
	if err := binary.Read(v.r, binary.LittleEndian, &size); err != nil {
		return err
	}
	path, value := make([]byte, size.Path), make([]uint64, size.Words)
	if _, err := io.ReadFull(v.r, path); err != nil {
		return err
	}
	if err := binary.Read(v.r, binary.LittleEndian, value); err != nil {
		return err
	}
	if i, ok := v.states[string(path)]; ok {
		v.Write(i, int(size.Word), value)
	}
	for k, lo := 0, 0; ; k++ {
		i, ok := v.states[fmt.Sprintf("%s[%d]", path, k)]
		if !ok {
			return nil
		}
		width := v.State()[i].Width
		element := make([]uint64, ir.Words(width))
		bv.Slice(element, value, lo, width)
		v.Write(i, 0, element)
		lo += width
	}
}
