// Package catalog lists the training systems of this project. No other production code names their
// packages, except host/study/papers, which reproduces some of the systems.
package catalog

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/host/train/xdl"
)

// Systems returns the descriptions: first the baselines, then the systems paper by paper.
func Systems() []registry.Description {
	return slices.Concat(
		hybrid.Descriptions(),
		xdl.Descriptions(),
		hugectr.Descriptions(),
		cpuhotline.Descriptions(),
		staticcache.Descriptions(),
		fae.Descriptions(),
		cdlrm.Descriptions(),
		elrec.Descriptions(),
		scratchpipe.Descriptions(),
		hotline.Descriptions(),
	)
}
