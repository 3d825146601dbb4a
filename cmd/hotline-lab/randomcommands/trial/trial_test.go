package trial

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models/small"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// liar is an accelerator with corrupted outputs or inputs.
type liar struct {
	sim.Simulator
	names   []string
	say     func(name string, v []uint64) // corrupts an output
	hear    func(name string, v []uint64) // corrupts an input
	scratch []uint64
	noReset bool
}

func (l *liar) Get(port int, v []uint64) {
	l.Simulator.Get(port, v)
	if l.say != nil {
		l.say(l.names[port], v)
	}
}

func (l *liar) Set(port int, v []uint64) {
	l.scratch = append(l.scratch[:0], v...)
	if l.hear != nil {
		l.hear(l.names[port], l.scratch)
	}
	l.Simulator.Set(port, l.scratch)
}

func (l *liar) SetReset(on bool) { l.Simulator.SetReset(on && !l.noReset) }

// always returns a function that changes one port.
func always(port string, change func(v []uint64)) func(string, []uint64) {
	return func(name string, v []uint64) {
		if name == port {
			change(v)
		}
	}
}

func value(x uint64) func(v []uint64) { return func(v []uint64) { v[0] = x } }

// every changes every n-th value that is not 0.
func every(n int, change func(v []uint64)) func(v []uint64) {
	seen := 0
	return func(v []uint64) {
		if v[0] != 0 {
			if seen++; seen%n == 0 {
				change(v)
			}
		}
	}
}

// after changes all values that are not 0, except the first n.
func after(n int, change func(v []uint64)) func(v []uint64) {
	seen := 0
	return func(v []uint64) {
		if v[0] != 0 {
			if seen++; seen > n {
				change(v)
			}
		}
	}
}

// TestLies checks that the campaign detects every kind of corruption.
func TestLies(t *testing.T) {
	p := arch.Small()
	d, err := hw.Elaborate(top.Hotline{Params: p})
	require.NoError(t, err)
	both := func(a, b func(string, []uint64)) func(string, []uint64) {
		return func(name string, v []uint64) { a(name, v); b(name, v) }
	}
	swap := func(v []uint64) {
		if v[0] < 2 {
			v[0] ^= 1
		}
	}
	in := func(region uint64, offset uint64) func(v []uint64) {
		return func(v []uint64) {
			if v[0]>>60 == region {
				v[0] ^= offset
			}
		}
	}
	for _, c := range []struct {
		name  string
		liar  liar
		found string // expected failure, if there is only one
	}{
		{"a write elsewhere", liar{say: always("m_axis_write_desc_dma_addr", in(inHost, 64))}, ""},
		{"a row from elsewhere", liar{say: always("m_axis_read_desc_dma_addr", in(inTables, 64))}, ""},
		{"a row of the host for one of a GPU", liar{say: always("m_axis_read_desc_cls", value(0))}, "peer false; expected"},
		{"a long descriptor", liar{say: always("m_axis_read_desc_len", every(50, func(v []uint64) { v[0] += 4 }))}, ""},
		{"a tag twice", liar{say: always("m_axis_read_desc_tag", func(v []uint64) { v[0] &^= 1 })}, "is outstanding|nothing has happened"},
		{"wrong data", liar{hear: always("s_axis_read_data_tdata", every(500, func(v []uint64) { v[1] ^= 1 << 31 }))}, ""},
		{"a row under the tag of another", liar{hear: both(always("s_axis_read_data_tid", swap), always("s_axis_read_desc_status_tag", swap))}, ""},
		{"no errors of reads", liar{hear: always("s_axis_read_desc_status_error", value(0))}, ""},
		{"no poison", liar{hear: always("s_axis_read_data_tuser", value(0))}, ""},
		{"no errors of writes", liar{hear: always("s_axis_write_desc_status_error", value(0))}, ""},
		{"a write that never ends", liar{hear: always("s_axis_write_desc_status_valid", every(60, value(0)))}, ""},
		{"a read that never ends", liar{hear: always("s_axis_read_desc_status_valid", every(60, value(0)))}, ""},
		{"a beat too few", liar{hear: always("s_axis_read_data_tvalid", every(100, value(0)))}, ""},
		{"a write whose data does not come", liar{say: always("m_axis_write_data_tvalid", after(500, value(0)))}, "nothing has happened|nothing more|valid fell before ready"},
		{"no interrupt", liar{say: always("irq_req", value(0))}, "the interrupt is not requested"},
		{"always an interrupt", liar{say: always("irq_req", value(1))}, "the interrupt is requested, but"},
		{"an interrupt that is not acknowledged", liar{hear: always("irq_ack", value(0))}, "still requested"},
		{"nothing is refused on the bus", liar{say: always("s_axil_bresp", value(0))}, "answer 0, expected 2"},
		{"strobes do not count", liar{hear: always("s_axil_wstrb", value(15))}, "answer 0, expected 2"},
		{"every address is read", liar{say: always("s_axil_rresp", value(0))}, "answer 0, expected 2"},
		{"a descriptor is lost", liar{say: always("m_axis_read_desc_valid", every(7, value(0)))}, ""},
		{"a beat is kept back", liar{say: always("m_axis_write_data_tlast", value(0))}, "tlast is false"},
		{"a part of a beat", liar{say: always("m_axis_write_data_tkeep", func(v []uint64) { v[0] >>= 1 })}, "tkeep is"},
		{"rst does nothing", liar{noReset: true}, ""},
	} {
		var found error
		for number := 0; number < 20 && found == nil; number++ {
			episode := Episode{Params: p, Number: number, Commands: 300, Simulate: func() (sim.Simulator, error) {
				s, _, err := compiled.New(d)
				l := c.liar
				l.Simulator = s
				for _, p := range s.Ports() {
					l.names = append(l.names, p.Name)
				}
				return &l, err
			}}
			_, found = episode.Run()
		}
		require.Error(t, found, c.name)
		first, _, _ := strings.Cut(found.Error(), "\n")
		require.Regexp(t, c.found, first, c.name)
	}
}

// TestLostInterrupt checks that the campaign detects an accelerator that accepts an interrupt
// acknowledgement in a cycle without a request.
func TestLostInterrupt(t *testing.T) {
	p := arch.Params{Engines: 4, Banks: 4, Blocks: 256, Ways: 4, TagBits: 6, QueueDepth: 2, Window: 8, Cache: 4,
		StreamBits: 128, ALUs: 4, VectorValues: 32, EDRAMWords: 256, Tags: 4, Slots: 8, Tables: 4, GPUs: 1}
	d, err := hw.Elaborate(top.Hotline{Params: p})
	require.NoError(t, err)
	simulate := func() (sim.Simulator, error) { return interp.New(d) }
	failure := func() (found error) {
		for number := 0; number < 60 && found == nil; number++ {
			_, found = Episode{Params: p, Number: number, Commands: 100, Simulate: simulate}.Run()
		}
		return found
	}
	require.NoError(t, failure())
	mutated := 0
	for _, m := range d.Modules {
		ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
			if w, ok := s.(*ir.When); ok && m.Name == "interrupt_line" && w.Cond.Op == ir.And {
				w.Cond = w.Cond.Args[1]
				require.Equal(t, "ack", w.Cond.Sig.Name)
				mutated++
			}
		})
	}
	require.Equal(t, 1, mutated)
	require.ErrorContains(t, failure(), "but the interrupt is not requested")
}
