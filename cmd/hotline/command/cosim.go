package command

import "github.com/spf13/cobra"

// cosimulated lists the systems that cosim compares bit by bit.
const cosimulated = "hybrid,hotline"

// cosimCommand returns a preset of hotline train with the hardware, cycle by cycle, and the flags that
// look into the hardware.
func cosimCommand(args []string) *cobra.Command {
	f := training{systems: cosimulated, strict: true, accelerator: fidelityCycle, args: args}
	f.values = valuesOn
	c := &cobra.Command{
		Use:   "cosim",
		Short: "Train with the accelerator and with the baseline, and compare every parameter",
		Long: `Trains a recommendation model twice on the same mini-batches: with the hybrid CPU-GPU
baseline, and with GPUs that the simulated accelerator feeds over PCIe. Prints a
report and compares every parameter of the two models, bit by bit. If one differs,
the exit code is 1.

Times are simulated: they follow from the work of the training and from the constants
of a --machine and of a software --profile. The speed-up is printed for every profile,
each with its range over the constants.

Configuration and click log are built in, so no flag is needed. --html writes the
report as a page with pictures.

The accelerator is simulated by a compiled model: generated Go. The model of the
default configuration is built in. For other configurations, hotline builds and caches
a program with the model, which takes seconds, and runs it instead of this one. That
needs Go and the source of this project. Without them, and in runs too short to pay
for a build, the accelerator is interpreted. --engine compiled or interp forces one;
compiled-portable, -avx2 and -avx512 also force the instruction set of the model.

--vcd records every signal and needs the interpreter, which is slow. With --engine
compiled it records ports and registers only. --vcd-from and --vcd-to select a part of
the run, by cycles of the accelerator's clock (5000) or by simulated time (20us, 1.5ms;
units ps, ns, us, ms, s). The end is exclusive. At --vcd-limit the file ends with a
complete time step, and the run continues.

--cover records what the run exercised in the accelerator, for 'hotline cover'. It
uses a model of its own and excludes --vcd.

--pcapng writes every TLP on the accelerator's link to a file for 'hotline trace', and
for Wireshark with the dissector of 'hotline trace --dissector'.

--faults injects faults into the accelerator's link according to a plan in HCL
(docs/reference/reliability.md). The parameters must still be the same. The report
lists each fault and its recovery.

hotline refuses to start a run that would exceed the available memory, according to
/proc/meminfo and the limits of control groups.`,
		Example: `  hotline cosim
  hotline cosim --data criteo:train.txt --gpus 2
  hotline cosim --config configs/paper.hcl --batches 2 --json
  hotline cosim --vcd run.vcd --vcd-from 1.2ms --vcd-to 1.3ms`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.define(c)
	c.Flags().StringVar(&f.engine, "engine", engineAuto, engineUsage)
	defineCover(c, &f.cover)
	f.waves.define(c)
	f.pcapng.define(c)
	return c
}
