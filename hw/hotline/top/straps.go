package top

import "github.com/hotline-rtl/hotline/hw"

// Straps are inputs from the shell, derived from the function's configuration space and its link.
type Straps struct {
	BusMaster hw.Bits `hw:"name=cfg_bus_master_enable" doc:"the host allows descriptors and interrupts"`
	FLR       hw.Bits `hw:"name=cfg_flr" doc:"resets everything in one cycle; the shell has forgotten all descriptors"`
	LinkUp    hw.Bits `doc:"the link is up"`
}

// allowed returns whether descriptors may begin and interrupts may be requested. The register
// ensures that no output depends on an input of the same cycle.
func (s Straps) allowed(m *hw.Module) hw.Bits {
	allowed := m.Reg("allowed", 1, 0)
	allowed.Set(s.BusMaster.And(s.LinkUp))
	return allowed
}
