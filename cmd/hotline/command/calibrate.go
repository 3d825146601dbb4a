package command

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/train/calibrate"
)

// calibrateFlags contains the flags of hotline calibrate.
type calibrateFlags struct {
	device, python, from, out string
	seed                      uint64
}

func calibrateCommand() *cobra.Command {
	var f calibrateFlags
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure this machine with PyTorch, and test the time model with it",
		Long: `Measures operators of PyTorch on this machine: copies, matrix products, activations,
updates, interactions, embedding bags, dispatch, and all-reduces if there are several
GPUs. Writes a machine and a software profile with the results, for --machine and
--profile of other verbs, and the measurements.

Then compares measured and predicted times of training steps of a DLRM. Nothing is
fitted to these steps, whose sizes --seed chooses. "operators" adds the measured times
of a step's operators, scaled to its sizes. "machine" is the time that hotline train
would compute for the written machine.

PyTorch runs in one thread. The run takes about three minutes and 3 GB of memory. Other
work on the machine disturbs it.`,
		Example: `  scripts/setup-pytorch
  hotline calibrate --out mine
  hotline train --machine mine.hcl --profile mine-software.hcl
  hotline calibrate --device cuda --python python3
  hotline calibrate --from mine.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	s := c.Flags()
	s.StringVar(&f.device, "device", "cpu", "`device` to measure, cpu or cuda")
	s.StringVar(&f.python, "python", "", "`FILE` of a Python with PyTorch (default: the one of scripts/setup-pytorch)")
	s.Uint64Var(&f.seed, "seed", 1, "`seed` of the steps")
	s.StringVar(&f.from, "from", "", "read this `FILE`.json of an earlier run instead of measuring")
	s.StringVar(&f.out, "out", "measured", "`prefix` of the files: PREFIX.hcl, PREFIX-software.hcl, PREFIX.json")
	return c
}

func (f calibrateFlags) run(cmd *cobra.Command) error {
	if f.device != "cpu" && f.device != "cuda" {
		return usage(fmt.Errorf("--device is %q; expected cpu or cuda", f.device))
	}
	if f.from != "" {
		for _, name := range []string{"device", "python", "seed"} {
			if cmd.Flags().Changed(name) {
				return usage(fmt.Errorf("--from and --%s are both there; expected one of them", name))
			}
		}
	}
	if err := places(f.out+".hcl", f.out+"-software.hcl", f.out+".json"); err != nil {
		return usage(err)
	}
	x, err := f.measurements(cmd)
	if err != nil {
		return err
	}
	m, p := calibrate.Machine(x), calibrate.Profile(x)
	list, err := calibrate.Predict(x, m, p)
	if err != nil {
		return err
	}
	if err := outfile.WriteBytes(f.out+".hcl", m.HCL()); err != nil {
		return err
	}
	if err := outfile.WriteBytes(f.out+"-software.hcl", p.HCL()); err != nil {
		return err
	}
	return printMarkdown(cmd.OutOrStdout(), func(w io.Writer) error { return calibrate.Print(w, x, list) })
}

// measurements returns the measurements in the file of --from. Without a file, it measures this
// machine and writes the measurements.
func (f calibrateFlags) measurements(cmd *cobra.Command) (x calibrate.Measurements, err error) {
	if f.from != "" {
		x, err = calibrate.Load(f.from)
		return x, usage(err)
	}
	python := f.python
	if python == "" {
		if python, err = calibrate.Python(); err != nil {
			return x, err
		}
	}
	p := newProgress(cmd.ErrOrStderr(), "measurements")
	defer p.end()
	x, err = calibrate.Measure(cmd.Context(), python, calibrate.NewRequest(f.device, f.seed), func(done, total int) { p.show("calibrate", done, total) })
	if errors.Is(err, calibrate.ErrNoPyTorch) {
		return x, usage(err)
	}
	if err != nil {
		return x, err
	}
	return x, outfile.WriteBytes(f.out+".json", x.JSON())
}
