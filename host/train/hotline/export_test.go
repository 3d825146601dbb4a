package hotline

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
)

// HotRows returns the blocks of the hot rows, by id.
func (h *System) HotRows() map[uint32]uint32 { return h.hot }

// HostRow reads the host memory of a row, hot or not.
func (h *System) HostRow(id uint32, dst []float32) error {
	table, index := h.ids.row(id)
	if h.ids.of(table, index) != id {
		return fmt.Errorf("id %d is row %d of table %d", id, index, table)
	}
	return h.Tables.Read(table, index, dst)
}

// HotTable returns the hot table of GPU g.
func (h *System) HotTable(g int) *server.Region { return h.gpu[g].hot }

// Overlay is overlay.
var Overlay = overlay
