package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/train/papers"
)

// papersFlags are the flags of hotline papers.
type papersFlags struct {
	machine string
	json    bool
}

// paperFigures is what --json prints.
type paperFigures struct {
	Schema  string          `json:"schema"`
	Version string          `json:"version"`
	Machine string          `json:"machine"`
	Figures []papers.Figure `json:"figures"`
}

func papersCommand() *cobra.Command {
	var f papersFlags
	c := &cobra.Command{
		Use:   "papers",
		Short: "Put figures of the papers beside those of simulated time",
		Long: `Prints speed-ups that the papers publish beside those of the model of time, in
every software profile, as Markdown tables: each with its range over the ranges of
the machine's constants, and the two constants that it depends on most. Changes of
software, one by one, show what makes the trend over the number of GPUs.

Counts are those that the papers state, three quarters of the inputs popular. For
counts of a training, see 'hotline train'. It takes about a minute.`,
		Example: `  hotline papers
  hotline papers --machine h100
  hotline papers --json | jq '.figures[0].rows[] | {labels, paper}'`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	c.Flags().StringVar(&f.machine, "machine", machine.Default().Name, "`machine` whose time is simulated, a name or FILE.hcl")
	c.Flags().BoolVar(&f.json, "json", false, "print the figures as one JSON object (docs/json.md)")
	return c
}

func (f papersFlags) run(cmd *cobra.Command) error {
	m, err := machine.Load(f.machine)
	if err != nil {
		return usage(fmt.Errorf("--machine: %w", err))
	}
	p := newProgress(cmd.ErrOrStderr(), "speed-ups")
	figures, err := papers.Figures(cmd.Context(), m, func(done, total int) { p.show("papers", done, total) })
	p.end()
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), paperFigures{"hotline.papers/1", version(), m.Name, figures})
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "# Figures of the papers, on machine %s\n", m.Name); err != nil {
		return err
	}
	return papers.Print(cmd.OutOrStdout(), figures)
}
