package config_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// TestLspci runs lspci on the space of a function that a host has set up.
func TestLspci(t *testing.T) {
	s := newSpace(t)
	s.SetLink(3, 16)
	for _, w := range []struct {
		at      int
		value   uint32
		enables uint8
	}{
		{config.Command, 6, 0x3}, {config.BAR0, 0xfe000000, 0xf}, {0x68, 1<<5 | 5<<12 | 1<<8 | 0xf, 0x3}, {0x88, 6, 0x1}, {0x50, 1 << 31, 0x8},
	} {
		s.SetDW(w.at, w.value, w.enables)
	}
	s.SetDW(0x118, config.ECRCGenerate|config.ECRCCheck, 0x3)
	s.Report(config.CompletionTimeout, false, []byte{0x20, 0, 0, 1, 1, 0, 0, 0xf, 0, 0, 0x10, 0})
	out := lspci(t, s)
	for _, want := range []string{
		"01:00.0 1200: 484c:484f (rev 02)",
		"Control: I/O- Mem+ BusMaster+ SpecCycle- MemWINV- VGASnoop- ParErr- Stepping- SERR- FastB2B- DisINTx-",
		"Status: Cap+ 66MHz- UDF- FastB2B- ParErr- DEVSEL=fast >TAbort- <TAbort- <MAbort- >SERR- <PERR- INTx-",
		"Region 0: Memory at fe000000 (32-bit, non-prefetchable)",
		"[40] Power Management version 3",
		"Status: D0 NoSoftRst+ PME-Enable- DSel=0 DScale=0 PME-",
		"[50] MSI-X: Enable+ Count=16 Masked-",
		"Vector table: BAR=0 offset=00008000",
		"PBA: BAR=0 offset=00008800",
		"[60] Express (v2) Endpoint, MSI 00",
		"DevCap:	MaxPayload 4096 bytes, PhantFunc 0",
		"ExtTag+ AttnBtn- AttnInd- PwrInd- RBE+ FLReset+",
		"DevCtl:	CorrErr+ NonFatalErr+ FatalErr+ UnsupReq+",
		"RlxdOrd- ExtTag+ PhantFunc- AuxPwr- NoSnoop- FLReset-",
		"MaxPayload 256 bytes, MaxReadReq 4096 bytes",
		"DevSta:	CorrErr- NonFatalErr+ FatalErr- UnsupReq- AuxPwr- TransPend-",
		"LnkCap:	Port #0, Speed 8GT/s, Width x16, ASPM not supported",
		"LnkSta:	Speed 8GT/s",
		"DevCap2: Completion Timeout: Range ABCD, TimeoutDis+",
		"10BitTagComp+ 10BitTagReq-",
		"DevCtl2: Completion Timeout: 65ms to 210ms, TimeoutDis-",
		"LnkCap2: Supported Link Speeds: 2.5-8GT/s",
		"[100 v2] Advanced Error Reporting",
		"UESta:	DLP- SDES- TLP- FCP- CmpltTO+ CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq- ACSViol-",
		"UESvrt:	DLP+ SDES- TLP- FCP+ CmpltTO- CmpltAbrt- UnxCmplt- RxOF+ MalfTLP+ ECRC- UnsupReq- ACSViol-",
		"CEMsk:	RxErr- BadTLP- BadDLLP- Rollover- Timeout- AdvNonFatalErr+",
		"First Error Pointer: 0e, ECRCGenCap+ ECRCGenEn+ ECRCChkCap+ ECRCChkEn+",
		"HeaderLog: 20000001 0100000f 00001000 00000000",
		"[150 v1] Device Serial Number 02-00-00-00-00-00-00-01",
		"LnkSta2:", "EqualizationComplete+ EqualizationPhase1+", "EqualizationPhase2+ EqualizationPhase3+ LinkEqualizationRequest-",
		"[160 v1] Secondary PCI Express", "LnkCtl3: LnkEquIntrruptEn- PerformEqu-", "LaneErrStat: 0",
	} {
		require.Contains(t, out, want)
	}
	for _, bad := range []string{"unknown", "broken", "chain", "??", "!!!", "<access denied>"} {
		require.NotContains(t, strings.ToLower(out), bad)
	}
	require.Equal(t, 6, strings.Count(out, "Capabilities: ["))
}

// TestLspciOfAnotherFunction: a link below 8 GT/s has no equalization, ECRC is off until the host
// enables it, and each device has its own serial number.
func TestLspciOfAnotherFunction(t *testing.T) {
	f := config.DefaultFunction()
	f.Serial = 0x0123456789abcdef
	s, err := config.New(f)
	require.NoError(t, err)
	s.SetLink(3, 16) // as after use in another slot
	s.SetLink(2, 8)
	out := lspci(t, s)
	for _, want := range []string{
		"LnkSta:	Speed 5GT/s", "Width x8", "EqualizationComplete- EqualizationPhase1-",
		"ECRCGenCap+ ECRCGenEn- ECRCChkCap+ ECRCChkEn-", "[150 v1] Device Serial Number 01-23-45-67-89-ab-cd-ef",
	} {
		require.Contains(t, out, want)
	}
	require.NotContains(t, out, "Secondary PCI Express")
	require.Equal(t, 5, strings.Count(out, "Capabilities: ["))
	for at := 0x160; at < config.Size; at += 4 {
		require.Zero(t, s.DW(at), "%#x", at)
	}
}

// TestLaneEqualization: exactly the lanes of the slot have the presets that the port above sends.
func TestLaneEqualization(t *testing.T) {
	for generation := 1; generation <= 5; generation++ {
		for _, lanes := range []int{1, 2, 4, 8, 16} {
			s := newSpace(t)
			s.SetLink(generation, lanes)
			fast := generation >= 3
			require.Equal(t, fast, s.DW(0x60+0x30)>>17&1 != 0, "equalization complete")
			require.Equal(t, fast, s.DW(0x150)>>20 == 0x160)
			for i := range 16 {
				got := s.DW(0x16c+2*i&^3) >> (16 * (i % 2)) & 0xffff
				require.Equal(t, fast && i < lanes, got == 0x2700, "lane %d", i)
				require.Equal(t, fast && i < lanes, got != 0, "lane %d", i)
			}
			before := *s
			s.FLR()
			require.Equal(t, before, *s, "the link stays as it is")
		}
	}
}

// lspci returns the output of lspci for a space.
func lspci(t *testing.T, s *config.Space) string {
	tools.Need(t, "lspci")
	b := make([]byte, config.Size)
	require.NoError(t, s.Read(0, b))
	var dump strings.Builder
	dump.WriteString("01:00.0 device\n")
	for at := 0; at < len(b); at += 16 {
		fmt.Fprintf(&dump, "%02x: % x\n", at, b[at:at+16])
	}
	file := filepath.Join(t.TempDir(), "dump")
	require.NoError(t, os.WriteFile(file, []byte(dump.String()), 0o666))
	out, err := exec.Command("lspci", "-F", file, "-n", "-vv").CombinedOutput()
	require.NoError(t, err, "lspci, which scripts/setup installs: %s", out)
	return string(out)
}
