package external

import (
	"bufio"
	_ "embed"
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/wave"
)

//go:embed native/state.c
var stateTasks string

// Icarus runs the Verilog of d in Icarus Verilog. It builds in dir, or in the user's cache
// directory if dir is empty. Outputs are four-valued: Unknown returns the output bits that were X
// or Z.
func Icarus(d *ir.Design, dir string) (*Process, error) {
	s, err := newSource(d)
	if err != nil {
		return nil, err
	}
	return startIcarus(s, dir)
}

func startIcarus(s *source, dir string) (*Process, error) { return s.interpret(dir, "+zero") }

// FourState works like Icarus, but all state is initially unknown. State without a reset stays X
// until it is written.
func FourState(d *ir.Design, dir string) (*Process, error) {
	s, err := newSource(d)
	if err != nil {
		return nil, err
	}
	return s.interpret(dir)
}

// interpret builds and starts vvp with additional arguments.
func (s *source) interpret(dir string, arguments ...string) (*Process, error) {
	files := append([]verilog.File{{Name: "hotline_tb.v", Text: s.bench()}, {Name: "state.c", Text: stateTasks}}, s.files...)
	command := []string{"iverilog", "-g2005", "-DSYNTHESIS", "-s", "hotline_tb", "-o", "cosim.vvp", "hotline_tb.v"}
	for _, f := range s.files {
		command = append(command, f.Name)
	}
	build := func(dir string) error {
		if err := run(dir, "iverilog-vpi", "state.c"); err != nil {
			return err
		}
		return run(dir, command...)
	}
	built, err := cached(dir, "icarus", files, command, build)
	if err != nil {
		return nil, err
	}
	command = []string{"vvp", "-n", "-M" + built, "-mstate", built + "/cosim.vvp"}
	return start("icarus", s, textCodec{}, append(command, arguments...)...)
}

// bench returns a test bench. Per input line, the bench reads a command and an input frame in
// hexadecimal, and prints a line of outputs in binary:
//
//   - 0 prints the outputs;
//   - 1 prints the outputs and applies a clock edge;
//   - 2 works like 0 and ends a request;
//   - 3 is followed by a line with a value of state and prints nothing.
func (s *source) bench() string {
	f := s.format
	var b strings.Builder
	b.WriteString("`timescale 1ns/1ns\nmodule hotline_tb;\n  reg clk;\n  reg [1:0] command;\n  integer n;\n")
	fmt.Fprintf(&b, "  reg [%d:0] frame;\n  wire rst = frame[0];\n", 64*f.InWords-1)
	for _, x := range f.In {
		bits := f.Ports[x.Port].Type.Bits()
		fmt.Fprintf(&b, "  wire %s%s = frame[%d +: %d];\n", declaration(bits), name(x.Port), 64*x.Word, bits)
	}
	var format, args []string
	for _, x := range f.Out {
		fmt.Fprintf(&b, "  wire %s%s;\n", declaration(f.Ports[x.Port].Type.Bits()), name(x.Port))
		format, args = append(format, "%b"), append(args, ", "+name(x.Port))
	}
	b.WriteString(s.instance())
	fmt.Fprintf(&b, `  initial begin
    clk = 0;
    #1 if ($test$plusargs("zero")) $zero_state(dut); // from X, so that every always @* sees a change
    n = $fscanf(32'h8000_0000, "%%h %%h", command, frame);
    while (n == 2) begin
      if (command == 3) $read_state(dut);
      else #1 $display("%s"%s);
      if (command == 1) begin
        clk = 1;
        #1 clk = 0;
      end
      if (command == 2) $fflush;
      n = $fscanf(32'h8000_0000, "%%h %%h", command, frame);
    end
    $finish;
  end
endmodule
`, strings.Join(format, " "), strings.Join(args, ""))
	return b.String()
}

// textCodec implements the protocol of the test bench. The last line of a request reads the outputs
// once more, which makes the bench flush its output.
type textCodec struct{}

func (textCodec) write(w *bufio.Writer, path string, word int, value []uint64) {
	fmt.Fprintf(w, "3 0\n%s %d %s\n", path, word, wave.Hex(value))
}

func (textCodec) send(w *bufio.Writer, f *sim.Format, cycles int, frames []uint64) error {
	for i := range cycles {
		line(w, "1", frames[i*f.InWords:][:f.InWords])
	}
	line(w, "2", frames[len(frames)-f.InWords:])
	return w.Flush()
}

func line(w *bufio.Writer, command string, frame []uint64) {
	w.WriteString(command)
	w.WriteByte(' ')
	for i := len(frame) - 1; i >= 0; i-- {
		fmt.Fprintf(w, "%016x", frame[i])
	}
	w.WriteByte('\n')
}

func (textCodec) receive(r *bufio.Reader, f *sim.Format, cycles int, out, unknown []uint64) error {
	n := f.OutWords
	for i := range max(cycles, 1) {
		if err := readLine(r, f, out[i*n:][:n], unknown[i*n:][:n]); err != nil {
			return err
		}
	}
	if cycles == 0 {
		return nil
	}
	return readLine(r, f, make([]uint64, n), make([]uint64, n))
}

// readLine reads the outputs of a cycle: binary digits, x and z.
func readLine(r *bufio.Reader, f *sim.Format, out, unknown []uint64) error {
	clear(out)
	clear(unknown)
	for _, x := range f.Out {
		for i := f.Ports[x.Port].Type.Bits() - 1; i >= 0; i-- {
			c, err := r.ReadByte()
			if err != nil {
				return err
			}
			word, bit := x.Word+i/64, uint64(1)<<(i%64)
			switch c {
			case '0':
			case '1':
				out[word] |= bit
			case 'x', 'z':
				unknown[word] |= bit
			default:
				rest, _ := r.ReadString('\n')
				return fmt.Errorf("expected a value, found %.200q", string(c)+rest)
			}
		}
		if _, err := r.ReadByte(); err != nil { // space or end of line
			return err
		}
	}
	if len(f.Out) == 0 {
		_, err := r.ReadByte()
		return err
	}
	return nil
}
