package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/train/catalog"
)

func trainCommand(args []string) *cobra.Command {
	f := training{engine: engineAuto, args: args}
	var known strings.Builder
	for _, s := range catalog.Systems() {
		fmt.Fprintf(&known, "  %-20s  %s\n", s.Name, s.Title)
	}
	c := &cobra.Command{
		Use:   "train",
		Short: "Train with any training systems, and compare parameters and times",
		Long: `Trains a recommendation model with each of the systems on the same mini-batches. Tables
compare the time of a mini-batch and its parts, the bytes on each link, hits, memory,
speed-ups, and the quality of the predictions. Every parameter of a system that
guarantees sequential training is compared with the first such system, bit by bit. If
one differs, the exit code is 1. Systems with an order of their own (fae) and
approximate systems (cdlrm-paper, elrec, tt-rec, scratchpipe-ideal) are not compared;
see docs/explanation/systems.md. The systems are

` + known.String() + `
The accelerator is a functional model, or the hardware, cycle by cycle (--accelerator
cycle). 'hotline cosim' reports more about the hardware.

Times are simulated: counts of the training, such as rows gathered, become work on the
resources of a --machine with a software --profile. They depend on indices only, never
on values. Each time and speed-up has its range over the constants; speed-ups also have
the two constants that matter most, and a column for each profile. No profile
reproduces the software of a paper exactly.

A system that does not fit into the machine's memory is reported as "out of memory". If
none fits, the exit code is 1. A system that diverges, or that needs something that the
configuration or the data lack, is reported as such; the other systems keep their
results, and the exit code is 1.

--values off skips the arithmetic: times are byte-identical and computed faster, but
there is no loss, no AUC and no comparison. Only the schedule of fae depends on the
loss; without values it assumes a falling loss.

The block training of the configuration sets epochs, shuffling, held-out samples and
early stop. The report has log loss, AUC and calibration after each epoch
(docs/how-to/data.md).

--check also trains the model sequentially, without a machine, and checks how each
system handles embedding rows. It counts stale or wrong reads, lost updates, rows
evicted too early and rows in two places, shows the first of each, and reports the age
of the values that a system reads. If a system that guarantees sequential training has
any, the exit code is 1.

--faults injects faults into the accelerator's link according to a plan in HCL
(docs/reference/reliability.md). The parameters must still be the same. The report
lists each fault and its recovery.

--checkpoint writes the model of the first system. --resume continues from it, with any
system and any number of GPUs, bit-identical to a run without the stop; --batches
counts the earlier mini-batches. --export writes all parameters as whole tables, for
PyTorch and others. With --export-start and --export-inputs they can repeat the
training. All are safetensors files (docs/how-to/checkpoint.md).

--html writes a page with pictures: speed-ups with their ranges, the phases of a
mini-batch, and timelines of the mini-batches that --timelines names. The page needs no
other file and no network.

--trace writes the first mini-batches of the last system as a timeline for Perfetto
(ui.perfetto.dev) and Chrome (chrome://tracing). --chakra writes the same mini-batches as
execution traces of MLCommons Chakra, PREFIX.0.et and so on, one for each GPU. --pcapng writes every TLP on the link
of the first system's accelerator, for 'hotline trace' and Wireshark.`,
		Example: `  hotline train
  hotline train --system hybrid,hotline --gpus 2 --profile sceptic
  hotline train --system hybrid,hotline,fae --json | jq '.systems[] | {system, counts}'
  hotline train --machine h100 --json | jq '.systems[] | {system, time_ps, bound_by}'
  hotline train --html report.html --timelines 0-3,20
  hotline train --data criteo:train.txt --trace timeline.json
  hotline train --batches 12 --checkpoint half.safetensors
  hotline train --resume half.safetensors --held-out 2000 --evaluate-every 4
  hotline train --export-start start.safetensors --export-inputs inputs.safetensors
  hotline train --system all --check
  hotline train --config configs/paper.hcl --model rm3 --values off`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.define(c)
	s := c.Flags()
	s.StringVar(&f.systems, "system", cosimulated, "training `systems`, separated by commas, or all; the first is the baseline of speed-ups")
	s.StringVar(&f.accelerator, "accelerator", fidelityFunctional, "`fidelity` of the accelerator: functional, or cycle (slower)")
	s.StringVar(&f.values, "values", valuesOn, "on, or off: no `arithmetic`, the same times")
	s.Float64Var(&f.heldOut, "held-out", 0, "`number` of samples to evaluate on, or their share (default: the configuration's)")
	s.IntVar(&f.evaluateEvery, "evaluate-every", 0, "evaluate every `number` mini-batches (default: at the end only)")
	s.BoolVar(&f.look, "check", false, "check reads and updates of embedding rows, and moved against charged bytes, of every system")
	f.files.define(c)
	f.pcapng.define(c)
	s.StringVar(&f.trace, "trace", "", "`FILE` for the timeline of the last system")
	s.StringVar(&f.chakra, "chakra", "", "`PREFIX` of files for the execution traces of the last system")
	return c
}
