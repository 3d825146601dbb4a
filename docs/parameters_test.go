package docs_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParameters: the Go code of the page generates the instance and the message that the page
// shows.
func TestParameters(t *testing.T) {
	section := read(t, "reference/language/parameters.md")
	dir := module(t, map[string]string{"stage/stage.go": example(t, "parameters"), "main.go": parametersMain})
	out, ok := golang(t, dir, "run", ".")
	require.True(t, ok, out)
	text := fenced(t, "reference/language/parameters.md", "verilog")[0]
	require.Contains(t, text, "module stage #(")
	require.Contains(t, out, text)
	require.Contains(t, section, "`stage #(.WIDTH(40)) second (`")
	require.Contains(t, out, "  stage #(.WIDTH(40)) second (\n")
	require.Contains(t, out, "module flip_width1 (\n")
	require.Contains(t, out, "module flip #(\n")
	message := regexp.MustCompile("```\n(\\[parameter\\].*\n)```").FindStringSubmatch(section)
	require.NotNil(t, message)
	require.Contains(t, out, message[1])
}

const parametersMain = `package main

import (
	"fmt"

	. "example.com/mine/stage"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
)

// Two has two widths, and one bit.
type Two struct{}

func (Two) Build(m *hw.Module) StagePorts {
	io := StagePorts{In: m.In("in", 40), Out: m.Out("out", 40)}
	first, second := hw.Inst(m, "first", Stage{24, 2}), hw.Inst(m, "second", Stage{40, 2})
	one := hw.Inst(m, "one", Flip{1})
	hw.Inst(m, "all", Flip{40}).In.Set(io.In)
	first.In.Set(io.In.Trunc(24))
	second.In.Set(first.Out.Ext(40))
	one.In.Set(io.In.Bit(39))
	io.Out.Set(second.Out.Xor(one.Out.Repeat(40)))
	return io
}

// Flip inverts.
type Flip struct {
	Width int ` + "`hw:\"parameter\"`" + `
}

func (p Flip) Build(m *hw.Module) StagePorts {
	io := StagePorts{In: m.In("in", p.Width), Out: m.Out("out", p.Width)}
	io.Out.Set(io.In.Not())
	return io
}

// Deep is as deep as it is wide.
type Deep struct {
	Width int ` + "`hw:\"parameter\"`" + `
}

func (p Deep) Build(m *hw.Module) (out struct{}) {
	at := m.Reg("at", hw.IndexWidth(p.Width), 0)
	at.Set(at.Inc())
	m.Out("last", 1).Set(at.Eq(hw.K(p.Width - 1)))
	return out
}

func main() {
	for _, elaborate := range []func() error{
		func() error { return show(Two{}) },
		func() error { return show(Deep{20}) },
	} {
		if err := elaborate(); err != nil {
			fmt.Println(err)
		}
	}
}

func show[P any](g hw.Generator[P]) error {
	d, err := hw.Elaborate(g)
	if err != nil {
		return err
	}
	files, err := verilog.Generate(d)
	for _, f := range files {
		fmt.Println(f.Text)
	}
	return err
}
`
