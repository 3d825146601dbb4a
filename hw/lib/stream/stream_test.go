package stream_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// part is a module around one function of the package. Of and N are the parameters of wide words.
type part struct {
	Kind string
	Of   hw.Shape[hw.Bits]
	N    int
}

type (
	wordIn struct {
		Push hw.Stream[arb.Word[hw.Bits]] `hw:"in,8"`
	}
	wordOut struct {
		Pop hw.Stream[arb.Word[hw.Bits]] `hw:"out,8"`
	}
	wideIn struct {
		Push hw.Stream[stream.Wide[hw.Bits]] `hw:"in"`
	}
	wideOut struct {
		Pop hw.Stream[stream.Wide[hw.Bits]] `hw:"out"`
	}
)

type wordWire struct {
	S hw.Stream[arb.Word[hw.Bits]] `hw:"8,inline"`
}

func of(kind string) part { return part{kind, hw.Width(8), lanes} }

func (p part) Build(m *hw.Module) struct{} {
	p.describe(m, "")
	return struct{}{}
}

// describe describes the component with ports whose names begin with prefix.
func (p part) describe(m *hw.Module, prefix string) {
	sink := func(name string) hw.Stream[hw.Bits] { return m.Sink(prefix+name, 8) }
	source := func(name string) hw.Stream[hw.Bits] { return m.Source(prefix+name, 8) }
	of := p.Of
	switch p.Kind {
	case "filter":
		odd := stream.Filter(m, prefix+"the_odd", sink("push"), func(x hw.Bits) hw.Bits { return x.Bit(0) })
		source("pop").Connect(stream.Map(odd, hw.Bits.Inc))
	case "fork":
		for i, s := range stream.Fork(m, prefix+"the_copies", sink("push"), 3) {
			source(fmt.Sprint("pop", i)).Connect(s)
		}
	case "join":
		source("pop").Connect(stream.Join(m, prefix+"the_sums", sink("push0"), sink("push1"), hw.Bits.Add))
	case "arbitrate":
		source("pop").Connect(stream.Arbitrate(m, prefix+"the_arbiter", of, sink("push0"), sink("push1"), sink("push2")))
	case "stage":
		source("pop").Connect(stream.Stage(m, prefix+"the_stage", of, sink("push")))
	case "buffer":
		source("pop").Connect(stream.Buffer(m, prefix+"the_buffer", of, sink("push")))
	case "widen":
		out := hw.Ports[wideOut](m)
		out.Pop.Connect(stream.Widen(m, "widen", of, lanes, hw.Ports[wordIn](m).Push))
	case "narrow":
		in := hw.Ports[wideIn](m)
		hw.Ports[wordOut](m).Pop.Connect(stream.Narrow(m, "narrow", of, lanes, in.Push))
	}
}

// trial specifies the test of a component.
type trial struct {
	kind    string
	sources []string // names of the inputs
	sinks   []string
	fields  map[string][]string // payload fields by port, default data
	send    func(b *bench.Bench, i int, s *bench.Source) bench.Item
	want    model
	merges  bool // several sources into one sink, in any relative order
	delay   int  // cycles from a source to a sink
	room    int  // how many of five zero words are taken while no sink takes any; -1 for at least one
}

func random(_ *bench.Bench, _ int, s *bench.Source) bench.Item { return s.Random() }

var (
	wordFields = []string{"data", "last"}
	wideFields = []string{"words", "keep", "last"}
)

var trials = []trial{
	{kind: "filter", sources: []string{"push"}, sinks: []string{"pop"}, send: random, want: oddPlusOne, room: 5},
	{kind: "fork", sources: []string{"push"}, sinks: []string{"pop0", "pop1", "pop2"}, send: random, want: copies},
	{kind: "join", sources: []string{"push0", "push1"}, sinks: []string{"pop"}, send: random, want: sums},
	{kind: "arbitrate", sources: []string{"push0", "push1", "push2"}, sinks: []string{"pop"}, merges: true, want: same,
		send: func(b *bench.Bench, i int, _ *bench.Source) bench.Item {
			return bench.Item{uint64(i<<6 | b.Rand.IntN(64))}
		}},
	{kind: "stage", sources: []string{"push"}, sinks: []string{"pop"}, send: random, want: same, delay: 1, room: 1},
	{kind: "buffer", sources: []string{"push"}, sinks: []string{"pop"}, send: random, want: same, delay: 1, room: 2},
	{kind: "widen", sources: []string{"push"}, sinks: []string{"pop"}, want: wides, delay: 1, room: -1, fields: map[string][]string{"push": wordFields, "pop": wideFields},
		send: func(b *bench.Bench, _ int, s *bench.Source) bench.Item {
			return bench.Item{s.Random()[0], uint64(b.Rand.IntN(4) / 3)}
		}},
	{kind: "narrow", sources: []string{"push"}, sinks: []string{"pop"}, want: narrows, fields: map[string][]string{"push": wideFields, "pop": wordFields},
		send: func(b *bench.Bench, _ int, s *bench.Source) bench.Item {
			return bench.Item{s.Random()[0], 1<<(1+b.Rand.IntN(lanes)) - 1, uint64(b.Rand.IntN(2))}
		}},
}

// fieldsOf returns the ports of the payload of a stream.
func (c trial) fieldsOf(name string) []string {
	fields := c.fields[name]
	if fields == nil {
		fields = []string{"data"}
	}
	var out []string
	for _, f := range fields {
		out = append(out, name+"_"+f)
	}
	return out
}

// check sends words at various rates and compares the output with the model. At full rate it also
// checks the number of cycles.
func (c trial) check(d *ir.Design) error {
	for _, rates := range [][2]float64{{1, 1}, {0.5, 0.5}, {1, 0.3}, {0.3, 1}, {0.1, 0.1}} {
		if err := c.at(d, rates[0], rates[1]); err != nil {
			return fmt.Errorf("%s at rates %v: %w", c.kind, rates, err)
		}
	}
	return nil
}

func (c trial) at(d *ir.Design, push, pop float64) error {
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	var sinks []*bench.Sink
	for _, name := range c.sinks {
		s := b.Sink(name+"_valid", name+"_ready", c.fieldsOf(name)...)
		s.Rate = pop
		sinks = append(sinks, s)
	}
	const words = 60
	in := make([][]bench.Item, len(c.sources))
	var sources []*bench.Source
	for i, name := range c.sources {
		s := b.Source(name+"_valid", name+"_ready", c.fieldsOf(name)...)
		s.Rate = push
		sources = append(sources, s)
		for range words {
			x := c.send(b, i, s)
			in[i] = append(in[i], x)
			s.Send(0, x)
		}
	}
	want, total := c.want(in), 0
	for _, list := range want {
		total += len(list)
	}
	if err := b.Drain(total, 4000); err != nil {
		return err
	}
	longest := max(words, total/len(c.sinks))
	if cycles := int(b.Sim.Cycle()) - 1 - c.delay; push == 1 && pop == 1 && cycles > longest {
		return fmt.Errorf("%d words took %d cycles", longest, cycles)
	}
	if err := b.Run(5); err != nil {
		return err
	}
	var got [][]bench.Item
	for _, s := range sinks {
		got = append(got, s.Got[0])
	}
	if err := c.stalled(b, sources[0], sinks); err != nil {
		return err
	}
	if c.merges {
		if got, err = sorted(got[0], len(want), push == 1); err != nil {
			return err
		}
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("got %x, want %x", got, want)
	}
	return nil
}

// stalled sends zero words to a component whose sinks take nothing.
func (c trial) stalled(b *bench.Bench, source *bench.Source, sinks []*bench.Sink) error {
	for _, s := range sinks {
		s.Rate = 0
	}
	source.Rate = 1
	before := source.Sent()
	for range 5 {
		source.Send(0, make(bench.Item, len(source.Random())))
	}
	if err := b.Run(30); err != nil {
		return err
	}
	if n := source.Sent() - before; n != c.room && (c.room >= 0 || n == 0) {
		return fmt.Errorf("%d words are taken while nothing leaves, want %d", n, c.room)
	}
	return nil
}

// sorted distributes words to n sources. Each word contains the number of its source in the
// highest bits. If full is set, the sources must alternate.
func sorted(words []bench.Item, n int, full bool) ([][]bench.Item, error) {
	out := make([][]bench.Item, n)
	for k, x := range words {
		i := int(x[0] >> 6)
		if full && i != k%n {
			return nil, fmt.Errorf("word %d is of source %d", k, i)
		}
		out[i] = append(out[i], x)
	}
	return out, nil
}

func TestAgainstModel(t *testing.T) {
	for _, c := range trials {
		d, err := hw.Elaborate(of(c.kind))
		require.NoError(t, err)
		require.NoError(t, c.check(d))
	}
}

func TestFaultsAreCaught(t *testing.T) {
	for _, c := range trials {
		d, err := hw.Elaborate(of(c.kind))
		require.NoError(t, err)
		survivors, tried := bench.Survivors(d, func() error { return c.check(d) })
		survivors = slices.DeleteFunc(survivors, func(name string) bool {
			return c.merges && strings.Contains(name, " at ../arb/mux.go:") // the path between packets of one word and longer packets
		})
		require.Empty(t, survivors, c.kind)
		require.Greater(t, tried, 3, c.kind)
	}
}

// narrow contains all components except those for wide words.
type narrow struct{}

func (narrow) Build(m *hw.Module) struct{} {
	for _, c := range trials {
		if c.fields == nil {
			of(c.kind).describe(m, c.kind+"_")
		}
	}
	return struct{}{}
}

func TestEngines(t *testing.T) {
	hwtest.Run(t, narrow{}, hwtest.Random(2000))
	hwtest.Run(t, of("widen"), hwtest.Random(2000))
	hwtest.Run(t, of("narrow"), hwtest.Random(2000))
}

// watched passes a stream through and checks it.
type watched struct{}

func (watched) Build(m *hw.Module) struct{} {
	in := m.Sink("push", 8)
	m.Source("pop", 8).Connect(in)
	stream.Check(m, "push", hw.Width(8), in)
	return struct{}{}
}

func TestCheck(t *testing.T) {
	d, err := hw.Elaborate(watched{})
	require.NoError(t, err)
	for _, c := range []struct {
		moves [][3]uint64 // valid, ready, data
		want  string
	}{
		{[][3]uint64{{0, 0, 3}, {1, 1, 4}, {1, 0, 5}, {1, 0, 5}, {1, 1, 5}, {0, 1, 6}}, ""},
		{[][3]uint64{{1, 0, 5}, {0, 0, 5}}, "push: valid stays until the transfer"},
		{[][3]uint64{{1, 0, 5}, {1, 1, 6}}, "push: data stays until the transfer"},
	} {
		b, err := bench.New(d, 1)
		require.NoError(t, err)
		err = nil
		for _, m := range c.moves {
			b.Pin("push_valid").Set(m[0])
			b.Pin("pop_ready").Set(m[1])
			b.Pin("push_data").Set(m[2])
			if err == nil {
				err = b.Sim.Step()
			}
		}
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
	hwtest.Run(t, watched{}, func(s sim.Simulator) error { return s.Step() })
}

// impossible uses invalid parameters.
type impossible struct{}

func (impossible) Build(m *hw.Module) struct{} {
	stream.Fork(m, "copies", m.Sink("a", 8), 0)
	stream.Arbitrate(m, "arbiter", hw.Width(8))
	stream.Widen(m, "widen", hw.Width(8), 1, hw.Wire[wordWire](m, "word").S)
	return struct{}{}
}

func TestMistakes(t *testing.T) {
	_, err := hw.Elaborate(impossible{})
	require.ErrorContains(t, err, `fork "copies" has 0 receivers; expected at least 1`)
	require.ErrorContains(t, err, `arbitration "arbiter" has no streams`)
	require.ErrorContains(t, err, `"widen" has 1 words side by side; expected at least 2`)
}
