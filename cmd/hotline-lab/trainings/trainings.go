package trainings

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Size of the trainings: inputs for each GPU as in the papers, and two learning epochs.
const (
	perGPU = 1024
	epochs = 2
)

// Least is the smallest number of mini-batches that Table accepts.
const Least = epochs

// Table trains each model on batches mini-batches and prints the table.
func Table(ctx context.Context, out io.Writer, batches int) error {
	names := timing.ProfileNames()
	fmt.Fprintf(out, "| model | GPUs | popular | learning | `%s` |\n|---|%s\n", strings.Join(names, "` | `"), strings.Repeat("---:|", 3+len(names)))
	for _, model := range []string{"rm1", "rm2", "rm3", "rm4"} {
		for _, gpus := range []int{1, 2, 4} {
			r, err := train(ctx, model, gpus, batches)
			if err != nil {
				return fmt.Errorf("%s on %d GPUs: %w", model, gpus, err)
			}
			fmt.Fprintln(out, row(r, model, gpus, names))
		}
	}
	return nil
}

// train trains a model with both systems on samples with the statistics of its click log.
func train(ctx context.Context, model string, gpus, batches int) (*report.Report, error) {
	c := configs.Paper()
	if err := c.SetPreset(model); err != nil {
		return nil, err
	}
	c.Training.GPUs, c.Training.Batch = gpus, gpus*perGPU
	c.Training.Batches, c.Training.Relearn = batches, batches/epochs
	spec, err := experiment.ClicksFor(model)
	if err != nil {
		return nil, err
	}
	clicks, _, err := experiment.OpenData(ctx, spec, c.Training.Seed, clicklog.Options{})
	if err != nil {
		return nil, err
	}
	systems, err := registry.Choose(catalog.Systems(), "hybrid,hotline")
	if err != nil {
		return nil, err
	}
	return experiment.Run(ctx, experiment.Job{
		Config: c, Data: clicks, Systems: systems, Accelerator: experiment.Functional(*c.Accelerator), Valueless: true,
	})
}

// row returns a row of the table. The learning share is the share of Hotline's time for learning
// and for moving rows, in the profile of the configuration.
func row(r *report.Report, model string, gpus int, profiles []string) string {
	hotline := r.Systems[1]
	learning := 0.0
	for _, p := range hotline.Phases {
		if p.Label == "learning" || p.Label == "hot-row copies" {
			learning += float64(p.Time) / float64(hotline.Time)
		}
	}
	cells := []string{model, fmt.Sprint(gpus), fmt.Sprintf("%.0f %%", 100*r.Accelerator.PopularShare), fmt.Sprintf("%.1f %%", 100*learning)}
	for _, name := range profiles {
		for _, s := range r.SpeedUps {
			if s.Profile == name {
				cells = append(cells, fmt.Sprintf("%.2f (%.2f to %.2f)", s.Value, s.Low, s.High))
			}
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}
