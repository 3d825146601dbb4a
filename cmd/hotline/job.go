package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/rec/data/clicklog"
	"github.com/hotline-rtl/hotline/host/rec/data/criteo"
	"github.com/hotline-rtl/hotline/host/rec/data/index"
)

// jobFlags are those of commands that train.
type jobFlags struct {
	config, data         string
	machine, profile     string
	gpus, nodes, batches int
	seed                 uint64
	json                 bool
}

func (f *jobFlags) define(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.data, "data", "", "`criteo:PATH`, rows of the Criteo Kaggle log, plain or gzip (default: generated clicks)")
	s.IntVar(&f.gpus, "gpus", 0, "`number` of GPUs in a server (default: the configuration's)")
	s.IntVar(&f.nodes, "nodes", 0, "`number` of servers (default: the configuration's)")
	s.IntVar(&f.batches, "batches", 0, "`number` of mini-batches (default: the configuration's, or all that --data has)")
	s.Uint64Var(&f.seed, "seed", 0, "`seed` of the initial parameters and of generated clicks (default: the configuration's)")
	s.StringVar(&f.machine, "machine", "", "`machine` whose time is simulated, a name or FILE.hcl (default: the configuration's)")
	s.StringVar(&f.profile, "profile", "", "`software` whose time is simulated, a name or FILE.hcl (default: the configuration's)")
}

// configuration is the file's with what flags change.
func (f jobFlags) configuration(cmd *cobra.Command) (*configs.Config, error) {
	cfg, err := configuration(f.config)
	if err != nil {
		return nil, err
	}
	given := cmd.Flags().Changed
	if given("gpus") {
		cfg.Training.GPUs = f.gpus
	}
	if given("nodes") {
		cfg.Training.Nodes = f.nodes
	}
	switch most := cfg.Accelerator.GPUs; {
	case f.gpus < 0 || given("gpus") && f.gpus == 0 || f.gpus > most:
		return nil, fmt.Errorf("--gpus is %d; the accelerator of %s takes 1 to %d", f.gpus, cfg.Name, most)
	case cfg.Training.Nodes < 1 || cfg.Training.GPUs*cfg.Training.Nodes > most:
		return nil, fmt.Errorf("--nodes is %d with %d GPUs each; the accelerator of %s takes 1 to %d GPUs", cfg.Training.Nodes, cfg.Training.GPUs, cfg.Name, most)
	}
	if given("batches") {
		if f.batches < 1 {
			return nil, fmt.Errorf("--batches is %d; expected at least 1", f.batches)
		}
		cfg.Training.Batches = f.batches
	}
	if given("seed") {
		cfg.Training.Seed = f.seed
	}
	if f.machine != "" {
		if err := cfg.SetMachine(f.machine); err != nil {
			return nil, fmt.Errorf("--machine: %w", err)
		}
	}
	if f.profile != "" {
		if err := cfg.SetProfile(f.profile); err != nil {
			return nil, fmt.Errorf("--profile: %w", err)
		}
	}
	return cfg, nil
}

// clicks are read or generated. They fit the configuration and into memory.
func (f jobFlags) clicks(cmd *cobra.Command, cfg *configs.Config) (*data.Set, error) {
	m := memory()
	if f.data == "" {
		return experiment.Clicks(cfg, m)
	}
	from := f.source()
	if from.Kind != "criteo" || from.Path == "" {
		return nil, fmt.Errorf("--data is %q; expected criteo:PATH", f.data)
	}
	inputs := 0 // all
	if cmd.Flags().Changed("batches") {
		inputs = cfg.Training.Batch * cfg.Training.Batches
	}
	set, err := loadCriteo(cmd.Context(), from.Path, inputs, m)
	if err != nil {
		return nil, err
	}
	if err := experiment.Check(cfg, set); err != nil {
		return nil, err
	}
	return set, experiment.CheckMemory(cfg, set, len(set.Samples), m)
}

// source is where --data says that clicks come from.
func (f jobFlags) source() experiment.Source {
	kind, path, _ := strings.Cut(f.data, ":")
	return experiment.Source{Kind: kind, Path: path}
}

// loadCriteo reads that many rows of a file, 0 for all, but no more than there is
// memory for. The ids of a pipe, which can be read only once, are hashed.
func loadCriteo(ctx context.Context, path string, inputs int, m experiment.Memory) (*data.Set, error) {
	var o clicklog.Options
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		o.Rule = index.Hash(1 << 16)
	}
	source, err := criteo.Open(ctx, []string{path}, o)
	if err != nil {
		return nil, err
	}
	shape := source.Shape()
	most := int(min(m.Bytes/experiment.InputBytes(&data.Set{Dense: shape.Dense, Tables: shape.Tables}), 1<<40))
	if inputs > 0 && inputs <= most {
		return data.Load(source, inputs)
	}
	set, err := data.Load(source, most+1)
	if err == nil && len(set.Samples) > most {
		return nil, fmt.Errorf("%s: there is memory for %d rows only (%s); take fewer with --batches", path, most, m)
	}
	return set, err
}

// conclude prints the report; the error is that the check failed.
func (f jobFlags) conclude(w io.Writer, r *experiment.Report) error {
	if f.json {
		if err := printJSON(w, r); err != nil {
			return err
		}
	} else {
		if err := r.Print(w); err != nil {
			return err
		}
	}
	if !r.Identical() {
		return failed(fmt.Errorf("the parameters differ: %s", r.Difference()))
	}
	return nil
}

// printJSON prints an object on a line.
func printJSON(w io.Writer, object any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(object)
}
