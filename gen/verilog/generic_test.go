package verilog_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/random"
)

// sized expresses widths in terms of a parameter in all possible ways.
type sized struct {
	DataWidth int `hw:"parameter"`
}

func (p sized) Build(m *hw.Module) ports {
	m.Doc("numbers of one width")
	w := p.DataWidth
	a, b, sel, add := m.In("a", w), m.In("b", w), m.In("sel", 2), m.In("add", 1)
	four, flags := m.InVec("four", 4, w), m.InVec("flags", 100, 1)
	io := ports{In: []hw.Bits{a, b, sel, add}, InVec: []hw.Vec{four, flags}}
	out := func(name string, x hw.Bits) { io.out(m, name, x) }

	count, most := m.Reg("count", w, 5), m.RegInit("most", hw.Ones(w))
	m.When(add, func() { count.Set(count.Inc()) }).ElseWhen(a.Eq(b), func() { count.Set(hw.K(0)) })
	m.When(add, func() { most.Set(a) })
	out("counted", count)
	out("most_seen", most)

	mem, word := m.Mem("mem", 8, 2*w+1), m.Data("word", 2*w+1)
	m.When(add, func() {
		mem.Write(a.Trunc(3), hw.Cat(a, add, b))
		word.Set(mem.Read(b.Trunc(3)))
	})
	out("upper", word.Slice(2*w, w+1))
	out("sign", word.Bit(w-1))
	out("extended", a.SExt(w+4).Add(b.Ext(w+4)))
	out("opposite", hw.Mux(a.Lt(b), hw.Ones(w), a.Xor(b)))

	out("chosen", four.Index(sel))
	swapped := m.WireVec("swapped", 4, w)
	m.For("lane", 4, func(i hw.Index) { swapped.At(i).Set(four.At(i.Times(-1).Plus(3))) })
	out("swapped_out", swapped.Pack())
	spots := m.WireVec("spots", 2, 1)
	m.For("spot", 2, func(i hw.Index) { spots.At(i).Set(flags.At(i.Plus(w))) })
	out("spots_out", spots.Pack())
	out("filled", add.Repeat(w).And(a))
	return io
}

// sizedOnes instantiates sized.
type sizedOnes struct{}

func (sizedOnes) Build(m *hw.Module) ports {
	var of []hw.Generator[ports]
	for _, w := range []int{3, 8, 16, 33, 70} {
		of = append(of, sized{w})
	}
	return every(m, of, 6)
}

// more has a parameter that is not only a width.
type more struct {
	What  string
	Width int `hw:"parameter"`
}

func (p more) Build(m *hw.Module) hw.Bits {
	y := m.Out("y", 1)
	x := m.In("x", p.Width)
	switch p.What {
	case "logarithm":
		y.Set(x.Shr(m.In("at", hw.IndexWidth(p.Width))).Bit(0))
	case "limit":
		y.Set(m.In("limit", max(p.Width, 40)).Any())
	case "place":
		v, hits := m.InVec("v", 100, p.Width), m.WireVec("hit", 2, 1)
		m.For("lane", 2, func(i hw.Index) { hits.At(i).Set(v.At(i.Times(p.Width)).Eq(x)) })
		y.Set(hits.Pack().Any().And(v.Pack().All()))
	case "operator":
		if p.Width == 53 {
			y.Set(x.All())
			break
		}
		y.Set(x.Any())
	case "value":
		y.Set(x.Eq(hw.K(p.Width)))
	}
	return y
}

func TestParameterThatIsMore(t *testing.T) {
	for _, c := range []struct{ what, want string }{
		{"logarithm", `for 16 there is "input wire [3:0] at", for 32 "input wire [4:0] at"`},
		{"limit", `for 16 there is "input wire [39:0] limit", for 53 "input wire [52:0] limit"`},
		{"place", `for 16 there is "assign hit[i] = (v[i*256 +: 16] == x);", for 53 "assign hit[i] = (v[i*2809 +: 53] == x);"`},
		{"operator", `for 16 there is "assign y = |x;", for 53 "assign y = &x;"`},
		{"value", `for 16 there is "assign y = (x == 16'd16);", for 32 "assign y = (x == 32'd32);"`},
	} {
		d, err := hw.Elaborate(more{c.what, 9})
		require.NoError(t, err)
		_, err = verilog.Generate(d)
		require.ErrorContains(t, err, ": more: [parameter] WIDTH decides more than widths: "+c.want+"; without hw:\"parameter\" in its tag each value has a module of its own")
	}
}

// counter begins at 5, which takes 3 bits.
type counter struct {
	Width int `hw:"parameter"`
}

func (p counter) Build(m *hw.Module) hw.Bits {
	n := m.Reg("n", p.Width, 5)
	n.Set(n.Not().Not())
	y := m.Out("y", p.Width)
	y.Set(n)
	return y
}

type counters struct{}

func (counters) Build(m *hw.Module) (io ports) {
	for _, w := range []int{3, 4, 40} {
		io.out(m, fmt.Sprint("y", w), hw.Inst(m, fmt.Sprint("counter", w), counter{w}))
	}
	return io
}

// TestNumberWithoutRoom: a module gets a separate file if one of its numbers needs all bits of its
// width, so that there is no leading zero.
func TestNumberWithoutRoom(t *testing.T) {
	_, files := generate(t, of[ports]("counters", counters{}))
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"counter_width3.v", "counter.v", "counters.v"}, names)
	require.Contains(t, files[1].Text, "n <= {{(WIDTH-3){1'b0}}, 3'd5};")
	require.Equal(t, 4, files[1].Generic.Value)
	require.Len(t, files[1].Modules, 2)
}

// TestParametersFollow compares the text with a parameter with the texts without, for each value.
func TestParametersFollow(t *testing.T) {
	for _, d := range designs {
		x, err := d.build()
		require.NoError(t, err)
		if n := verilogtest.Follows(t, x); d.name == "sized" {
			require.Equal(t, 4, n)
		}
	}
	compared := 0
	for seed := range uint64(100) {
		compared += verilogtest.Follows(t, random.Random(seed, random.Varied(seed)))
	}
	require.Greater(t, compared, 10)
}
