package configs

import (
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/ui/hclfile"
)

// Blocks describes the file of a configuration, with the blocks of the project's training systems.
func Blocks() []hclfile.Block {
	d, t, l, s := repetition(gen.CriteoLike(0)), defaultTraining(), link.DefaultConfig(), link.DefaultStraps()
	list := hclfile.Blocks(Config{Data: &d, Training: &t, Link: &l, Straps: &s})
	for _, system := range blocks(nil) {
		b := hclfile.Blocks(scaled(system.Options, 0, 0))
		b[0].Name = system.Block
		list = append(list, b...)
	}
	return list
}
