package hybrid

import "github.com/hotline-rtl/hotline/host/train/parts"

// Tables are the rows.
func (h *System) Tables() *parts.Tables { return h.tables }
