package config_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// TestLspci lets lspci read the space of a function that a host has set up.
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
		"First Error Pointer: 0e",
		"HeaderLog: 20000001 0100000f 00001000 00000000",
		"[150 v1] Device Serial Number 02-00-00-00-00-00-00-01",
	} {
		require.Contains(t, out, want)
	}
	for _, bad := range []string{"unknown", "broken", "chain", "??", "!!!", "<access denied>"} {
		require.NotContains(t, strings.ToLower(out), bad)
	}
	require.Equal(t, 5, strings.Count(out, "Capabilities: ["))
}

// lspci prints what lspci makes of a space.
func lspci(t *testing.T, s *config.Space) string {
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
