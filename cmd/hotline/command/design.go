package command

import (
	"fmt"

	"github.com/hotline-rtl/hotline/configs"
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

// elaborate elaborates the accelerator of a configuration.
func elaborate(c *configs.Config) (*ir.Design, error) {
	d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", c.Name, err)
	}
	return d, nil
}
