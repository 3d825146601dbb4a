package main

import (
	"fmt"
	"slices"
	"strings"

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
	Schema  string         `json:"schema"`
	Version string         `json:"version"`
	Machine string         `json:"machine"`
	Papers  []papers.Paper `json:"papers"`
}

func papersCommand() *cobra.Command {
	var f papersFlags
	c := &cobra.Command{
		Use:   "papers [" + strings.Join(papers.Names(), "|") + "]...",
		Short: "Put what the papers publish beside what is computed here",
		Long: `Prints what the papers publish beside what is computed here, as Markdown tables:
sizes, ratios and counts; speed-ups and times in every software profile, each with its
range over the ranges of the machine's constants, and the two constants that it
depends on most; and the order of the systems, with what turns those round that are
not in the paper's. Without a name it prints all papers, which takes half a minute.

Counts are those that the papers state, or of short trainings on generated clicks. For
those of a training of your own, see 'hotline train'.`,
		Example: `  hotline papers
  hotline papers fae scratchpipe --machine h100
  hotline papers hotline --json | jq '.papers[0].figures[0].rows[] | {labels, paper}'`,
		Args: knownPapers, ValidArgs: papers.Names(),
		RunE: func(cmd *cobra.Command, names []string) error { return f.run(cmd, names) },
	}
	c.Flags().StringVar(&f.machine, "machine", machine.Default().Name, "`machine` whose time is simulated, a name or FILE.hcl")
	c.Flags().BoolVar(&f.json, "json", false, "print them as one JSON object (docs/json.md)")
	return c
}

// knownPapers reports a paper that there is not.
func knownPapers(_ *cobra.Command, names []string) error {
	for _, name := range names {
		if !slices.Contains(papers.Names(), name) {
			return usage(fmt.Errorf("there is no paper %q, expected %s", name, strings.Join(papers.Names(), ", ")))
		}
	}
	return nil
}

func (f papersFlags) run(cmd *cobra.Command, names []string) error {
	m, err := machine.Load(f.machine)
	if err != nil {
		return usage(fmt.Errorf("--machine: %w", err))
	}
	if len(names) == 0 {
		names = papers.Names()
	}
	p := newProgress(cmd.ErrOrStderr(), "figures")
	list, err := papers.Evaluate(cmd.Context(), m, names, func(done, total int) { p.show("papers", done, total) })
	p.end()
	if err != nil {
		return err
	}
	if f.json {
		return printJSON(cmd.OutOrStdout(), paperFigures{"hotline.papers/2", version(), m.Name, list})
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "# The papers, on machine %s\n", m.Name); err != nil {
		return err
	}
	return papers.Print(cmd.OutOrStdout(), list)
}
