package hugectr

import "github.com/hotline-rtl/hotline/host/train/parts"

// Shards are the rows.
func (h *System) Shards() *parts.Shards { return h.shards }
