package cpuhotline

import "github.com/hotline-rtl/hotline/host/train/parts"

// Hot are the hot rows, and Tables those in host memory.
func (h *System) Hot() *parts.Replicas  { return h.hot }
func (h *System) Tables() *parts.Tables { return h.tables }
