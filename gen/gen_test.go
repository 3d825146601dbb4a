package gen_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// store is a memory, with a second memory that nothing reads.
type store struct{ Depth int }

type storePorts struct{ Addr, Data, Write, Out hw.Bits }

func (p store) Build(m *hw.Module) storePorts {
	m.Doc("a store")
	io := storePorts{Addr: m.In("addr", hw.IndexWidth(p.Depth)), Data: m.In("data", 8), Write: m.In("write", 1), Out: m.Out("out", 8)}
	words, q := m.Mem("words", p.Depth, 8).Style("block"), m.Data("q", 8)
	unread := m.Mem("unread", 4, 4)
	unread.Write(hw.Lit(2, 0), io.Data.Trunc(4))
	m.When(io.Write, func() { words.Write(io.Addr, io.Data) }).Else(func() { q.Set(words.Read(io.Addr)) })
	io.Out.Set(q)
	return io
}

// array has N pairs of stores.
type array struct{ N int }

type arrayPorts struct{ Addr, Data, Out hw.Vec }

func (p array) Build(m *hw.Module) arrayPorts {
	io := arrayPorts{Addr: m.InVec("addr", p.N, 4), Data: m.InVec("data", p.N, 8), Out: m.OutVec("out", p.N, 8)}
	parity := m.RegVec("parity", p.N, 1, 0)
	m.For("lane", p.N, func(i hw.Index) {
		a, b := hw.Inst(m, "a", store{16}), hw.Inst(m, "b", store{16})
		for _, s := range []storePorts{a, b} {
			s.Addr.Set(io.Addr.At(i))
			s.Data.Set(io.Data.At(i))
			s.Write.Set(parity.At(i))
		}
		parity.At(i).Set(a.Out.Parity())
		io.Out.At(i).Set(a.Out.Xor(b.Out))
	})
	return io
}

func design(t *testing.T, n int) *ir.Design {
	d, err := hw.Elaborate(array{n})
	require.NoError(t, err)
	return d
}

func write(t *testing.T, dir string, d *ir.Design) {
	t.Helper()
	require.NoError(t, gen.Write(dir, d, gen.Options{List: "store.f", Parameters: map[string]int{"n": 3, "a": 1}}))
}

func names(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "verilog")
	d := design(t, 3)
	write(t, dir, d)
	require.Equal(t, []string{"array.v", "manifest.json", "store.core", "store.f", "store.v"}, names(t, dir))
	require.Equal(t, []string{"verilog"}, names(t, filepath.Dir(dir)), "nothing is left beside it")

	list, err := os.ReadFile(filepath.Join(dir, "store.f"))
	require.NoError(t, err)
	require.Equal(t, "store.v\narray.v\n", string(list))

	tools.Need(t, "iverilog")
	lint := exec.Command("iverilog", "-g2005", "-Wall", "-o", os.DevNull, "-c", "store.f")
	lint.Dir = dir
	out, err := lint.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Empty(t, string(out))
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, design(t, 3))
	data, err := os.ReadFile(filepath.Join(dir, gen.ManifestName))
	require.NoError(t, err)
	var m gen.Manifest
	require.NoError(t, json.Unmarshal(data, &m))

	require.Equal(t, "array", m.Top)
	require.Equal(t, "store.f", m.List)
	require.Equal(t, map[string]any{"n": 3.0, "a": 1.0}, m.Parameters)
	require.Equal(t, []gen.Memory{{Module: "store", Name: "words", Depth: 16, Width: 8, Style: "block", Instances: 6}}, m.Memories)
	require.Len(t, m.Modules, 2)
	require.Equal(t, 6, m.Modules[0].Instances)
	require.Equal(t, "a store", m.Modules[0].Doc)
	require.Equal(t, map[string]string{"depth": "16"}, m.Modules[0].Parameters)
	require.Equal(t, []gen.Port{
		{Name: "clk", Direction: "input", Width: 1},
		{Name: "rst", Direction: "input", Width: 1},
		{Name: "addr", Direction: "input", Width: 12, Elements: 3},
		{Name: "data", Direction: "input", Width: 24, Elements: 3},
		{Name: "out", Direction: "output", Width: 24, Elements: 3},
	}, m.Modules[1].Ports)
	for _, mod := range m.Modules {
		text, err := os.ReadFile(filepath.Join(dir, mod.File))
		require.NoError(t, err)
		sum := sha256.Sum256(text)
		require.Equal(t, hex.EncodeToString(sum[:]), mod.SHA256)
	}
}

// TestWriteAgain: writing another design replaces the files of the first design, and touches no
// other file.
func TestWriteAgain(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(own, []byte("mine"), 0o644))
	write(t, dir, design(t, 3))
	kept := filepath.Join(dir, "store.v")
	before, err := os.Stat(kept)
	require.NoError(t, err)

	write(t, dir, design(t, 5))
	require.Equal(t, []string{"array.v", "manifest.json", "notes.txt", "store.core", "store.f", "store.v"}, names(t, dir))
	after, err := os.Stat(kept)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after), "a file that stays the same is not touched")

	older := `{"list": "old.f", "modules": [{"file": "old.v", "parameters": "{Depth:16}"}]}`
	require.NoError(t, os.WriteFile(filepath.Join(dir, gen.ManifestName), []byte(older), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "old.v"), nil, 0o644))
	write(t, dir, design(t, 5))
	require.Equal(t, []string{"array.v", "manifest.json", "notes.txt", "store.core", "store.f", "store.v"}, names(t, dir))
}

// TestErrors: an error leaves the directory unchanged.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, design(t, 3))
	have := names(t, dir)
	d := design(t, 5)

	require.ErrorContains(t, gen.Write(dir, &ir.Design{}, gen.Options{List: "store.f"}), "no top module")
	require.ErrorContains(t, gen.Write(dir, d, gen.Options{List: "sub/x.f"}), `"sub/x.f"`)
	require.ErrorContains(t, gen.Write(dir, d, gen.Options{}), "ends in .f")
	require.ErrorContains(t, gen.Write(dir, d, gen.Options{List: "store.f", Parameters: func() {}}), "parameters")
	require.ErrorContains(t, gen.Write(filepath.Join(dir, "store.f"), d, gen.Options{List: "store.f"}), "not a directory")
	require.Equal(t, have, names(t, dir))

	require.NoError(t, os.WriteFile(filepath.Join(dir, gen.ManifestName), []byte("{"), 0o644))
	require.ErrorContains(t, gen.Write(dir, d, gen.Options{List: "store.f"}), "not a manifest")
	require.NoError(t, os.WriteFile(filepath.Join(dir, gen.ManifestName), []byte(`{"list": "../../x"}`), 0o644))
	require.ErrorContains(t, gen.Write(dir, d, gen.Options{List: "store.f"}), `"../../x"`)
	require.Equal(t, have, names(t, dir))
}

func TestRender(t *testing.T) {
	opt := gen.Options{List: "x.f", Verilog: verilog.Options{Source: true}}
	first, err := gen.Render(design(t, 3), opt)
	require.NoError(t, err)
	again, err := gen.Render(design(t, 3), opt)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.True(t, strings.Contains(string(first[0].Data), "gen_test.go:"), "options reach the printer")
}

// buffers has stores of different widths. The width is a parameter of their Verilog.
type buffers struct{}

type buffer struct {
	Width int `hw:"parameter"`
	Depth int
}

func (p buffer) Build(m *hw.Module) hw.Bits {
	out := m.Out("out", p.Width)
	mem, at := m.Mem("words", p.Depth, p.Width), m.Reg("at", hw.IndexWidth(p.Depth), 0)
	at.Set(at.Inc())
	mem.Write(at, hw.Ones(p.Width))
	out.Set(mem.Read(at))
	return out
}

func (buffers) Build(m *hw.Module) hw.Bits {
	out := m.Out("out", 42)
	out.Set(hw.Cat(hw.Inst(m, "a", buffer{24, 16}), hw.Inst(m, "b", buffer{9, 16}), hw.Inst(m, "c", buffer{9, 16})))
	return out
}

func TestManifestOfParameters(t *testing.T) {
	d, err := hw.Elaborate(buffers{})
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, d)
	require.Equal(t, []string{"buffer.v", "buffers.v", "manifest.json", "store.core", "store.f"}, names(t, dir))
	data, err := os.ReadFile(filepath.Join(dir, gen.ManifestName))
	require.NoError(t, err)
	var m gen.Manifest
	require.NoError(t, json.Unmarshal(data, &m))
	require.Equal(t, "buffers", m.Top)
	require.Equal(t, []gen.Memory{{Module: "buffer", Name: "words", Depth: 16, Width: 9, Instances: 3}}, m.Memories)
	one := m.Modules[0]
	require.Equal(t, []any{"buffer", map[string]string{"depth": "16"}, 3}, []any{one.Name, one.Parameters, one.Instances})
	require.Equal(t, &gen.Parameter{Name: "WIDTH", Default: 9, Values: []gen.Value{{9, 2}, {24, 1}}}, one.Parameter)
	require.Equal(t, gen.Port{Name: "out", Direction: "output", Width: 9}, one.Ports[2])
	require.Nil(t, m.Modules[1].Parameter)
}

// TestTopWithParameter: the top module keeps its parameter. Its default is the value of the design.
func TestTopWithParameter(t *testing.T) {
	d, err := hw.Elaborate(buffer{40, 4})
	require.NoError(t, err)
	dir := t.TempDir()
	write(t, dir, d)
	require.Equal(t, []string{"buffer.v", "manifest.json", "store.core", "store.f"}, names(t, dir))
	data, err := os.ReadFile(filepath.Join(dir, "buffer.v"))
	require.NoError(t, err)
	require.Contains(t, string(data), "module buffer #(\n  parameter WIDTH = 40\n) (\n")
}

// TestCoreAndConstraints compares the complete core and constraints. Tests of package verilog pass
// such files to FuseSoC and OpenSTA.
func TestCoreAndConstraints(t *testing.T) {
	dir := t.TempDir()
	opt := gen.Options{List: "store.f", Core: "a:b:my store", MHz: 250}
	require.NoError(t, gen.Write(dir, design(t, 3), opt))
	core, err := os.ReadFile(filepath.Join(dir, "store.core"))
	require.NoError(t, err)
	require.Equal(t, `CAPI=2:
name: a:b:my_store
description: Verilog of module array
filesets:
  rtl:
    file_type: verilogSource-2005
    files:
      - store.v
      - array.v
  constraints:
    file_type: SDC
    files:
      - store.sdc
targets:
  default:
    filesets: [rtl, constraints]
    toplevel: array
  lint:
    filesets: [rtl]
    toplevel: array
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall]
  synth:
    filesets: [rtl, constraints]
    toplevel: array
    flow: generic
    flow_options:
      tool: yosys
      arch: ecp5
      output_format: json
`, string(core))
	sdc, err := os.ReadFile(filepath.Join(dir, "store.sdc"))
	require.NoError(t, err)
	require.Equal(t, `# Clock of 250 MHz. A port leaves 0.4 of the period to the other side.
set_units -time ns
create_clock -name clk -period 4.000 [get_ports clk]
set_input_delay -clock clk 1.600 [get_ports rst]
set_input_delay -clock clk 1.600 [get_ports {addr[*]}]
set_input_delay -clock clk 1.600 [get_ports {data[*]}]
set_output_delay -clock clk 1.600 [get_ports {out[*]}]
`, string(sdc))

	write(t, dir, design(t, 3))
	require.Equal(t, []string{"array.v", "manifest.json", "store.core", "store.f", "store.v"}, names(t, dir), "without a clock no constraints")
	core, err = os.ReadFile(filepath.Join(dir, "store.core"))
	require.NoError(t, err)
	require.Contains(t, string(core), "name: ::store\n")
	require.NotContains(t, string(core), "sdc")
}

// elsewhere has a clock other than the default clock, as a port.
type elsewhere struct{}

func (elsewhere) Build(m *hw.Module) hw.Bits {
	m.Clock("write_clk", "")
	out, q := m.Out("out", 1), m.Data("q", 1)
	q.Set(q.Not())
	out.Set(q)
	return out
}

func TestConstraintsAreForOneClock(t *testing.T) {
	d, err := hw.Elaborate(elsewhere{})
	require.NoError(t, err)
	require.ErrorContains(t, gen.Write(t.TempDir(), d, gen.Options{List: "x.f", MHz: 100}), "one clock")
}
