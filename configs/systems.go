package configs

import (
	"fmt"
	"reflect"

	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// blocks returns one description for each block name of the project's training systems and of own.
func blocks(own []registry.Description) []registry.Description {
	var list []registry.Description
	found := map[string]bool{"": true}
	for _, d := range append(catalog.Systems(), own...) {
		if !found[d.Block] {
			list, found[d.Block] = append(list, d), true
		}
	}
	return list
}

// decode sets the configuration and the options of training systems. It builds a struct with all
// their blocks, because package gohcl decodes into a single struct.
func (c *Config) decode(f *hclfile.File, systems []registry.Description) error {
	var fields []reflect.StructField
	var values []reflect.Value
	own := reflect.ValueOf(c).Elem()
	for i := range own.NumField() {
		if field := own.Type().Field(i); field.Tag.Get("hcl") != "" {
			fields, values = append(fields, field), append(values, own.Field(i))
		}
	}
	c.Options = map[string]registry.Options{}
	for i, d := range systems {
		c.Options[d.Block] = d.Options
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("Options%d", i), Type: reflect.TypeOf(d.Options), Tag: reflect.StructTag(`hcl:"` + d.Block + `,block"`),
		})
		values = append(values, reflect.ValueOf(d.Options))
	}
	file := reflect.New(reflect.StructOf(fields))
	for i, v := range values {
		file.Elem().Field(i).Set(v)
	}
	err := f.Decode(file.Interface())
	for i, v := range values {
		if v.CanSet() { // the options are pointers
			v.Set(file.Elem().Field(i))
		}
	}
	return err
}

// Setting returns the training parameters for a system. If the configuration has no block for the
// system, the options of its description apply.
func (c *Config) Setting(d registry.Description) registry.Setting {
	t, o := c.Training, d.Options
	if read, ok := c.Options[d.Block]; ok {
		o = read
	}
	return registry.Setting{
		Options: scaled(o, t.Batch, t.MiniBatches()), GPUs: t.GPUs * t.Nodes, Batch: t.Batch, Batches: t.MiniBatches(),
		LearnShare: t.LearnShare, Relearn: t.Relearn, Seed: t.Seed, Blocks: c.Accelerator.Blocks,
	}
}

func scaled(o registry.Options, batch, batches int) registry.Options {
	if s, ok := o.(registry.Scalable); ok {
		return s.Scale(batch, batches)
	}
	return o
}

// checkSystems checks the blocks of training systems. The length of the training is reported
// separately, so it uses a minimal length here.
func (c *Config) checkSystems(systems []registry.Description, bad complain) {
	for _, d := range systems {
		if name, err := scaled(d.Options, 1, 1).Check(); err != nil {
			bad(d.Block, name, "%v", err)
		}
	}
}
