package wrap

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	hotline "github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/regmap"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// page returns the text of integration.md.
func page(t require.TestingT) string {
	text, err := os.ReadFile("../../../docs/how-to/integration.md")
	require.NoError(t, err)
	return string(text)
}

// block returns the code block of integration.md with the given info string.
func block(t require.TestingT, words string) string {
	_, rest, ok := strings.Cut(page(t), "\n```"+words+"\n")
	require.True(t, ok, words)
	text, _, _ := strings.Cut(rest, "```")
	return text
}

// topOf returns a top module by name.
func topOf(p arch.Params, name string) (*ir.Design, error) {
	switch name {
	case "hotline_axi":
		return hw.Elaborate(AXI{Params: p})
	case "hotline_verilog_pcie":
		return hw.Elaborate(VerilogPCIe{Params: p})
	case "hotline_xdma":
		return hw.Elaborate(XDMA{Params: p})
	}
	return hw.Elaborate(hotline.Hotline{Params: p})
}

// sequence is a device that executes sequences.
type sequence struct {
	*testing.T
	*card
	design *ir.Design
	fails  func(addr uint64, code arch.DMAError)
	ring   [2]uint64 // base addresses of the command and completion rings
}

// before returns a device with 1 MiB of memory in use, for a design with the small sizes.
func before(t *testing.T, top string) *sequence {
	p := arch.Small()
	d, err := topOf(p, top)
	require.NoError(t, err)
	c, err := newCard(d, 1)
	require.NoError(t, err)
	s := &sequence{T: t, card: c, design: d}
	switch top {
	case "hotline_axi":
		c.Far = newBusModel(c.Bench, newSlave(c.Memory, p.StreamBytes(), 0, 1))
		return s
	case "hotline_verilog_pcie":
		c.Far = newPCIeModel(c.Bench, c.Memory, p.StreamBytes(), 0, 1)
		return s
	case "hotline_xdma":
		c.behindXDMA(p.StreamBytes(), 0, 1)
		return s
	}
	target := dma.NewTarget(c.Memory, p.StreamBytes(), 0, 1)
	s.fails = func(addr uint64, code arch.DMAError) {
		target.Fault = func(d dma.Descriptor) dma.Fault {
			if d.Addr == addr {
				return dma.Fault{Error: code}
			}
			return dma.Fault{}
		}
	}
	c.Far = newBoundary(c.Bench, target)
	return s
}

// register returns the register of the given name.
func (s *sequence) register(name string) regmap.Register {
	i := slices.IndexFunc(arch.CSRMap.Registers, func(r regmap.Register) bool { return r.Name == name })
	require.GreaterOrEqual(s, i, 0, name)
	return arch.CSRMap.Registers[i]
}

// run executes a sequence of the document.
func (s *sequence) run(name string) {
	for _, line := range strings.Split(strings.TrimSpace(block(s, "sequence "+name)), "\n") {
		s.step(line, strings.Fields(line))
	}
}

func (s *sequence) step(line string, words []string) {
	number := func(i int) uint64 {
		v, err := strconv.ParseUint(words[i], 16, 64)
		require.NoError(s, err, line)
		return v
	}
	value := func() uint64 {
		v, err := s.Read32(uint64(s.register(words[1]).Offset))
		require.NoError(s, err, line)
		return uint64(v)
	}
	switch words[0] {
	case "write":
		r := s.register(words[1])
		for i := range r.Words {
			require.NoError(s, s.Write32(uint64(r.Offset+4*i), uint32(number(2)>>(32*i))), line)
		}
		s.remember(words[1], number(2))
	case "expect":
		require.Equal(s, number(2), value(), line)
	case "await":
		for n := 0; value() != number(2); n++ {
			require.Less(s, n, 1000, line)
		}
	case "command":
		s.command(words, number)
	case "completion":
		b := make([]byte, arch.CompletionBytes)
		s.Memory.ReadAt(s.ring[1]+arch.CompletionBytes*number(1), b)
		done, intact := arch.DecodeCompletion(b)
		require.True(s, intact && done.Phase, line)
		require.EqualValues(s, number(2), done.Status, line)
	case "interrupt":
		require.NoError(s, s.Wait(0), line)
	case "fail":
		s.fails(number(1), arch.DMAError(number(2)))
	case "same":
		a, b := make([]byte, number(3)), make([]byte, number(3))
		s.Memory.ReadAt(number(1), a)
		s.Memory.ReadAt(number(2), b)
		require.Equal(s, a, b, line)
		require.NotEqual(s, make([]byte, len(a)), a)
	default:
		s.Fatal(line)
	}
}

// remember records the addresses of the rings.
func (s *sequence) remember(register string, v uint64) {
	switch register {
	case "sq_base":
		s.ring[0] = v
	case "cq_base":
		s.ring[1] = v
	}
}

// command writes a command into an entry.
func (s *sequence) command(words []string, number func(int) uint64) {
	var c arch.Command
	for _, o := range arch.Opcodes {
		if o.Name == words[2] {
			c.Opcode = o.Number
		}
	}
	require.NotZero(s, c.Opcode, words)
	for i, to := range []*uint64{&c.Operand1, &c.Operand2, &c.Operand3} {
		if 3+i < len(words) {
			*to = number(3 + i)
		}
	}
	s.Memory.WriteAt(s.ring[0]+arch.CommandBytes*number(1), c.Encode(uint32(number(1))))
}

// numbers writes rows of binary32 numbers to memory.
func (s *sequence) numbers(addr uint64, n int) {
	for i := range uint64(n) {
		s.Memory.WriteAt(addr+4*i, []byte{byte(i), byte(i >> 8), 0x80, 0x3f})
	}
}

// TestSequencesOfIntegration: the sequences work one after the other, and again after the reset at
// their end. The sequences without failures also work with the other top modules.
func TestSequencesOfIntegration(t *testing.T) {
	s := before(t, "hotline")
	s.numbers(0x200000, 16)
	for range 2 {
		for _, name := range []string{"bring-up", "rings", "commands", "error", "halt"} {
			s.run(name)
		}
	}
	for _, top := range []string{"hotline_axi", "hotline_verilog_pcie", "hotline_xdma"} {
		s = before(t, top)
		s.numbers(0x200000, 16)
		for _, name := range []string{"bring-up", "rings", "commands"} {
			s.run(name)
		}
	}
}

// control matches port names that are meaningful in every cycle. Other ports are meaningful only
// while the last valid port before them is 1.
var control = regexp.MustCompile(`(valid|ready|req|ack)$`)

// trace records ports over n cycles while work runs, starting one cycle before begins is first
// true, and formats them as a waveform.
func (s *sequence) trace(begins func() bool, n int, names []string, work func()) string {
	rows := make([]wave.Row, len(names))
	begun := -1
	s.Look = []func() error{func() error {
		valid := true
		for i, name := range names {
			pin := s.Pin(name)
			rows[i].Name, rows[i].Width = name, s.design.Top.Port(name).Type.Bits()
			if strings.HasSuffix(name, "valid") {
				valid = pin.Bool()
			}
			var now []uint64
			if valid || control.MatchString(name) {
				now = slices.Clone(pin.Words())
			}
			rows[i].Values = append(rows[i].Values, now)
		}
		if begun < 0 && begins() {
			begun = len(rows[0].Values) - 1
		}
		return nil
	}}
	work()
	s.Look = nil
	require.GreaterOrEqual(s, begun, 1)
	for i := range rows {
		rows[i].Values = rows[i].Values[begun-1:][:n]
	}
	return wave.Text(0, rows)
}

// drawn formats the waveform of a command, starting when a port of a stream has the given value.
func (s *sequence) drawn(port string, value uint64, n int, names []string, c arch.Command) string {
	begins := func() bool { return s.Pin(names[0]).Bool() && s.Pin(port).Get() == value }
	return s.trace(begins, n, names, func() { s.do(c) })
}

// ready returns a device whose rings are set up, with rows of 32 bytes and numbers at address
// 0x20000.
func ready(t *testing.T, top string) *sequence {
	s := before(t, top)
	s.numbers(0x20000, 0x1000)
	s.run("bring-up")
	s.run("rings")
	s.do(arch.Command{Opcode: arch.SWrite, Operand1: arch.RegRowLog2, Operand2: 5})
	return s
}

// do executes one more command and a few idle cycles, and acknowledges the interrupt.
func (s *sequence) do(c arch.Command) {
	tail, err := s.Read32(arch.CSRSQTail)
	require.NoError(s, err)
	s.Memory.WriteAt(s.ring[0]+arch.CommandBytes*uint64(tail), c.Encode(tail))
	require.NoError(s, s.Write32(arch.CSRSQTail, tail+1))
	require.NoError(s, s.Wait(0))
	s.idle(20)
	require.NoError(s, s.Write32(arch.CSRCQHead, tail+1))
}

// idle runs the given number of cycles.
func (s *sequence) idle(cycles int) {
	require.NoError(s, s.Until(cycles, func() bool { cycles--; return cycles < 0 }))
}

// TestWavesOfIntegration: the timing diagrams equal simulated waveforms.
func TestWavesOfIntegration(t *testing.T) {
	readRow := func(at uint64) arch.Command {
		return arch.Command{Opcode: arch.DMARead, Operand1: at, Operand2: 32}
	}
	one := arch.Command{Opcode: arch.VMul, Operand1: 0x3f800000}
	writeRow := func(at uint64) arch.Command {
		return arch.Command{Opcode: arch.DMAWrite, Operand1: at, Operand2: 32}
	}
	got := map[string]string{}

	s := ready(t, "hotline")
	got["registers"] = s.trace(s.Pin("s_axil_awvalid").Bool, 11, prefixed("s_axil_", "awvalid", "awready", "awaddr", "wvalid", "wready", "wdata", "bvalid", "bready",
		"arvalid", "arready", "araddr", "rvalid", "rready", "rdata"), func() {
		s.idle(2)
		require.NoError(t, s.Write32(arch.CSRCQHead, 1))
		_, err := s.Read32(arch.CSRID)
		require.NoError(t, err)
		s.idle(8)
	})
	got["read"] = s.drawn("m_axis_read_desc_dma_addr", 0x20000, 10, slices.Concat(prefixed("m_axis_read_desc_", "valid", "ready", "dma_addr", "len", "tag"),
		prefixed("s_axis_read_data_", "tvalid", "tid", "tlast"), prefixed("s_axis_read_desc_status_", "valid", "tag", "error")), readRow(0x20000))
	s.do(one)
	got["write"] = s.drawn("m_axis_write_desc_dma_addr", 0x30000, 10, slices.Concat(prefixed("m_axis_write_desc_", "valid", "ready", "dma_addr", "len", "tag"),
		prefixed("m_axis_write_data_", "tvalid", "tready", "tkeep", "tid", "tlast"), prefixed("s_axis_write_desc_status_", "valid", "tag", "error")), writeRow(0x30000))
	got["interrupt"] = s.drawn("m_axis_write_desc_len", 0x20, 12, slices.Concat(prefixed("m_axis_write_desc_", "valid", "dma_addr", "len"),
		prefixed("m_axis_write_data_", "tvalid", "tlast"), prefixed("s_axis_write_desc_status_", "valid", "tag"), prefixed("irq_", "req", "ack")), arch.Command{Opcode: arch.Fence})

	s = ready(t, "hotline_axi")
	got["axi_read"] = s.drawn("m_axi_araddr", 0x20ff4, 12, prefixed("m_axi_", "arvalid", "arready", "arid", "araddr", "arlen", "rvalid", "rready", "rid", "rlast", "rresp"), readRow(0x20ff4))
	s.do(one)
	got["axi_write"] = s.drawn("m_axi_awaddr", 0x30ff4, 12, prefixed("m_axi_", "awvalid", "awready", "awid", "awaddr", "awlen", "wvalid", "wready", "wstrb", "wlast", "bvalid", "bid", "bresp"), writeRow(0x30ff4))

	for name, text := range got {
		require.Equal(t, block(t, "wave "+name), text, "%s is\n%s", name, text)
	}
	require.Equal(t, len(got), strings.Count(page(t), "\n```wave "))
}
