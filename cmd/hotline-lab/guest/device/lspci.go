//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"strings"
)

// sane is what lspci says about the card while it is driven, apart from how its
// version breaks lines.
var sane = []string{
	"1200: 484c:484f (rev 02)", "Mem+ BusMaster+", "[size=64K]",
	"Power Management version 3", "Status: D0", "MSI-X: Enable+ Count=16 Masked-",
	"Express (v2) Endpoint", "FLReset+", "LnkSta: Speed 8GT/s, Width x16", "Advanced Error Reporting",
	"DevSta: CorrErr- NonFatalErr- FatalErr- UnsupReq-", "UESta: DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq-",
	"ECRCGenCap+ ECRCGenEn- ECRCChkCap+ ECRCChkEn-", "EqualizationComplete+", "Secondary PCI Express", "LaneErrStat: 0",
	"Device Serial Number 02-00-00-00-00-00-00-01", "Kernel driver in use: vfio-pci",
}

// insane is what it says about what it cannot make sense of.
var insane = []string{"!!!", "??", "nknown", "broken", "looped", "<access denied>"}

// inspect lets lspci look at the card.
func inspect(address string) error {
	const loader = "/lib/ld-linux-x86-64.so.2"
	out, err := exec.Command(loader, "--library-path", "/lib", "/bin/lspci", "-n", "-vv", "-s", address).Output()
	if err != nil {
		return fmt.Errorf("lspci: %w", err)
	}
	fmt.Println(string(out))
	said := strings.Join(strings.Fields(string(out)), " ")
	for _, want := range sane {
		if !strings.Contains(said, want) {
			return fmt.Errorf("lspci does not say %q of the card", want)
		}
	}
	for _, bad := range insane {
		if strings.Contains(said, bad) {
			return fmt.Errorf("lspci says %q of the card", bad)
		}
	}
	return nil
}
