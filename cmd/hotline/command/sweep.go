package command

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/sweep"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// sweepFlags contains the flags of hotline sweep.
type sweepFlags struct {
	out   string
	jobs  int
	slurm bool
}

func sweepCommand() *cobra.Command {
	var f sweepFlags
	c := &cobra.Command{
		Use:   "sweep FILE.hcl [flags] [-- SBATCH OPTIONS]",
		Short: "Run a command at many points: a grid, or a sample of it, over attributes of HCL files",
		Long: `Runs a command at each point of a grid, or of a random sample of the grid. A file
states the command, and the attributes and arguments that vary (docs/how-to/sweep.md):

  run "train" {
    config    = "configs/small.hcl"
    arguments = ["--system", "hybrid,hotline", "--profile", profile]
  }
  axis "banks" {
    attribute = "accelerator.banks"
    values    = [4, 8, 16]
  }
  axis "profile" {
    values = ["sceptic", "hotline-2024-a"]
  }
  plots = ["systems.hotline.time_ps"]

The command is train, cosim, verify, synth or data profile, or the path of a program of
your own, such as a verification campaign with its seed as an axis.

All points are decoded and checked before the first one runs. results.csv and
results.html in the folder of --out have a row for each point: the values of the axes,
whether it failed, and all figures that the command prints with --json. A failed point
is kept with its log, the other points continue, and the exit code is 1.

Results are stored in that folder under a hash of the point's files, its arguments and
the version of the program. Start an interrupted sweep again to run the points that are
missing or failed.

With --slurm, points are tasks of a job array on a Slurm cluster, and a final job writes
the tables. The folder of --out and the current folder must have the same path on all
machines. Tasks that are killed, or whose machine is lost, are queued again. Arguments
after -- go to sbatch. 'hotline sweep collect DIR' writes the tables of the points that
are done.`,
		Example: `  hotline sweep examples/sweeps/queue.hcl
  hotline sweep examples/sweeps/designs.hcl --jobs 2 --out campaign
  hotline sweep examples/sweeps/queue.hcl --slurm --jobs 20 -- --partition=cpu --mem=4G`,
		Args: sweepArguments,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	s := c.Flags()
	s.StringVar(&f.out, "out", "", "`folder` of the results (default: the name of the file, with .sweep)")
	s.IntVar(&f.jobs, "jobs", 0, "`number` of points at a time (default: the cores; with --slurm, what the cluster allows)")
	s.BoolVar(&f.slurm, "slurm", false, "submit job arrays to a Slurm cluster in place of running the points here")
	c.AddCommand(sweepPointCommand(), sweepCollectCommand())
	return c
}

// sweepArguments checks the arguments: one file, and after -- the options for sbatch.
func sweepArguments(c *cobra.Command, args []string) error {
	n := len(args)
	if dash := c.ArgsLenAtDash(); dash >= 0 {
		n = dash
	}
	if n != 1 {
		return usage(fmt.Errorf("%d files are given; expected one sweep; see 'hotline sweep --help'", n))
	}
	return nil
}

func (f sweepFlags) run(cmd *cobra.Command, args []string) error {
	switch {
	case cmd.Flags().Changed("jobs") && f.jobs < 1:
		return usage(fmt.Errorf("--jobs is %d; expected at least 1", f.jobs))
	case !f.slurm && len(args) > 1:
		return usage(fmt.Errorf("%q: options of sbatch need --slurm", args[1]))
	}
	file, err := sweep.Load(args[0])
	if err != nil {
		return usage(err)
	}
	programs, program, err := sweepPrograms()
	if err != nil {
		return err
	}
	plan, err := file.Plan(programs)
	if err != nil {
		return usage(err)
	}
	if err := plan.Check(cmd.Context()); err != nil {
		return usage(err)
	}
	if f.out == "" {
		f.out = file.Title() + ".sweep"
	}
	store, err := sweep.Create(f.out, plan)
	if err != nil {
		return err
	}
	if f.slurm {
		return f.submit(cmd, store, program, args[1:])
	}
	return f.here(cmd, store, program)
}

// here runs the points on this machine.
func (f sweepFlags) here(cmd *cobra.Command, store *sweep.Store, program string) error {
	if f.jobs == 0 {
		f.jobs = runtime.NumCPU()
	}
	p := newProgress(cmd.ErrOrStderr(), "points")
	defer p.end()
	ran := sweep.Run(cmd.Context(), store, sweep.Options{Program: program, Jobs: f.jobs, Progress: func(done, total int, line string) {
		if line != "" {
			p.say(line)
		}
		p.show(store.Plan.Title, done, total)
	}})
	p.end()
	if errors.As(ran, &signalled{}) {
		ran = errors.Join(ran, errors.New("finished points are kept; the same command runs the other points"))
	}
	return errors.Join(ran, collect(cmd.OutOrStdout(), store))
}

// submit submits the points to Slurm.
func (f sweepFlags) submit(cmd *cobra.Command, store *sweep.Store, program string, options []string) error {
	s, err := sweep.Submit(cmd.Context(), store, sweep.Slurm{Program: program, Limit: f.jobs, Options: options})
	if err != nil {
		return err
	}
	if s.Points == 0 {
		return collect(cmd.OutOrStdout(), store)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "points   %d, as tasks of job %s\ncollect  job %s, behind them\nresults  %s\n",
		s.Points, strings.Join(s.Arrays, ", "), s.Collect, store.Dir)
	return err
}

// collect writes the tables, and returns an error if points failed or are missing.
func collect(w io.Writer, store *sweep.Store) error {
	t, err := store.Collect()
	if err != nil {
		return err
	}
	if err := t.Print(w); err != nil {
		return err
	}
	if c := t.Counts(); c.Failed+c.Missing > 0 {
		return failed(fmt.Errorf("%d of %d points failed, %d are missing", c.Failed, len(t.Rows), c.Missing))
	}
	return nil
}

func sweepPointCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "point DIR N",
		Short: "Run one point of a sweep, unless it is done",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			store, program, err := openSweep(cmd, args, 2)
			if err != nil {
				return usage(err)
			}
			n, err := strconv.Atoi(args[1])
			if err != nil || n < 0 || n >= len(store.Plan.Points) {
				return usage(fmt.Errorf("point %q: expected a number from 0 to %d", args[1], len(store.Plan.Points)-1))
			}
			end, err := store.RunPoint(cmd.Context(), n, program)
			if err == nil && end.Status == sweep.Failed {
				return failed(errors.New(store.Failure(n, end, nil)))
			}
			return err
		},
	}
}

func sweepCollectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "collect DIR",
		Short: "Write the tables of what a sweep has done so far",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			store, _, err := openSweep(cmd, args, 1)
			if err != nil {
				return usage(err)
			}
			return collect(cmd.OutOrStdout(), store)
		},
	}
}

// openSweep opens the directory named by the first of n arguments.
func openSweep(cmd *cobra.Command, args []string, n int) (*sweep.Store, string, error) {
	if len(args) != n {
		return nil, "", fmt.Errorf("%d arguments are given; expected %d; see '%s --help'", len(args), n, cmd.CommandPath())
	}
	programs, program, err := sweepPrograms()
	if err != nil {
		return nil, "", err
	}
	store, err := sweep.Open(args[0], programs.Version)
	return store, program, err
}

// sweepPrograms returns the verbs and files that a sweep can use, and the path of this executable.
func sweepPrograms() (p sweep.Programs, program string, err error) {
	if program, err = os.Executable(); err != nil {
		return p, "", err
	}
	text, err := os.ReadFile(program)
	if err != nil {
		return p, "", err
	}
	p.Version = fmt.Sprintf("%s, program %.6x", version(), sha256.Sum256(text))
	p.Verbs = map[string]sweep.Verb{}
	for verb, x := range map[string]struct{ kinds, section string }{
		"train": {"config machine profile", "hotline cosim and hotline train"}, "cosim": {"config machine profile", "hotline cosim and hotline train"},
		"verify": {"config", "hotline verify"}, "synth": {"config", "hotline synth"}, "data profile": {"", "hotline data profile"},
	} {
		words := strings.Fields(verb)
		p.Verbs[verb] = sweep.Verb{Kinds: strings.Fields(x.kinds), Keys: printedKeys()[x.section], Check: func(ctx context.Context, args []string) error {
			return dryRun(ctx, append(words[:len(words):len(words)], args...))
		}}
	}
	p.Base = map[string]func(string) (string, []byte, error){
		"config":  configs.Source,
		"machine": source(machine.Source),
		"profile": source(timing.ProfileSource),
	}
	return p, program, nil
}

// source returns a function that reads an embedded file or a file of the user.
func source(embedded func(name string) ([]byte, error)) func(string) (string, []byte, error) {
	return func(name string) (string, []byte, error) {
		if strings.HasSuffix(name, ".hcl") {
			text, err := hclfile.Read(name)
			return name, text, err
		}
		text, err := embedded(name)
		return name + ".hcl", text, err
	}
}
