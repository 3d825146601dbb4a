package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// jobFlags contains the flags of commands that train.
type jobFlags struct {
	clickFlags
	config, model        string
	machine, profile     string
	gpus, nodes, batches int
	seed                 uint64
	values               string // --values, for commands with this flag
	look                 bool   // --check, for commands with this flag
	json                 bool
	html, timelines      string
	faults               string
}

func (f *jobFlags) define(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.config, "config", "", "configuration `FILE`.hcl (default: the embedded small.hcl)")
	s.StringVar(&f.model, "model", "", "`model` of the papers, rm1 to rm4, syn-m1 or syn-m2 (default: the configuration's)")
	f.clickFlags.define(c, "the configuration's, or as the model's log")
	s.IntVar(&f.gpus, "gpus", 0, "`number` of GPUs in a server (default: the configuration's)")
	s.IntVar(&f.nodes, "nodes", 0, "`number` of servers (default: the configuration's)")
	s.IntVar(&f.batches, "batches", 0, "`number` of mini-batches of an epoch (default: the configuration's, or all of --data)")
	s.Uint64Var(&f.seed, "seed", 0, "`seed` of initial parameters and generated clicks (default: the configuration's)")
	s.StringVar(&f.machine, "machine", "", "`machine` to simulate, a name or FILE.hcl (default: the configuration's)")
	s.StringVar(&f.profile, "profile", "", "`software` to simulate, a name or FILE.hcl (default: the configuration's)")
	s.BoolVar(&f.json, "json", false, "print the figures as one JSON object (docs/reference/json.md)")
	s.StringVar(&f.html, "html", "", "`FILE` for a page with pictures")
	s.StringVar(&f.faults, "faults", "", "`FILE`.hcl with faults on the accelerator's link (docs/reference/reliability.md)")
	s.StringVar(&f.timelines, "timelines", "", "`numbers` of mini-batches that --html draws, as 0,5,20-23 (default: a few)")
}

// configuration returns the configuration of the file, modified by flags.
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
	switch {
	case cfg.Training.GPUs < 1:
		return nil, fmt.Errorf("--gpus is %d; expected at least 1", f.gpus)
	case cfg.Training.Nodes < 1:
		return nil, fmt.Errorf("--nodes is %d; expected at least 1", f.nodes)
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
	if f.model != "" {
		if err := cfg.SetPreset(f.model); err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
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

func bitIdentical() []registry.Description {
	list, err := registry.Choose(catalog.Systems(), cosimulated)
	if err != nil {
		panic(err) // cannot happen: the systems exist
	}
	return list
}

// clicks returns a log or generated inputs. It checks that they fit the configuration with these
// systems, and the memory.
func (f jobFlags) clicks(cmd *cobra.Command, cfg *configs.Config, systems []registry.Description) (data.Source, report.Source, error) {
	s, from, err := f.open(cmd, cfg)
	if err != nil {
		return nil, from, err
	}
	if err := experiment.Check(cfg, s, systems); err != nil {
		return nil, from, err
	}
	return s, from, experiment.Job{Config: cfg, Data: s, Systems: systems, Valueless: f.values == valuesOff, Watch: f.look}.CheckMemory(memory())
}

func (f jobFlags) open(cmd *cobra.Command, cfg *configs.Config) (data.Source, report.Source, error) {
	if f.data == "" && cfg.Model.Preset == "" {
		s, err := experiment.Clicks(cfg)
		return s, report.Source{}, err
	}
	if f.data == "" {
		var err error
		if f.data, err = experiment.ClicksFor(cfg.Model.Preset); err != nil {
			return nil, report.Source{}, err
		}
		return f.clickFlags.open(cmd, cfg.Training.Seed)
	}
	if !cmd.Flags().Changed("batches") {
		cfg.Training.Batches = 0 // all inputs
	}
	return f.clickFlags.open(cmd, cfg.Training.Seed)
}

// drawn returns the mini-batches of --timelines.
func (f jobFlags) drawn() ([]int, error) {
	if f.timelines == "" {
		return nil, nil
	}
	if f.html == "" {
		return nil, errors.New("--timelines needs --html FILE")
	}
	list, err := numbers(f.timelines)
	if err != nil {
		return nil, fmt.Errorf("--timelines: %w", err)
	}
	return list, nil
}

// plan returns the plan of --faults, or nil.
func (f jobFlags) plan() (*fault.Plan, error) { return loadFaults(f.faults) }

// loadFaults returns the plan in a file, or nil without a file.
func loadFaults(file string) (*fault.Plan, error) {
	if file == "" {
		return nil, nil
	}
	return fault.Load(file)
}

// conclude prints the report and writes its HTML page. It also returns an error if the check
// failed, or if there was nothing to check.
func (f jobFlags) conclude(w io.Writer, r *report.Report) error {
	if f.json {
		if err := printJSON(w, r); err != nil {
			return err
		}
	} else {
		if err := r.Print(w); err != nil {
			return err
		}
	}
	var err error
	if !r.Identical() {
		err = failed(fmt.Errorf("the parameters differ: %s", r.Difference()))
	}
	if broken := r.Broken(); broken != "" {
		err = errors.Join(err, failed(fmt.Errorf("the check has found something: %s", broken)))
	}
	err = errors.Join(err, failures(r))
	if r.Accelerator != nil {
		err = errors.Join(err, missedFaults(r.Accelerator.Unused))
	}
	if f.html != "" {
		err = errors.Join(err, outfile.Write(f.html, r.WriteHTML))
	}
	return err
}

// failures returns why systems have no results. A diverged training and an unmet requirement are
// findings with exit code 1; any other failure is an error. A system that does not fit into the
// memory is not a failure, unless no system fits.
func failures(r *report.Report) error {
	var errs []error
	for _, s := range r.Systems {
		switch f := s.Failure; {
		case f == nil:
		case f.Kind == report.Failed:
			errs = append(errs, fmt.Errorf("%s: %v", s.System, f))
		default:
			errs = append(errs, failed(fmt.Errorf("%s: %v", s.System, f)))
		}
	}
	if !r.Trained() && len(errs) == 0 {
		return failed(errors.New("no system fits into the memory of the machine"))
	}
	return errors.Join(errs...)
}

// missedFaults returns an error if a required fault never occurred.
func missedFaults(unused []fault.Rule) error {
	var errs []error
	for _, r := range unused {
		if r.Required {
			errs = append(errs, failed(fmt.Errorf("the fault %v is required, but never occurred; a smaller nth or after_ps may help", r)))
		}
	}
	return errors.Join(errs...)
}

// printJSON prints an object as JSON on one line.
func printJSON(w io.Writer, object any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(object)
}
