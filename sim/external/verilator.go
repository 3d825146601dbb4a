package external

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

//go:embed native/harness.cpp
var harness string

// Verilator runs the Verilog of d in Verilator. It builds in dir, or in the user's cache directory
// if dir is empty.
func Verilator(d *ir.Design, dir string) (*Process, error) {
	s, err := newSource(d)
	if err != nil {
		return nil, err
	}
	return startVerilator(s, dir)
}

func startVerilator(s *source, dir string) (*Process, error) {
	built, err := s.verilate(dir, "verilator")
	if err != nil {
		return nil, err
	}
	return s.startVerilated(built)
}

// verilated is the path of verilate's program in the build directory.
var verilated = filepath.Join("obj_dir", "cosim")

func (s *source) startVerilated(built string) (*Process, error) {
	return start("verilator", s, binaryCodec{}, filepath.Join(built, verilated))
}

// verilate builds with additional arguments for Verilator and returns the build directory. The kind
// is a kind of buildcache.Store.
func (s *source) verilate(dir, kind string, more ...string) (built string, err error) {
	files := append([]verilog.File{
		{Name: "hotline_cosim.v", Text: s.wrapper()},
		{Name: "harness.cpp", Text: harness},
		{Name: "ports.inc", Text: s.glue()},
		{Name: "public.vlt", Text: public(s.files)},
	}, s.files...)
	// These options avoid bugs of Verilator 5.006. It confuses bits in trees of bit operations. It
	// writes constants of more than 64 words beyond their end unless it expands them. With the
	// optimization "gate", it fails on some registers with a selected element, and loses the sign
	// of a slice of a complemented constant.
	command := []string{"verilator", "-O3", "-fno-const-bit-op-tree", "-fno-gate", "--expand-limit", "100000", "--cc", "--exe", "--build", "-j", "2", "--x-initial", "0", "--x-assign", "0",
		"-Wno-fatal", "-Wno-lint", "-Wno-style", "-DSYNTHESIS", "-CFLAGS", "-O2 -I..", "--top-module", "hotline_cosim", "-o", "cosim", "public.vlt", "hotline_cosim.v", "harness.cpp"}
	command = append(command, more...)
	for _, f := range s.files {
		command = append(command, f.Name)
	}
	return cached(dir, kind, files, command, func(dir string) error { return run(dir, command...) })
}

// glue returns the contents of ports.inc.
func (s *source) glue() string {
	var b strings.Builder
	fmt.Fprintf(&b, "const std::size_t IN_WORDS = %d, OUT_WORDS = %d;\n\n", s.format.InWords, s.format.OutWords)
	b.WriteString("void loadInputs(Vhotline_cosim &top, const uint64_t *frame) {\n    load(top.rst, frame);\n")
	for _, x := range s.format.In {
		fmt.Fprintf(&b, "    load(top.%s, frame + %d);\n", name(x.Port), x.Word)
	}
	b.WriteString("}\n\nvoid release(Vhotline_cosim &top) {\n")
	for _, line := range s.released() {
		b.WriteString("    " + line + "\n")
	}
	b.WriteString("}\n\nvoid storeOutputs(const Vhotline_cosim &top, uint64_t *frame) {\n")
	for _, x := range s.format.Out {
		fmt.Fprintf(&b, "    store(top.%s, frame + %d);\n", name(x.Port), x.Word)
	}
	b.WriteString("}\n")
	return b.String()
}

// released returns C++ statements that deactivate all asynchronous resets. A reset that is active
// in the first frame then has its edge there.
func (s *source) released() (lines []string) {
	if s.design.Top == nil {
		return nil
	}
	for _, d := range s.design.Top.Domains {
		for i, p := range s.design.Top.Ports {
			if p == d.Reset && d.Async {
				inactive := 0
				if d.Low {
					inactive = 1
				}
				lines = append(lines, fmt.Sprintf("top.%s = %d;", name(i), inactive))
			}
		}
	}
	if len(lines) > 0 {
		lines = append(lines, "top.eval();")
	}
	return lines
}

// binaryCodec implements the protocol of harness.cpp.
type binaryCodec struct{}

func (binaryCodec) send(w *bufio.Writer, _ *sim.Format, cycles int, frames []uint64) error {
	b := binary.LittleEndian.AppendUint32(w.AvailableBuffer(), uint32(cycles))
	if _, err := w.Write(b); err != nil {
		return err
	}
	for _, x := range frames {
		if _, err := w.Write(binary.LittleEndian.AppendUint64(w.AvailableBuffer(), x)); err != nil {
			return err
		}
	}
	return w.Flush()
}

// writeState replaces the cycle count in a message that sets state.
const writeState = 1<<32 - 1

func (binaryCodec) write(w *bufio.Writer, path string, word int, value []uint64) {
	b := binary.LittleEndian.AppendUint32(nil, writeState)
	for _, n := range []int{len(path), word, len(value)} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, path...)
	for _, x := range value {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	w.Write(b) // the next request reports an error
}

func (binaryCodec) receive(r *bufio.Reader, _ *sim.Format, _ int, out, _ []uint64) error {
	for len(out) > 0 {
		n := min(len(out), 512)
		b, err := r.Peek(8 * n)
		if err != nil {
			return err
		}
		for i := range n {
			out[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		r.Discard(len(b))
		out = out[n:]
	}
	return nil
}
