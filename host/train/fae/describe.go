package fae

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/static"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "fae", Title: "FAE (VLDB 2022): mini-batches of inputs whose rows are all on the GPUs, and of the others",
		Guarantee: registry.OwnOrder, Block: "fae", Options: DefaultBlock(), Check: check,
		New: func(s *server.Server, _ driver.Device, from *train.State, with registry.Setting) (train.System, error) {
			return New(s, from, with.Options.(*Block).For(with.Seed))
		},
	}}
}

// Block has the options as a configuration states them.
type Block struct {
	BudgetMiB float64 `hcl:"budget_mib,optional"` // that the hot rows may take on a GPU
	Sample    float64 `hcl:"sample,optional"`     // share of the inputs that is logged
	SmallKiB  float64 `hcl:"small_kib,optional"`  // tables of less are hot as a whole
	Test      int     `hcl:"test,optional"`       // inputs behind the last mini-batch whose loss its scheduler follows, at most
	File      string  `hcl:"file,optional"`       // keeps what was found out, for other runs; "" is none
}

// DefaultBlock returns the options of the paper.
func DefaultBlock() *Block {
	o := DefaultOptions()
	return &Block{BudgetMiB: float64(o.Static.Budget) / (1 << 20), Sample: o.Static.Sample, SmallKiB: float64(o.Static.Small) / (1 << 10), Test: o.Test}
}

// For returns the options of a training with a seed.
func (b *Block) For(seed uint64) Options {
	return Options{
		Static: static.Options{Budget: int64(b.BudgetMiB * (1 << 20)), Sample: b.Sample, Small: int64(b.SmallKiB * (1 << 10)), Seed: seed},
		File:   b.File, Test: b.Test,
	}
}

// mostBytes is more than a GPU has, mostTest more than a data set.
const (
	mostBytes = 1 << 50
	mostTest  = 1 << 30
)

// Check implements registry.Options.
func (b *Block) Check() (name string, err error) {
	if !(b.Sample > 0 && b.Sample <= 1) {
		return "sample", fmt.Errorf("sample is %v; expected above 0 and at most 1", b.Sample)
	}
	if most := float64(mostBytes >> 20); !(b.BudgetMiB >= 0 && b.BudgetMiB <= most) {
		return "budget_mib", fmt.Errorf("budget_mib is %v; expected 0 to %.0f", b.BudgetMiB, most)
	}
	if most := float64(mostBytes >> 10); !(b.SmallKiB >= 0 && b.SmallKiB <= most) {
		return "small_kib", fmt.Errorf("small_kib is %v; expected 0 to %.0f", b.SmallKiB, most)
	}
	if b.Test < 0 || b.Test > mostTest {
		return "test", fmt.Errorf("test is %d; expected 0 to %d", b.Test, mostTest)
	}
	return "", nil
}

// check reports a budget that has no room for tables that are hot as a whole and a row of
// each other one.
func check(model dlrm.Config, with registry.Setting) (attribute string, err error) {
	b := with.Options.(*Block)
	o := b.For(with.Seed).Static
	room, least := o.Budget/int64(4*model.Dim), 0
	for _, t := range model.Tables {
		if int64(t.Rows)*int64(4*model.Dim) < o.Small {
			least += t.Rows
		} else {
			least++
		}
	}
	if room < int64(least) {
		return "budget_mib", fmt.Errorf("budget_mib is %v, which holds %d rows, but tables of less than %v KiB and a row of each other one are %d: use a larger budget_mib, or a smaller small_kib",
			b.BudgetMiB, room, b.SmallKiB, least)
	}
	return "", nil
}
