package configs

import (
	"reflect"
	"strings"

	"github.com/hotline-rtl/hotline/host/dlrm/data"
)

// Values returns all effective values, by block and attribute as in a file, including defaults.
// The values of the generator are given for all tables.
func (c *Config) Values() map[string]any {
	effective := *c
	p := c.Clicks()
	d := repetition(p)
	effective.Data, d.Rows, d.Lookups = &d, map[string]int{}, map[string]int{}
	for _, t := range p.Tables {
		effective.Data.Rows[t.Name], effective.Data.Lookups[t.Name] = t.Rows, t.Lookups
	}
	effective.Optimiser = described(c.For(data.Shape{}).Optimiser)
	out := values(reflect.ValueOf(effective))
	delete(out, "base") // its values are here
	for block, o := range c.Options {
		out[block] = values(reflect.Indirect(reflect.ValueOf(scaled(o, c.Training.Batch, c.Training.MiniBatches()))))
	}
	return out
}

// values returns the tagged fields of a struct by their names in HCL.
func values(v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range v.NumField() {
		name, kind, _ := strings.Cut(v.Type().Field(i).Tag.Get("hcl"), ",")
		if name == "" {
			continue
		}
		field := reflect.Indirect(v.Field(i))
		if kind == "block" {
			out[name] = values(field)
		} else {
			out[name] = field.Interface()
		}
	}
	return out
}
