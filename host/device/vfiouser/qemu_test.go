//go:build linux

package vfiouser_test

import (
	"encoding/json"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser"
	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// TestQEMUSession replays the messages of QEMU 11.1, in order.
func TestQEMUSession(t *testing.T) {
	r := newHarness(t)
	c, err := client.Dial(r.path)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()

	b, err := c.Call(client.Version, client.QEMUVersion())
	require.NoError(t, err)
	require.Equal(t, client.U32(0), b[:4], "version 0.0")
	require.Zero(t, b[len(b)-1], "the JSON ends with a NUL")
	var says map[string]map[string]int
	require.NoError(t, json.Unmarshal(b[4:len(b)-1], &says))
	require.Equal(t, map[string]map[string]int{"capabilities": {"max_data_xfer_size": 1 << 20, "max_msg_fds": 16, "max_dma_maps": 65535, "pgsizes": 4096}}, says)
	require.Equal(t, "client connected", <-r.log)
	require.Equal(t, "client speaks version 0.0: DMA messages of up to 1048576 bytes, 16 descriptors", <-r.log)

	ram := r.memory(1 << 20)
	r.mapped(c, ram, 3, 0, 0, 0xa0000)
	r.mapped(c, ram, 1, 0xc0000, 0xc0000, 0x10000) // ROM shadow
	b, err = c.Call(client.GetInfo, client.U32(16, 0, 0, 0))
	require.NoError(t, err)
	require.Equal(t, client.U32(16, 3, 9, 5), b, "reset and PCI, regions, interrupts")
	for index, want := range map[uint32][2]uint64{0: {3, toyBytes}, 1: {}, 2: {}, 3: {}, 4: {}, 5: {}, 7: {3, vfiouser.ConfigSize}, 6: {}, 8: {}} {
		b, err := c.Call(client.RegionInfo, append(client.U32(32, 0, index, 0), client.U64(0, 0)...))
		require.NoError(t, err)
		require.Equal(t, append(client.U32(32, uint32(want[0]), index, 0), client.U64(want[1], 0)...), b)
	}
	for index, want := range map[uint32][2]uint32{3: {11, 1}, 2: {11, vectors}, 0: {}, 1: {}, 4: {}} {
		b, err := c.Call(client.IRQInfo, client.U32(16, 0, index, 0))
		require.NoError(t, err)
		require.Equal(t, client.U32(16, want[0], index, want[1]), b)
	}
	_, err = c.Read(client.Config, 0, vfiouser.ConfigSize)
	require.NoError(t, err)
	broken, err := client.NewEvent()
	require.NoError(t, err)
	defer func() { require.NoError(t, broken.Close()) }()
	_, err = c.Call(client.SetIRQs, client.IRQBody(0x24, 3, 0, 1), broken.FD())
	require.NoError(t, err)
	_, err = c.Call(client.Reset, nil)
	require.NoError(t, err)
	require.Equal(t, 1, look(r.toy, func() int { return r.toy.resets }))

	// SeaBIOS remaps low memory; a guest IOMMU unmaps more than was mapped.
	for range 3 {
		_, err = c.Call(client.DMAUnmap, client.UnmapBody(0, 0, 0xfee00000))
		require.NoError(t, err)
		r.mapped(c, ram, 3, 0, 0, 0xa0000)
		r.mapped(c, ram, 3, 0xc0000, 0xc0000, 0x40000)
	}
	require.NoError(t, c.Post(client.RegionWrite, client.AccessBody(4, client.Config, 2, 6, 0)))

	// MSI-X is enabled: a vector without eventfd, disabled, and enabled with an eventfd.
	for _, form := range [][]byte{client.IRQBody(0x24, client.MSIX, 0, 1), client.IRQBody(0x21, client.MSIX, 0, 0)} {
		_, err = c.Call(client.SetIRQs, form)
		require.NoError(t, err)
	}
	fired := r.event(c, 0)
	r.toy.fill(client.U32(0xfeedface)...)
	r.dma(c, toyWrite, 0xc1000, 4, 0)
	require.NoError(t, r.outcome(c))
	require.EqualValues(t, 1, fired.Count())
	require.Zero(t, c.Served, "no message was needed")
	got := make([]byte, 4)
	_, err = ram.ReadAt(got, 0xc1000)
	require.NoError(t, err)
	require.Equal(t, client.U32(0xfeedface), got)
	refused(t, c, syscall.EOPNOTSUPP, 15, nil)
}
