package verilog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
)

// ramForm is a memory with the requested ports.
type ramForm struct {
	On       hw.Collision
	Lanes    int // of the mask of the write; 0 without
	Contents bool
	Reads    int // ports
	Writes   int // ports; 0 for a ROM
	Pipe     bool
}

// Build describes a memory of 256 words of 32 bits.
func (p ramForm) Build(m *hw.Module) struct{} {
	var port func(name string) hw.Port[hw.Bits]
	var at []hw.Bits
	if p.Writes == 0 {
		port = m.ROM("ram", p.words()).Port
	} else {
		mem := m.Mem("ram", 256, 32).OnWrite(p.On)
		if p.Contents {
			mem = mem.Init(p.words())
		}
		at = p.write(m, mem)
		port = mem.Port
	}
	for i := range p.Reads {
		rd := port(fmt.Sprintf("word%d", i))
		m.When(m.In(fmt.Sprintf("read%d", i), 1), func() { rd.Read(p.from(m, at, i)) })
		data := rd.Data
		if p.Pipe {
			data = m.Data(fmt.Sprintf("pipe%d", i), 32)
			data.Set(rd.Data)
		}
		m.Out(fmt.Sprintf("data%d", i), 32).Set(data)
	}
	return struct{}{}
}

// from returns the address of a read port. In a RAM whose two ports write, it is also the address of the write.
func (p ramForm) from(m *hw.Module, writes []hw.Bits, i int) hw.Bits {
	if p.Writes == 2 {
		return writes[i]
	}
	return m.In(fmt.Sprintf("from%d", i), 8)
}

func (p ramForm) write(m *hw.Module, mem hw.Mem[hw.Bits]) (to []hw.Bits) {
	for i := range p.Writes {
		we, at, x := m.In(fmt.Sprintf("write%d", i), 1), m.In(fmt.Sprintf("to%d", i), 8), m.In(fmt.Sprintf("x%d", i), 32)
		m.When(we, func() {
			if p.Lanes > 0 {
				mem.WriteLanes(at, x, m.In(fmt.Sprintf("mask%d", i), p.Lanes))
			} else {
				mem.Write(at, x)
			}
		})
		to = append(to, at)
	}
	return to
}

func (ramForm) words() []hw.Bits {
	words := make([]uint32, 256)
	for i := range words {
		words[i] = uint32(i * 0x1234567)
	}
	words[7], words[8] = 0, 0
	return hw.Lits(32, words)
}

// forms contains the kinds of memories; flops is the number of register bits outside them.
var forms = []struct {
	name  string
	form  ramForm
	flops int
}{
	{"old", ramForm{Reads: 1, Writes: 1}, 0},
	{"any", ramForm{On: hw.AnyWord, Reads: 1, Writes: 1}, 0},
	{"new", ramForm{On: hw.NewWord, Reads: 1, Writes: 1}, 33},
	{"new with a mask", ramForm{On: hw.NewWord, Lanes: 4, Reads: 1, Writes: 1}, 36},
	{"bytes", ramForm{Lanes: 4, Reads: 1, Writes: 1}, 0},
	{"contents", ramForm{Contents: true, Reads: 1, Writes: 1}, 0},
	{"output register", ramForm{Reads: 1, Writes: 1, Pipe: true}, 32},
	{"two reads", ramForm{On: hw.AnyWord, Reads: 2, Writes: 1}, 0},
	{"two writes", ramForm{On: hw.AnyWord, Reads: 2, Writes: 2}, 0},
	{"rom", ramForm{Reads: 1}, 0},
}

// TestMemoryForms: tools accept memories of all kinds, Icarus simulates them, and Yosys maps each
// to block RAMs, with only the expected registers outside.
func TestMemoryForms(t *testing.T) {
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			d, err := hw.Elaborate(f.form)
			require.NoError(t, err)
			files, err := verilog.Generate(d)
			require.NoError(t, err)
			lint(t, d, files)
			compare(t, d, files, 2000, 1)
			script := fmt.Sprintf("read_verilog %s; hierarchy -top %s; proc; opt; memory -nomap; opt_clean",
				strings.Join(save(t, files), " "), d.Top.Name)
			dump := filepath.Join(t.TempDir(), "flops")
			script += "; select -assert-count 1 t:$mem_v2; memory_libmap -lib +/xilinx/brams_xc4v.txt; select -assert-none t:$mem_v2; dump -o " + dump + " t:$*ff*"
			silent(t, "yosys", "-q", "-p", script)
			text, err := os.ReadFile(dump)
			require.NoError(t, err)
			require.Equal(t, f.flops, flops(string(text)), "%s", text)
		})
	}
}

// flops returns the number of register bits in a dump of Yosys.
func flops(dump string) int {
	n := 0
	for _, line := range strings.Split(dump, "\n") {
		var width int
		if _, err := fmt.Sscanf(strings.TrimSpace(line), `parameter \WIDTH %d`, &width); err == nil {
			n += width
		}
	}
	return n
}

// TestMemoryText pins the texts from which tools infer memories.
func TestMemoryText(t *testing.T) {
	for want, form := range map[string]ramForm{
		`(* no_rw_check, ramstyle = "no_rw_check", rw_addr_collision = "no" *)`: {On: hw.AnyWord, Reads: 1, Writes: 1},
		"      if (mask0[1]) ram[to0][15:8] <= x0[15:8];\n":                     {Lanes: 4, Reads: 1, Writes: 1},
		"    if (read0) word0 <= ram[from0];\n":                                 {Reads: 1, Writes: 1},
		"assign word0 = word0_hit ? word0_new : word0_stored;":                  {On: hw.NewWord, Reads: 1, Writes: 1},
		"    ram[1]   = 32'h0123_4567;\n":                                       {Reads: 1},
	} {
		d, err := hw.Elaborate(form)
		require.NoError(t, err)
		files, err := verilog.Generate(d)
		require.NoError(t, err)
		require.Contains(t, files[0].Text, want)
	}
}
