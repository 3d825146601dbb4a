package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/ui/input"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// configuration loads the file of --config, or returns the default configuration.
func configuration(file string) (*configs.Config, error) {
	if file == "" {
		return configs.Small(), nil
	}
	return configs.Load(file)
}

// mostText is the maximum size of a design in the text form.
const mostText = 500_000_000

// readDesign reads a design in the text form, which 'hotline import' writes.
func readDesign(file string) (*ir.Design, error) {
	text, err := input.Text(file, mostText)
	if err != nil {
		return nil, err
	}
	return ir.Parse(file, string(text))
}

// imported returns the design of --design, and a configuration with its name. Only a design with a
// clock of its own has constraints.
func imported(config, design string) (*configs.Config, *ir.Design, error) {
	if config != "" {
		return nil, nil, errors.New("--config and --design exclude each other; leave one of them out")
	}
	d, err := readDesign(design)
	if err != nil {
		return nil, nil, err
	}
	cfg := &configs.Config{Name: d.Top.Name}
	if d.Top.Clock {
		cfg.ClockMHz = configs.Small().ClockMHz
	}
	return cfg, d, nil
}

// designFlag adds the flag --design.
func designFlag(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "design", "", "`FILE`.ir of a design, as 'hotline import' writes it, instead of the accelerator")
}

// elaborate elaborates the accelerator of a configuration.
func elaborate(c *configs.Config) (*ir.Design, error) {
	d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", c.Name, err)
	}
	return d, nil
}
