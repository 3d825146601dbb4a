package hugectr

import "github.com/hotline-rtl/hotline/host/train/cluster"

// Shards returns the rows.
func (h *System) Shards() *cluster.Shards { return h.shards }
