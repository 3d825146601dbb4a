package driver_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestEncodings pins the bytes of every command, in ring word order. An independent bitwise program
// computed the CRCs.
func TestEncodings(t *testing.T) {
	f := newFake()
	var raw []byte
	f.run = func(_ uint32, b []byte) outcome {
		raw = append(raw[:0], b...)
		return outcome{}
	}
	d := open(t, f, 2)
	for _, c := range []struct {
		command arch.Command
		name    string
		words   string // words 0 to 7
		crc     string
	}{
		{driver.DMARead(0x123456789abcdef0, 64), "dma_rd", "01000000 01000000 f0debc9a 78563412 40000000 00000000 00000000 00000000", "86c4dcb8"},
		{driver.DMAWrite(0x8000000040, 128), "dma_wr", "02000000 02000000 40000000 80000000 80000000 00000000 00000000 00000000", "4118e6e8"},
		{driver.VAdd(true), "v_add", "03010000 03000000 00000000 00000000 00000000 00000000 00000000 00000000", "9174b557"},
		{driver.VAdd(false), "v_add", "03000000 04000000 00000000 00000000 00000000 00000000 00000000 00000000", "de7334b6"},
		{driver.VMul(-0.1), "v_mul", "04000000 05000000 cdccccbd 00000000 00000000 00000000 00000000 00000000", "aa1ce52e"},
		{driver.SWrite(arch.RegScale, 0xbe800000), "s_wr", "05000000 06000000 24020000 00000000 000080be 00000000 00000000 00000000", "e91ea4a9"},
		{driver.GPURead(3, 0x1fffff), "gpu_rd", "06000000 07000000 03000000 00000000 ffff1f00 00000000 00000000 00000000", "3e6e618f"},
		{driver.Learn(1, 0x100001000, 2048), "learn", "10010000 08000000 00100000 01000000 00080000 00000000 00000000 00000000", "dd1064cc"},
		{driver.Classify(1, 0x100001000, 2048, 0x100002000), "classify", "11010000 09000000 00100000 01000000 00080000 00000000 00200000 01000000", "11a65035"},
		{driver.Gather(0, 77), "gather", "12000000 0a000000 00000000 00000000 4d000000 00000000 00000000 00000000", "641e74a2"},
		{driver.Update(1, 0x100003000, 5), "update", "13010000 0b000000 00300000 01000000 05000000 00000000 00000000 00000000", "a0b988a8"},
		{driver.HotSet(0x100004000), "hotset", "14000000 0c000000 00400000 01000000 00000000 00000000 00000000 00000000", "e7740f39"},
		{driver.Fence(), "fence", "15000000 0d000000 00000000 00000000 00000000 00000000 00000000 00000000", "6e30d3b7"},
	} {
		_, err := d.Do(c.command)
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(c.words, " ", "")+strings.Repeat("00", 28)+c.crc, hex.EncodeToString(raw), c.name)
		require.Equal(t, c.name, c.command.Opcode.String())
		require.Equal(t, fmt.Sprintf("%s(%#x, %#x, %#x)", c.name, c.command.Operand1, c.command.Operand2, c.command.Operand3), c.command.String())
	}
	require.Equal(t, "opcode(127)", arch.Opcode(0x7f).String())
}
