package link

import (
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// setting is a write to a configuration space.
type setting struct {
	at      int
	value   uint32
	enables uint8
}

// setup returns the writes that assign base to BAR 0 of a function and enable the function. The
// function capability returns the offset of a capability by its ID. The last write allows the
// function to respond and to send requests.
func setup(s Straps, base uint64, capability func(id int) int) []setting {
	express, msix := capability(config.ExpressID), capability(config.MSIXID)
	control := config.DeviceReportErrors | uint32(config.SizeCode(s.MPS))<<5 | uint32(config.SizeCode(s.MRRS))<<12
	if s.ExtendedTags {
		control |= config.DeviceExtendedTags
	}
	var link uint32
	if s.RCB == 128 {
		link = config.LinkRCB128
	}
	command := uint32(config.CommandMemory)
	if s.BusMaster {
		command |= config.CommandBusMaster
	}
	return []setting{
		{config.BAR0, uint32(base), 0xf},
		{express + config.DeviceControl, control, 0x3},
		{express + config.LinkControl, link, 0x3},
		{msix, config.MSIXEnable << 16, 0xc},
		{config.Command, command, 0x3},
	}
}

// digests returns the write that enables the check of digests in a function with AER at an offset.
// If generate is set, it also enables their generation.
func digests(aer int, generate bool) setting {
	enables := uint32(config.ECRCCheck)
	if generate {
		enables |= config.ECRCGenerate
	}
	return setting{aer + config.AERControl, enables, 0x3}
}
