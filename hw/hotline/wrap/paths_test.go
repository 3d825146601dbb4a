package wrap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw"
)

// TestNoPaths changes inputs in the middle of cycles. The outputs must not change, because they
// come from registers only.
func TestNoPaths(t *testing.T) {
	axi, err := hw.Elaborate(AXI{small()})
	require.NoError(t, err)
	c, err := newCard(axi, 1)
	require.NoError(t, err)
	c.Far = newBusModel(c.Bench, newSlave(c.Memory, small().StreamBytes(), 3, 1))
	noPaths(t, c)

	pcie, err := hw.Elaborate(VerilogPCIe{small()})
	require.NoError(t, err)
	c, err = newCard(pcie, 1)
	require.NoError(t, err)
	c.Far = newPCIeModel(c.Bench, c.Memory, small().StreamBytes(), 3, 1)
	noPaths(t, c)

	xdma, _ := xdmaCard(t)
	noPaths(t, xdma)
}

func noPaths(t *testing.T, c *card) {
	outputs := func() (all [][]uint64) {
		for _, p := range c.Sim.Ports() {
			if !p.Input {
				all = append(all, append([]uint64{}, c.Pin(p.Name).Words()...))
			}
		}
		return all
	}
	looked := 0
	c.Look = append(c.Look, func() error {
		if c.Sim.Cycle()%3 > 0 { // testing a part of the cycles is enough
			return nil
		}
		looked++
		before := outputs()
		for _, p := range c.Sim.Ports() {
			if p.Input {
				was := append([]uint64{}, c.Pin(p.Name).Words()...)
				other := append([]uint64{}, was...)
				for i := range p.Type.Bits() {
					other[i/64] ^= 1 << (i % 64)
				}
				c.Pin(p.Name).SetWords(other)
				require.Equal(t, before, outputs(), p.Name)
				c.Pin(p.Name).SetWords(was)
			}
		}
		return nil
	})
	drv, err := driver.Open(c, driver.Options{RingLog2: 4, Deadline: 1})
	require.NoError(t, err)
	_, err = drv.Do(driver.SWrite(0x222, 6))
	require.NoError(t, err)
	_, err = drv.Do(driver.DMARead(rowsAt, rowBytes))
	require.NoError(t, err)
	_, err = drv.Do(driver.VMul(1))
	require.NoError(t, err)
	_, err = drv.Do(driver.DMAWrite(resultAt, rowBytes))
	require.NoError(t, err)
	require.Greater(t, looked, 50)
}
