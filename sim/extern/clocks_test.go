package extern_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

const source = `module counters (
  input  wire       ca,
  input  wire       ra_n,
  input  wire       cb,
  input  wire       rb,
  input  wire [3:0] step,
  output reg  [3:0] qa = 0,
  output reg  [3:0] qb = 0
);
  always @(posedge ca or negedge ra_n)
    if (!ra_n) qa <= 4'd9;
    else qa <= qa + step;
  always @(posedge cb)
    if (rb) qb <= 4'd5;
    else qb <= qb + 4'd1;
endmodule
`

// counters contains two counters with separate clocks, one with an asynchronous reset.
type counters struct{}

type counterPorts struct {
	A    hw.Clock `hw:"in,name=ca,reset=ra_n,low,async"`
	B    hw.Clock `hw:"in,name=cb,reset=rb"`
	Step hw.Bits  `hw:"in,4,clock=A"`
	QA   hw.Bits  `hw:"out,4,clock=A,name=qa"`
	QB   hw.Bits  `hw:"out,4,clock=B,name=qb"`
}

func (counters) ModuleName() string { return "foreign_counters" }

func (p counters) Build(m *hw.Module) counterPorts {
	x := m.Extern("counters").Source("counters.v", source)
	io := hw.Ports[counterPorts](m)
	hw.Behave(x, func() hw.Model[counterPorts] { return &model{} })
	return io
}

type model struct{ a, b uint64 }

func (s *model) Eval(io counterPorts) {
	if io.A.Resets() {
		s.a = 9
	}
	io.QA.Poke(s.a)
	io.QB.Poke(s.b)
}

func (s *model) Step(io counterPorts, _ bool) {
	if io.A.Edge() && !io.A.Resets() {
		s.a = (s.a + io.Step.Peek()) & 15
	}
	if io.B.Edge() {
		if s.b = (s.b + 1) & 15; io.B.Resets() {
			s.b = 5
		}
	}
}

// two instantiates the counters inside another module.
type two struct{}

func (two) Build(m *hw.Module) counterPorts {
	io := hw.Ports[counterPorts](m)
	x := hw.Inst(m, "x", counters{})
	x.A.Set(io.A)
	x.B.Set(io.B)
	x.Step.Set(io.Step)
	io.QA.Set(x.QA)
	io.QB.Set(x.QB)
	return io
}

// TestClocks runs external Verilog with two clocks and resets in all engines.
func TestClocks(t *testing.T) { hwtest.Run(t, two{}, hwtest.Random(3000)) }
