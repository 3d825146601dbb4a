package cluster

import (
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/audit"
)

// Ledger returns the ledger of an audit, or nil.
func (c *Cluster) Ledger() *audit.Ledger { return audit.Of(c.machine.Host) }

func (c *Cluster) denseBytes() int { return valueBytes * c.from.Net.Len() }

// exchanged returns how many row gradients the GPUs list for each other.
func (c *Cluster) exchanged() int {
	n := 0
	for _, g := range c.GPUs {
		if c.Apart == nil {
			n += g.rows.Len()
			continue
		}
		for _, r := range g.rows.Zeros() {
			if !c.Apart(r.Table) {
				n++
			}
		}
	}
	return n
}

// Pull copies dense parameters, which the GPUs hold together, to workers on the CPU. Each GPU of the
// cluster represents one worker.
func (c *Cluster) Pull(from *dlrm.Net) {
	if c.Valueless() {
		return
	}
	c.Ledger().Pulled(len(c.GPUs) * c.denseBytes())
	values := [][]float32{}
	for _, v := range from.Params() {
		values = append(values, v)
	}
	for _, gpu := range c.GPUs {
		i := 0
		for _, v := range gpu.Net.Params() {
			copy(v, values[i])
			i++
		}
	}
}

// Push sums the gradients of workers on the CPU. Dense gradients go to the GPUs, and gradients of rows
// stay in host memory.
func (c *Cluster) Push() (Sum, error) {
	c.Ledger().Returned(len(c.GPUs) * c.denseBytes())
	return c.sum()
}
