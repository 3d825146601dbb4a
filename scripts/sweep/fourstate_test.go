package main

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/cosim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// buildsDir is shared by the tests of this process.
var buildsDir string

func TestMain(m *testing.M) {
	var err error
	if buildsDir, err = os.MkdirTemp("", "sweep"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(buildsDir)
	os.Exit(code)
}

// recorded is a training run of the smallest accelerator.
var recorded = sync.OnceValues(func() (*run, error) {
	c, err := configs.Load("../../host/cosim/testdata/tiny.hcl")
	if err != nil {
		return nil, err
	}
	return record(c, 2, 6000)
})

// unknown is the design in Icarus from X.
func (r *run) unknown(t *testing.T) *cosim.Process {
	x, err := cosim.FourState(r.d, buildsDir)
	require.NoError(t, err)
	return x
}

// compare compares x with the interpreter from a random state.
func (r *run) compare(t *testing.T, x *cosim.Process, stimulus sim.Stimulus, cycles int, rules sim.Payload) sim.Report {
	t.Helper()
	s, err := interp.New(r.d)
	require.NoError(t, err)
	sim.PowerUp(s, 1)
	report, err := sim.Verification{
		Design: r.d, A: sim.Contender{Name: "interp", Batch: sim.NewBlocks(s)}, B: sim.Contender{Name: "icarus", Batch: x},
		Stimulus: stimulus, Cycles: uint64(cycles), Payload: rules,
	}.Run()
	require.NoError(t, err)
	require.NoError(t, x.Close())
	return report
}

func TestAcceleratorFromUnknown(t *testing.T) {
	r, err := recorded()
	require.NoError(t, err)
	rules := payload(r.format.Ports)
	report := r.compare(t, r.unknown(t), r.stimulus(), r.cycles(), rules)
	require.Nil(t, report.First)
	report = r.compare(t, r.unknown(t), sim.Random(r.format, 1), 4000, rules)
	require.Nil(t, report.First)
}

// blocks are the blocks of the accelerator; payload is what of their outputs is
// payload besides that of streams. Stored are those that come from a memory, which
// random inputs read before they write it; recorded ones do not. Held inputs are 0
// among random ones, which would break a promise that the block relies on: lookups
// begin when the slot registers are written, and answers come to lookups.
var blocks = map[string]struct {
	payload sim.Payload
	stored  []string
	held    []string
}{
	"isa": {},
	"dispatch": {payload: sim.Payload{
		"status": "done", "value0": "done", "value1": "done",
		"lookup_learn": "lookup_start", "lookup_half": "lookup_start", "lookup_words": "lookup_start", "lookup_slots": "lookup_start",
		"slot_addr": "slot_write", "slot_base": "slot_write",
		"edram_data": sim.Delayed("lookup_enable", 1),
		"scan_row":   "result_enable", "result_row": "result_enable",
		"hot_bank": "hot_enable", "hot_row": "hot_enable",
	}, stored: []string{"edram_data"}},
	"lookup":      {payload: sim.Payload{"edram_row": "edram_en", "result": sim.Delayed("result_en", 1)}, stored: []string{"result"}, held: []string{"ans_valid", "start"}},
	"eal":         {payload: sim.Payload{"scan_data": sim.Delayed("scan_valid", 2)}},
	"reduce":      {stored: []string{"data_data"}},
	"dma_read":    {stored: []string{"row_data"}},
	"dma_write":   {},
	"read_merge":  {},
	"write_merge": {},
}

// holding is a stimulus that keeps some inputs 0.
type holding struct {
	sim.Stimulus
	f    *sim.Format
	held []string
}

// Next implements sim.Stimulus.
func (h *holding) Next(frame []uint64) error {
	err := h.Stimulus.Next(frame)
	for _, x := range h.f.In {
		if slices.Contains(h.held, h.f.Ports[x.Port].Name) {
			clear(x.Of(frame))
		}
	}
	return err
}

// TestMissingResetIsUnknown removes resets that random states do not always show.
func TestMissingResetIsUnknown(t *testing.T) {
	r, err := recorded()
	require.NoError(t, err)
	for _, c := range []struct{ block, register, output string }{
		{"eal", "eal_answers.above", "ans_valid"},
		{"eal", "eal.cleared", "ready"},
		{"isa", "completer.irq", "irq_req"},
		{"reduce", "reduce.busy", "idle"},
		{"dma_read", "dma_read.loads", "loading"},
		{"lookup", "lookup_window.done", "answered"},
	} {
		b, err := r.block(c.block)
		require.NoError(t, err)
		found := false
		for _, x := range resets(b.d) {
			if x.name == c.register {
				found, x.sig.HasReset = true, false
				broken := b.unknown(t)
				x.sig.HasReset = true
				report := b.compare(t, broken, b.stimulus(), b.cycles(), sim.StreamPayload(b.format.Ports, blocks[c.block].payload))
				require.NotNil(t, report.First, c.register)
				require.Equal(t, c.output, report.First.Path, c.register)
				require.NotNil(t, report.First.UnknownB, c.register)
			}
		}
		require.True(t, found, c.register)
	}
}

func TestBlocksFromUnknown(t *testing.T) {
	r, err := recorded()
	require.NoError(t, err)
	for name, x := range blocks {
		t.Run(name, func(t *testing.T) {
			b, err := r.block(name)
			require.NoError(t, err)
			rules := sim.StreamPayload(b.format.Ports, x.payload)
			if report := b.compare(t, b.unknown(t), b.stimulus(), b.cycles(), rules); report.First != nil {
				t.Error("recorded", report.First)
			}
			for _, name := range x.stored {
				rules[name] = ""
			}
			if report := b.compare(t, b.unknown(t), &holding{sim.Random(b.format, 1), b.format, x.held}, 3000, rules); report.First != nil {
				t.Error("random", report.First)
			}
		})
	}
}
