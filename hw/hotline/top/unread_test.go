package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestUnread: no connection of the accelerator was forgotten. Every signal is read, or explicitly
// Unused.
func TestUnread(t *testing.T) {
	d, err := hw.Elaborate(Hotline{arch.Small()})
	require.NoError(t, err)
	for _, p := range ir.Unread(d) {
		t.Error(p)
	}
}
