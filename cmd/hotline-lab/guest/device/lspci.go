//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"strings"
)

// sane contains the texts that lspci must print about the device while it is in use. Line breaks
// vary between versions of lspci and are ignored.
var sane = []string{
	"1200: 484c:484f (rev 02)", "Mem+ BusMaster+", "[size=64K]",
	"Power Management version 3", "Status: D0", "MSI-X: Enable+ Count=16 Masked-",
	"Express (v2) Endpoint", "FLReset+", "LnkSta: Speed 8GT/s, Width x16", "Advanced Error Reporting",
	"DevSta: CorrErr- NonFatalErr- FatalErr- UnsupReq-", "UESta: DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP- ECRC- UnsupReq-",
	"ECRCGenCap+ ECRCGenEn- ECRCChkCap+ ECRCChkEn-", "EqualizationComplete+", "Secondary PCI Express", "LaneErrStat: 0",
	"Device Serial Number 02-00-00-00-00-00-00-01", "Kernel driver in use: vfio-pci",
}

// insane contains the texts that lspci prints about contents that it cannot decode.
var insane = []string{"!!!", "??", "nknown", "broken", "looped", "<access denied>"}

// inspect checks the output of lspci for the device.
func inspect(address string) error {
	const loader = "/lib/ld-linux-x86-64.so.2"
	out, err := exec.Command(loader, "--library-path", "/lib", "/bin/lspci", "-n", "-vv", "-s", address).Output()
	if err != nil {
		return fmt.Errorf("run lspci: %w", err)
	}
	fmt.Println(string(out))
	said := strings.Join(strings.Fields(string(out)), " ")
	for _, want := range sane {
		if !strings.Contains(said, want) {
			return fmt.Errorf("lspci does not print %q for the device", want)
		}
	}
	for _, bad := range insane {
		if strings.Contains(said, bad) {
			return fmt.Errorf("lspci prints %q for the device", bad)
		}
	}
	return nil
}
