package hugectr

import "github.com/hotline-rtl/hotline/host/train/cluster"

// Shards are the rows.
func (h *System) Shards() *cluster.Shards { return h.shards }
