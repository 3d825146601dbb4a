package resets

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/frames"
	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// buildsDir contains the simulators that the tests of this process have built.
var buildsDir string

func TestMain(m *testing.M) {
	var err error
	if buildsDir, err = os.MkdirTemp("", "resets"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(buildsDir)
	os.Exit(code)
}

// training returns a recorded training of the smallest accelerator.
var training = sync.OnceValues(func() (*run, error) {
	c, err := configs.Load("../../../host/study/experiment/testdata/tiny.hcl")
	if err != nil {
		return nil, err
	}
	return record(c, 2, 30000)
})

// unknown returns a simulation of the design in Icarus Verilog whose initial state is X.
func (r *run) unknown(t *testing.T) *external.Process {
	x, err := external.FourState(r.d, buildsDir)
	require.NoError(t, err)
	return x
}

// compare compares x with the interpreter, which starts from a random state.
func (r *run) compare(t *testing.T, x *external.Process, in []uint64, p sim.Payload) sim.Report {
	t.Helper()
	s, err := interp.New(r.d)
	require.NoError(t, err)
	sim.PowerUp(s, 1)
	report, err := sim.Verification{
		Design: r.d, A: sim.NamedBatch{Name: "interp", Batch: sim.NewBlocks(s)}, B: sim.NamedBatch{Name: "icarus", Batch: x},
		Stimulus: &frames.Inputs{Frames: in, Words: r.format.InWords}, Cycles: uint64(len(in) / r.format.InWords), Payload: p,
	}.Run()
	require.NoError(t, err)
	require.NoError(t, x.Close())
	return report
}

// check compares Icarus Verilog with the interpreter on recorded and on random inputs.
func (r *run) check(t *testing.T) {
	report := r.compare(t, r.unknown(t), r.in, r.recorded())
	if report.First != nil {
		t.Error("recorded inputs:", report.First)
	}
	report = r.compare(t, r.unknown(t), r.randomInputs(1, 3000), r.random())
	if report.First != nil {
		t.Error("random inputs:", report.First)
	}
}

func TestAcceleratorFromUnknown(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	r, err := training()
	require.NoError(t, err)
	r.check(t)
}

// TestUnsetAddressesFromUnknown runs random commands with unset registers in Icarus Verilog with
// all state unknown. No descriptor has an unknown address.
func TestUnsetAddressesFromUnknown(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	d, err := hw.Elaborate(top.Hotline{Params: smallest()})
	require.NoError(t, err)
	for number := range 2 {
		r, err := episode(d, smallest(), number)
		require.NoError(t, err)
		report := r.compare(t, r.unknown(t), r.in, r.recorded())
		require.Nil(t, report.First, "episode %d", number)
	}
}

// TestMissingResetIsUnknown removes resets whose absence random states do not always reveal.
func TestMissingResetIsUnknown(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	r, err := training()
	require.NoError(t, err)
	blocks, err := r.blocks()
	require.NoError(t, err)
	for _, c := range []struct{ block, register, output string }{
		{"eal", "eal_answers.above", "answer_valid"},
		{"eal", "eal_controller.cleared", "ready"},
		{"irq_line", "interrupt_line.owed", "req"},
		{"reduce", "embedding_vector_buffer.busy", "row_ready"},
		{"dma_read", "dma_read.loads", "loading"},
		{"lookup", "lookup_window.done", "answered"},
	} {
		b := blocks[c.block]
		found := false
		for _, x := range resets(b.d) {
			if withoutSizes(x.name) == c.register {
				found, x.sig.HasReset = true, false
				broken := b.unknown(t)
				x.sig.HasReset = true
				report := b.compare(t, broken, b.in, b.recorded())
				require.NotNil(t, report.First, c.register)
				require.Equal(t, c.output, report.First.Path, c.register)
				require.NotNil(t, report.First.UnknownB, c.register)
			}
		}
		require.True(t, found, c.register)
	}
}

// withoutSizes returns the name of a register without the sizes of its module.
func withoutSizes(register string) string {
	module, signal, _ := strings.Cut(register, ".")
	return size.ReplaceAllString(module, "") + "." + signal
}

func TestBlocksFromUnknown(t *testing.T) {
	tools.Need(t, "iverilog", "vvp")
	r, err := training()
	require.NoError(t, err)
	blocks, err := r.blocks()
	require.NoError(t, err)
	require.Len(t, blocks, len(rules))
	for name, b := range blocks {
		t.Run(name, b.check)
	}
	d, err := hw.Elaborate(randomizer.Randomizer{Width: 22})
	require.NoError(t, err)
	t.Run("randomizer", (&run{d: d, format: sim.NewFormat(sim.PortsOf(d))}).check)
}
