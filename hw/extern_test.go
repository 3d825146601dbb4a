package hw_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// foreign is an external module that a function describes.
type foreign struct{ f *func(m *hw.Module) }

func (foreign) ModuleName() string { return "alien" }

func (d foreign) Build(m *hw.Module) (none struct{}) {
	(*d.f)(m) // alienbuild
	return none
}

type alienPorts struct {
	A hw.Bits `hw:"in,4"`
	Q hw.Bits `hw:"out,4"`
}

func TestExternMistakes(t *testing.T) {
	inside := func(f func(m *hw.Module)) func(m *hw.Module) {
		return func(m *hw.Module) { hw.Inst(m, "x", foreign{&f}) }
	}
	run := func(name string, f func(m *hw.Module), want string) {
		run(t, []mistake{{name, inside(f), []string{want}}})
	}
	run("name", func(m *hw.Module) {
		m.Extern("a-b") // externname
	}, `{externname} < {alienbuild}: alien: [extern] "a-b" is not a name of a Verilog module`)
	run("twice", func(m *hw.Module) {
		m.Extern("A") // externfirst
		m.Extern("B") // externtwice
	}, `{externtwice} < {alienbuild}: alien: [extern] Extern is called twice, here and at {externfirst} < {alienbuild}`)
	run("parameter", func(m *hw.Module) {
		m.Extern("A").Param("X", 1.5) // externparam
	}, `{externparam} < {alienbuild}: alien: [extern] parameter X is 1.5, expected an integer or a string`)
	run("parameter twice", func(m *hw.Module) {
		m.Extern("A").Param("X", 1).Param("X", 2) // externparamtwice
	}, `{externparamtwice} < {alienbuild}: alien: [extern] parameter X has a value already`)
	run("source", func(m *hw.Module) {
		m.Extern("A").Source("dir/a.v", "module A; endmodule") // externsource
	}, `{externsource} < {alienbuild}: alien: [extern] "dir/a.v" is not a name of a Verilog file, name.v`)
	run("empty", func(m *hw.Module) {
		m.Extern("A").Source("a.v", "\n") // externempty
	}, `{externempty} < {alienbuild}: alien: [extern] source a.v is empty`)
	run("sources differ", func(m *hw.Module) {
		m.Extern("A").Source("a.v", "1").Source("a.v", "2") // externdiffer
	}, `{externdiffer} < {alienbuild}: alien: [extern] two sources a.v differ`)
	run("reset", func(m *hw.Module) {
		m.Extern("A").Clock("c", "r", hw.Async) // externreset
	}, `{externreset} < {alienbuild}: alien: [extern] reset r acts asynchronously; declare the clock as a hw.Clock among the ports`)
	run("path", func(m *hw.Module) {
		x := m.Extern("A")
		x.Path(5, m.Out("q", 1)) // externpath
	}, "{externpath} < {alienbuild}: alien: [extern] a path with no input of the module\n{externpath} < {alienbuild}: alien: [extern] a path with no output of the module")
	run("hardware", func(m *hw.Module) {
		m.Extern("A") // externhardware
		m.Wire("w", 1).Set(hw.K(0))
	}, `{externhardware} < {alienbuild}: alien: [extern] module alien is a black box and describes wire "w"; describe it in the module around the black box`)
	run("port of the clock", func(m *hw.Module) {
		m.Extern("A").Clock("ck", "")
		m.Out("ck", 1) // externclock
	}, `{externclock} < {alienbuild}: alien: [name] port "ck" is the clock or the reset of the Verilog module, which Clock names`)
}

// alien is an external module with ports.
type alien struct {
	f *func(m *hw.Module, x *hw.Extern, io alienPorts)
}

func (alien) ModuleName() string { return "alien" }

func (d alien) Build(m *hw.Module) alienPorts {
	x := m.Extern("ALIEN")
	io := hw.Ports[alienPorts](m)
	(*d.f)(m, x, io)
	return io
}

// around is a design that complements the output of an alien.
type around struct{ alien }

func (around) ModuleName() string { return "around" }

func (d around) Build(m *hw.Module) alienPorts {
	io := hw.Ports[alienPorts](m)
	x := hw.Inst(m, "x", d.alien)
	x.A.Set(io.A)
	io.Q.Set(x.Q.Not())
	return io
}

func aroundOf(f func(m *hw.Module, x *hw.Extern, io alienPorts)) around { return around{alien{&f}} }

// TestExternPaths: a loop through an external module is found only by its declared paths.
func TestExternPaths(t *testing.T) {
	loop := func(path bool) func(m *hw.Module) {
		f := func(m *hw.Module, x *hw.Extern, io alienPorts) {
			if x.Clock("clk", ""); path {
				x.Path(io, io)
			}
		}
		return func(m *hw.Module) {
			x := hw.Inst(m, "x", alien{&f})
			x.A.Set(x.Q.Not())
		}
	}
	sound(t, loop(false))
	f := loop(true)
	_, err := hw.Elaborate(described{&f})
	require.ErrorContains(t, err, "[loop] combinational loop: x_a (")
}

// adder is a model that adds its input to a state. If wrong is set, it adds directly to the input,
// contrary to its declared paths.
type adder struct {
	wrong bool
	state uint64
}

func (s *adder) Eval(io alienPorts) {
	if io.Q.Poke(s.state); s.wrong {
		io.Q.Poke(s.state ^ io.A.Peek())
	}
}

func (s *adder) Step(io alienPorts, _ bool) { s.state = (s.state + io.A.Peek()) & 15 }

func TestExternModel(t *testing.T) {
	elaborate := func(wrong bool) *interp.Sim {
		d, err := hw.Elaborate(aroundOf(func(m *hw.Module, x *hw.Extern, _ alienPorts) {
			x.Clock("clk", "")
			hw.Behave(x, func() hw.Model[alienPorts] { return &adder{wrong: wrong} })
		}))
		require.NoError(t, err)
		s, err := interp.New(d)
		require.NoError(t, err)
		return s
	}
	s := elaborate(false)
	io := sim.Bind[alienPorts](s, nil)
	io.A.Poke(3)
	for range 2 {
		require.NoError(t, s.Step())
	}
	require.EqualValues(t, 15-6, io.Q.Peek())
	require.False(t, s.Quiet())

	s = elaborate(true)
	require.NoError(t, s.Step())
	sim.Bind[alienPorts](s, nil).A.Poke(3)
	require.ErrorContains(t, s.Step(), `alien: [extern] the model of x changes output "q" with input "a", and no Path says that it depends on it`)
}

// TestExternMissing: engines report missing models.
func TestExternMissing(t *testing.T) {
	d, err := hw.Elaborate(aroundOf(func(m *hw.Module, x *hw.Extern, io alienPorts) { x.Path(io.Q, io.A) }))
	require.NoError(t, err)
	_, err = interp.New(d)
	require.ErrorContains(t, err, "alien: [extern] black box ALIEN has no model in Go, which engines in Go need; add one with hw.Behave, or run the design in Verilator or Icarus Verilog")
	_, err = external.Icarus(d, t.TempDir())
	require.ErrorContains(t, err, "alien: [extern] Verilog module ALIEN has no Source, which Verilog simulators need")
}

// TestExternText: the text form of an external module contains everything except the model.
func TestExternText(t *testing.T) {
	d, err := hw.Elaborate(board{})
	require.NoError(t, err)
	require.NoError(t, ir.Verify(d))
	text := d.String()
	require.Contains(t, text, "module cell_s_fast {\n  parameter \"speed\" \"fast\"\n  extern \"PADCELL\"\n  param \"DRIVE\" -3\n  param \"SPEED\" \"fast\"\n  source \"PADCELL.v\" ")
	require.Contains(t, text, "  pad IO : 1 doc \"of the board\"\n")
	require.Contains(t, text, "inst buffer : cell_s_fast pads line\n")
	again, err := ir.Parse("text", text)
	require.NoError(t, err)
	require.Equal(t, text, again.String())
	for from, to := range map[string]string{
		"pads line": "pads other", "pad line : 1": "pad line : 2", "source \"PADCELL.v\"": "source \"\"", "extern \"PADCELL\"": "extern \"pad-cell\"",
		"\"SPEED\" \"fast\"": "\"DRIVE\" \"fast\"", "inst half : half pads": "inst half : half pads line",
	} {
		changed := strings.Replace(text, from, to, 1)
		require.NotEqual(t, text, changed, from)
		_, err := ir.Parse("text", changed)
		require.Error(t, err, from)
	}
}

// padCell drives a pad or leaves it undriven.
type padCell struct{ Speed string }

func (padCell) ModuleName() string { return "cell_s_fast" }

type padPorts struct {
	Line  hw.Pad  `hw:"name=IO" doc:"of the board"`
	Drive hw.Bits `hw:"in,name=OE"`
	Seen  hw.Bits `hw:"out,name=I"`
}

const padSource = `module PADCELL #(
  parameter DRIVE = 1,
  parameter SPEED = "slow"
) (
  inout  wire IO,
  input  wire OE,
  output wire I
);
  localparam STRONG = SPEED == "fast" && DRIVE == -3;
  assign IO = OE ? STRONG : 1'bz;
  assign I = OE & IO;
endmodule
`

func (p padCell) Build(m *hw.Module) padPorts {
	x := m.Extern("PADCELL").Param("DRIVE", -3).Param("SPEED", p.Speed).Source("PADCELL.v", padSource)
	io := hw.Ports[padPorts](m)
	x.Path(io.Seen, io.Drive)
	return io
}

// half instantiates a padCell; board instantiates a half.
type half struct{}

type boardPorts struct {
	Line  hw.Pad  `doc:"of the board"`
	Drive hw.Bits `hw:"in"`
	Seen  hw.Bits `hw:"out"`
}

func (half) Build(m *hw.Module) boardPorts {
	io := hw.Ports[boardPorts](m)
	cell := hw.Inst(m, "buffer", padCell{"fast"})
	cell.Line.Connect(io.Line)
	cell.Drive.Set(io.Drive)
	io.Seen.Set(cell.Seen)
	return io
}

type board struct{}

func (board) Build(m *hw.Module) boardPorts {
	io := hw.Ports[boardPorts](m)
	x := hw.Inst(m, "half", half{})
	x.Line.Connect(io.Line)
	x.Drive.Set(io.Drive)
	io.Seen.Set(x.Seen)
	return io
}

// TestPad: a pad passes through the hierarchy as inout, and simulators accept the text.
func TestPad(t *testing.T) {
	d, err := hw.Elaborate(board{})
	require.NoError(t, err)
	files, err := verilog.Generate(d)
	require.NoError(t, err)
	require.Equal(t, "PADCELL.v", files[0].Name)
	require.Equal(t, padSource, files[0].Text)
	require.Contains(t, files[1].Text, "  inout  wire line // of the board\n")
	require.Contains(t, files[1].Text, `  PADCELL #(
    .DRIVE (-3),
    .SPEED ("fast")
  ) buffer (
    .OE (drive),
    .I  (seen),
    .IO (line)
  );
`)
	tools.Need(t, "iverilog", "verilator")
	for _, start := range []func(*ir.Design, string) (*external.Process, error){external.Icarus, external.Verilator} {
		p, err := start(d, t.TempDir())
		require.NoError(t, err)
		for _, on := range []uint64{1, 0} {
			sim.Find(p, "drive").Set(on)
			require.Equal(t, on, sim.Find(p, "seen").Get())
		}
		require.NoError(t, p.Close())
	}
}

// TestExternFiles: the file list and the manifest contain the source file of the external module.
func TestExternFiles(t *testing.T) {
	d, err := hw.Elaborate(board{})
	require.NoError(t, err)
	files, err := gen.Render(d, gen.Options{List: "board.f"})
	require.NoError(t, err)
	require.Len(t, files, 6)
	require.Equal(t, "PADCELL.v\nhalf.v\nboard.v\n", string(files[3].Data))
	var m gen.Manifest
	require.NoError(t, json.Unmarshal(files[5].Data, &m))
	require.Equal(t, []gen.Source{{File: "PADCELL.v", SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(padSource)))}}, m.Sources)
	require.Len(t, m.Modules, 2)
	require.Equal(t, []gen.Port{{Name: "drive", Direction: "input", Width: 1}, {Name: "seen", Direction: "output", Width: 1}, {Name: "line", Direction: "inout", Width: 1}}, m.Modules[0].Ports)
}

func TestPadMistakes(t *testing.T) {
	run(t, []mistake{
		{"not connected", func(m *hw.Module) {
			hw.Inst(m, "x", padCell{"fast"}).Drive.Set(hw.K(0)) // padloose
		}, []string{`{padloose} < {build}: bad: [extern] pad "IO" of instance "x" is not connected; Connect it to a pad among the ports`}},
		{"leads nowhere", func(m *hw.Module) {
			io := hw.Ports[boardPorts](m) // padnowhere
			io.Seen.Set(io.Drive)
		}, []string{`{padnowhere} < {build}: bad: [extern] pad "line" leads to 0 instances, expected 1`}},
		{"as a value", func(m *hw.Module) {
			io := hw.Ports[boardPorts](m)         // padvalue
			x := hw.Inst(m, "x", padCell{"fast"}) // padpin
			x.Line.Connect(io.Line)
			x.Drive.Set(io.Drive)
			io.Seen.Set(x.Seen)
			hw.Mux(io.Drive, io, io)
		}, []string{`{padvalue} < {build}: bad: [extern] pad "line" has no value; Connect leads it to the pad of an instance`}},
		{"wrong way", func(m *hw.Module) {
			io := hw.Ports[boardPorts](m)
			x := hw.Inst(m, "x", padCell{"fast"})
			x.Line.Connect(io.Line)
			x.Line.Connect(io.Line) // padtwice
			io.Line.Connect(x.Line) // padback
			x.Drive.Set(io.Drive)
			io.Seen.Set(x.Seen)
		}, []string{`{padtwice} < {build}: bad: [extern] pad "IO" of instance "x" is connected already`, `{padback} < {build}: bad: [extern] pad "line": Connect leads the pad of an instance to one of the module around it`}},
	})
}
