package command

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/papers"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// reproduceFlags contains the flags of hotline reproduce.
type reproduceFlags struct {
	machine, data, html string
	all, json           bool
	fresh               bool
}

// reproduced is the output of --json.
type reproduced struct {
	Schema        string             `json:"schema"`
	Version       string             `json:"version"`
	Configuration reproducedWith     `json:"configuration"`
	Machine       string             `json:"machine"`
	Constants     map[string]float64 `json:"constants"`
	Seed          uint64             `json:"seed"`
	*papers.Reproduction
}

// reproducedWith contains the arguments of the reproduction.
type reproducedWith struct {
	What []string `json:"what"`
	All  bool     `json:"all"`
	Data string   `json:"data,omitempty"`
}

func reproduceCommand() *cobra.Command {
	var f reproduceFlags
	c := &cobra.Command{
		Use:   "reproduce [PAPER | PAPER/ITEM]...",
		Short: "Put the numbers of five papers beside ours",
		Long: `Runs the experiments behind the numbers of five papers and prints what is published
beside what is found here, with its range and a verdict, as Markdown:

  holds        within the tolerance: a time within a quarter, an order exactly
  explained    not so, but a run shows what makes it the paper's: a constant at an end
               of its range, another software, or how it goes with a longer run; or the
               paper's own numbers contradict it
  fails        neither
  not run      nothing here evaluates it, or only --all does; the row says why
  calibration  something here was fitted to it: it is no result

The papers are ` + strings.Join(papers.Names(), ", ") + `. An ITEM is a table, figure or
section, such as elrec/table-iii; a name that there is not makes a list of those that
there are. Without any, all are run.

With the items of Hotline's Figures 15, 16, 25, 26 and 27 come studies of the accelerator's
sizes, where the paper has pictures only; --data adds those of lookups on a click log.

Longer trainings, some minutes in all, are run with --all only. What an experiment
finds is kept in the user's cache directory, for the same program and machine. A run
that is interrupted prints the rows of the experiments that are done, and the same
command continues with the others. If the directory cannot be written, the results
are printed and not kept. --fresh runs all experiments again, and keeps nothing.

--html writes a page with the papers' figures drawn anew, ours over theirs, which needs
no other file and no network.`,
		Example: `  hotline reproduce
  hotline reproduce --all --html papers.html
  hotline reproduce fae/table-7 elrec/table-iii
  hotline reproduce scratchpipe --machine h100
  hotline reproduce hotline/figure-15 hotline/figure-16 --all --data criteo:train.txt
  hotline reproduce --json | jq -r '.rows[] | select(.verdict == "fails") | .id'`,
		ValidArgs: papers.Names(),
		Args:      func(_ *cobra.Command, names []string) error { return usage(papers.Check(names)) },
		RunE:      func(cmd *cobra.Command, names []string) error { return f.run(cmd, names) },
	}
	c.Flags().StringVar(&f.machine, "machine", machine.Default().Name, "`machine` whose time is simulated, a name or FILE.hcl")
	c.Flags().BoolVar(&f.all, "all", false, "also longer trainings, which take minutes")
	c.Flags().StringVar(&f.data, "data", "", "`LOG:FILE[,FILE]`: studies of the accelerator on its clicks, too; criteo, avazu or taobao")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "find all anew, and keep nothing")
	c.Flags().StringVar(&f.html, "html", "", "`FILE` for a page with pictures")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object (docs/reference/json.md)")
	return c
}

func (f reproduceFlags) run(cmd *cobra.Command, names []string) error {
	m, err := machine.Load(f.machine)
	if err != nil {
		return usage(fmt.Errorf("--machine: %w", err))
	}
	if err := places(f.html); err != nil {
		return usage(err)
	}
	o := papers.Options{Machine: m, What: names, All: f.all}
	if f.data != "" {
		if o.Clicks, _, err = experiment.OpenData(cmd.Context(), f.data, papers.Seed, clicklog.Options{}); err != nil {
			return usage(fmt.Errorf("--data: %w", err))
		}
	}
	p := newProgress(cmd.ErrOrStderr(), "experiments")
	defer p.end()
	kept := !f.fresh
	o.Unkept = func(err error) {
		kept = false
		p.say("hotline: the results are not kept for the next run: " + indented(err))
	}
	if o.Cache, err = f.cache(); err != nil {
		o.Unkept(err)
	}
	o.Progress = func(done, total int) { p.show("reproduce", done, total) }
	r, err := papers.Reproduce(cmd.Context(), o)
	p.end()
	if err != nil {
		return f.stopped(cmd, r, m, err, kept)
	}
	if f.html != "" {
		if err := outfile.Write(f.html, func(w io.Writer) error { return papers.WriteHTML(w, r, m, version()) }); err != nil {
			return err
		}
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), f.echo(r, m, names))
	}
	return f.print(cmd.OutOrStdout(), r, m)
}

func (f reproduceFlags) print(w io.Writer, r *papers.Reproduction, m *machine.Machine) error {
	return printMarkdown(w, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# The papers, on machine %s\n", m.Name); err != nil {
			return err
		}
		return papers.Print(w, r, m)
	})
}

// stopped prints the rows of the completed experiments after others were interrupted or failed with
// err. It returns err and instructions to continue.
func (f reproduceFlags) stopped(cmd *cobra.Command, r *papers.Reproduction, m *machine.Machine, err error, kept bool) error {
	if r == nil || r.Total == 0 {
		return err
	}
	next := "and kept: the same command continues with the others"
	if !kept {
		next = "but not kept: the same command starts again"
	}
	err = errors.Join(err, fmt.Errorf("%d of %s are done %s", r.Done, format.Plural(r.Total, "experiment"), next))
	if f.json || r.Done == 0 {
		return err // JSON output is never partial
	}
	return errors.Join(err, f.print(cmd.OutOrStdout(), r, m))
}

// echo returns the result with its parameters.
func (f reproduceFlags) echo(r *papers.Reproduction, m *machine.Machine, names []string) reproduced {
	constants := map[string]float64{}
	for _, c := range m.Constants() {
		constants[c.Name] = c.Value
	}
	return reproduced{"hotline.reproduce/1", version(), reproducedWith{append([]string{}, names...), f.all, f.data}, m.Name, constants, papers.Seed, r}
}

// cache returns the cache for results of exactly this program. On an error there is no cache.
func (f reproduceFlags) cache() (papers.Cache, error) {
	if f.fresh {
		return papers.Cache{}, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return papers.Cache{}, err
	}
	sum, err := ownSum()
	if err != nil {
		return papers.Cache{}, err
	}
	return papers.Cache{Dir: filepath.Join(user, "hotline", "reproduce"), Program: sum}, nil
}

// ownSum returns a hash of the running program's file.
func ownSum() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
