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
	"github.com/hotline-rtl/hotline/host/study/papers"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// reproduceFlags contains the flags of hotline reproduce.
type reproduceFlags struct {
	machine, html string
	all, json     bool
	fresh         bool
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
}

func reproduceCommand() *cobra.Command {
	var f reproduceFlags
	c := &cobra.Command{
		Use:   "reproduce [PAPER | PAPER/ITEM]...",
		Short: "Compare the numbers of five papers with ours",
		Long: `Evaluates the numbers that five papers publish and prints them with ours, as Markdown:

  holds      a speed-up has between 3/4 and 4/3 of the published gain; another time is
             between 3/4 and 4/3 of the published one; a trend has all pairs in order
  differs    anything else; the factor is ours over the paper's
  not run    nothing here evaluates it, or only --all does; the row says why

Rows that something was fitted to or chosen by, and rows that repeat numbers of the
paper, are listed with their class and are no results. The header compares the number
of rows that hold with models that know nothing and with shuffled numbers.

The papers are ` + strings.Join(papers.Names(), ", ") + `. An ITEM is a table, figure or
section, such as elrec/table-iii; an unknown name lists the known ones. Without any, all
papers are evaluated, and a line for each row is printed. With a name, its rows are
printed with rule, range and the constants that decide them.

Rows that take minutes in all are evaluated with --all only. What is found is kept in
the user's cache directory, for the same program and machine. A run that is interrupted
prints the rows that are done, and the same command continues with the others. If the
directory cannot be written, the results are printed and not kept. --fresh evaluates all
rows again, and keeps nothing.

--html writes a page with the papers' numbers drawn with ours, which needs no other file
and no network.`,
		Example: `  hotline reproduce
  hotline reproduce --all --html papers.html
  hotline reproduce fae/table-7 elrec/table-iii
  hotline reproduce scratchpipe --machine h100
  hotline reproduce --json | jq -r '.rows[] | select(.verdict == "differs") | .id'`,
		ValidArgs: papers.Names(),
		Args:      func(_ *cobra.Command, names []string) error { return usage(papers.Check(names)) },
		RunE:      func(cmd *cobra.Command, names []string) error { return f.run(cmd, names) },
	}
	c.Flags().StringVar(&f.machine, "machine", machine.Default().Name, "`machine` to simulate, a name or FILE.hcl")
	c.Flags().BoolVar(&f.all, "all", false, "also rows that take minutes")
	c.Flags().BoolVar(&f.fresh, "fresh", false, "evaluate all rows again, and keep nothing")
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
	p := newProgress(cmd.ErrOrStderr(), "rows")
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
		return f.stopped(cmd, r, m, err, kept, len(names) > 0)
	}
	if f.html != "" {
		if err := outfile.Write(f.html, func(w io.Writer) error { return papers.WriteHTML(w, r, m, version()) }); err != nil {
			return err
		}
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), f.echo(r, m, names))
	}
	return f.print(cmd.OutOrStdout(), r, m, len(names) > 0)
}

func (f reproduceFlags) print(w io.Writer, r *papers.Reproduction, m *machine.Machine, details bool) error {
	return printMarkdown(w, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "# The papers, on machine %s\n", m.Name); err != nil {
			return err
		}
		return papers.Print(w, r, m, details)
	})
}

// stopped prints the rows that are done when others were interrupted or failed with err. It returns err with a line that says how to go on.
func (f reproduceFlags) stopped(cmd *cobra.Command, r *papers.Reproduction, m *machine.Machine, err error, kept, details bool) error {
	if r == nil || r.Total == 0 {
		return err
	}
	next := "and kept: the same command continues with the others"
	if !kept {
		next = "but not kept: the same command starts again"
	}
	err = errors.Join(err, fmt.Errorf("%d of %s are done %s", r.Done, format.Plural(r.Total, "row"), next))
	if f.json || r.Done == 0 {
		return err // JSON output is never partial
	}
	return errors.Join(err, f.print(cmd.OutOrStdout(), r, m, details))
}

// echo returns the result with its parameters.
func (f reproduceFlags) echo(r *papers.Reproduction, m *machine.Machine, names []string) reproduced {
	constants := map[string]float64{}
	for _, c := range m.Constants() {
		constants[c.Name] = c.Value
	}
	return reproduced{"hotline.reproduce/2", version(), reproducedWith{append([]string{}, names...), f.all}, m.Name, constants, papers.Seed, r}
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
