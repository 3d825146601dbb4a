package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/des/await"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/dlrm/data/index"
	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/dlrm/data/text"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
)

// clickFlags contains the flags that select the input data.
type clickFlags struct {
	data, index string
	skip        int
}

func (f *clickFlags) define(c *cobra.Command, otherwise string) {
	s := c.Flags()
	s.StringVar(&f.data, "data", "", "`LOG:FILE[,FILE]`, LOG "+strings.Join(schema.Names(), ", ")+" or SCHEMA.hcl;\nor gen:PRESET (default: "+otherwise+")")
	s.StringVar(&f.index, "index", "first-pass", "`rule` for rows of ids, also hash:ROWS or max-ind-range:ROWS")
	s.IntVar(&f.skip, "skip", 0, "`number` of bad lines that may be skipped; they are printed")
}

// open opens the source selected by --data.
func (f clickFlags) open(cmd *cobra.Command, seed uint64) (data.Source, report.Source, error) {
	rule, err := index.ParseRule(f.index)
	if err != nil {
		return nil, report.Source{}, fmt.Errorf("--index: %w", err)
	}
	o := clicklog.Options{Rule: rule}
	if f.skip > 0 {
		o.Quarantine = text.NewQuarantine(f.skip, cmd.ErrOrStderr())
	}
	return experiment.OpenData(cmd.Context(), f.data, seed, o)
}

func dataCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "data",
		Short: "Inspect click logs and generated samples",
		Args:  noArguments,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(profileCommand())
	return c
}

// profileFlags contains the flags of hotline data profile.
type profileFlags struct {
	clickFlags
	inputs int64
	seed   uint64
	html   string
	json   bool
}

// profiled is the output of --json.
type profiled struct {
	Schema        string       `json:"schema"`
	Version       string       `json:"version"`
	Configuration profiledWith `json:"configuration"`
	Seed          uint64       `json:"seed"`
	*profile.Report
}

// profiledWith contains the arguments of the profile.
type profiledWith struct {
	Data   string `json:"data"`
	Index  string `json:"index"`
	Inputs int64  `json:"inputs"`
}

func profileCommand() *cobra.Command {
	f := profileFlags{}
	var presets []string
	for _, p := range gen.Presets(0) {
		presets = append(presets, p.Name)
	}
	c := &cobra.Command{
		Use:   "profile",
		Short: "Measure skew, hot sets, popular samples and drift",
		Long: `Reads a click log, or generates samples, in two passes, and prints the skew of the tables,
the share of lookups and of samples that hot sets of several sizes serve, and how long a
hot set stays valid. Memory is constant, except for one counter per row.

The presets are ` + strings.Join(presets[:7], ", ") + `,
` + strings.Join(presets[7:], ", ") + `.
They aim at published figures; the result and its error are printed.`,
		Example: `  hotline data profile --data gen:kaggle --inputs 1000000
  hotline data profile --data criteo:train.txt --html profile.html`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.define(c, "gen:criteo-like")
	s := c.Flags()
	s.Int64Var(&f.inputs, "inputs", 0, "`number` of inputs from the start (default: all)")
	s.Uint64Var(&f.seed, "seed", 1, "`seed` of generated clicks")
	s.StringVar(&f.html, "html", "", "`FILE` for a page with pictures")
	s.BoolVar(&f.json, "json", false, "print the figures as one JSON object (docs/reference/json.md)")
	return c
}

func (f profileFlags) run(cmd *cobra.Command) error {
	if f.data == "" {
		f.data = "gen:criteo-like"
	}
	if err := places(f.html); err != nil {
		return usage(err)
	}
	clicks, err := await.Call(cmd.Context(), func() (data.Source, error) {
		s, _, err := f.open(cmd, f.seed)
		return s, err
	})
	if err != nil || isDryRun(cmd) {
		return usage(err)
	}
	p := newProgress(cmd.ErrOrStderr(), "inputs")
	defer p.end()
	report, err := profile.Run(cmd.Context(), clicks, profile.Options{
		Inputs: f.inputs, Targets: f.targets(),
		Progress: func(done, all int64) { p.show("profile", int(done), int(all)) },
	})
	p.end()
	if err != nil {
		return err
	}
	if f.html != "" {
		if err := outfile.Write(f.html, report.WriteHTML); err != nil {
			return err
		}
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), profiled{"hotline.profile/1", version(), profiledWith{f.data, f.index, f.inputs}, f.seed, report})
	}
	return report.Print(cmd.OutOrStdout())
}

// targets returns the published statistics of a preset.
func (f profileFlags) targets() []profile.Target {
	name, ok := strings.CutPrefix(f.data, "gen:")
	if !ok {
		return nil
	}
	p, err := gen.Named(name, f.seed)
	if err != nil {
		return nil // cannot happen: the preset was opened before
	}
	return p.Targets
}
