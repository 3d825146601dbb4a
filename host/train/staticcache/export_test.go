package staticcache

import "github.com/hotline-rtl/hotline/host/train/parts"

// Cache are the cached rows, and Tables those in host memory.
func (h *System) Cache() *parts.Replicas { return h.cache }
func (h *System) Tables() *parts.Tables  { return h.tables }
