package server

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Config describes a machine.
type Config struct {
	// GPUs is their number, GPUMemoryGiB the memory of each.
	GPUs         int
	GPUMemoryGiB float64
	// HostGiB is the size of host memory.
	HostGiB int
	// Root is the root complex with the memory controller behind it.
	Root link.RootConfig
	// Uplink joins root complex and switch, Slot the switch and the
	// accelerator, GPULink the switch and each GPU.
	Uplink, Slot, GPULink link.Config
	// SwitchLatency is the time of a TLP in the switch.
	SwitchLatency des.Time
	// Endpoint is the accelerator's PCIe function.
	Endpoint link.EndpointConfig
	// GPUMemory is how GPU memory answers peers.
	GPUMemory link.MemoryConfig
	// Period is the clock period of the accelerator.
	Period des.Time
	// Valueless is a machine whose CPU and GPUs do not compute: what a training
	// would hold is zero. Time is the same, as it depends on indices only.
	Valueless bool
	// Place, unless nil, gives the n zero bytes that a region at a bus address lies in,
	// so that a device outside of the simulation reaches it there. What such a device
	// does takes no simulated time.
	Place func(addr uint64, n int) ([]byte, error)
}

// DefaultConfig is the server of Hotline (ISCA 2024, Sec. VI): 192 GB of host
// memory, four GPUs, PCIe Gen3 x16 everywhere, an accelerator at 350 MHz.
func DefaultConfig() Config {
	return Config{
		GPUs: 4, GPUMemoryGiB: 16, HostGiB: 192,
		Root: link.DefaultRootConfig(), Uplink: link.DefaultConfig(), Slot: link.DefaultConfig(), GPULink: link.DefaultConfig(),
		SwitchLatency: link.SwitchLatency, Endpoint: link.DefaultEndpointConfig(),
		GPUMemory: link.DefaultGPUConfig(0).Memory, Period: des.Period(350e6),
	}
}

// Limits of the address map: host memory is used from 4 GiB on, because the
// windows of devices and interrupts lie below, and ends where the GPUs begin,
// which lie 128 GiB apart.
const (
	maxHostGiB = 4096
	maxGPUGiB  = 128

	// HostStart is the address of the first region of host memory.
	HostStart = 4 << 30
	// MaxGPUs is the most GPUs of a machine.
	MaxGPUs = 16
)

// Check reports the first field that is out of range. Those of the links, the
// root complex and the endpoint are checked when these are made.
func (c Config) Check() error {
	switch {
	case c.HostGiB <= HostStart>>30 || c.HostGiB > maxHostGiB:
		return fmt.Errorf("server: %d GiB of host memory, expected %d to %d", c.HostGiB, HostStart>>30+1, maxHostGiB)
	case c.GPUs < 1 || c.GPUs > MaxGPUs:
		return fmt.Errorf("server: %d GPUs, expected 1 to %d", c.GPUs, MaxGPUs)
	case !(c.GPUMemoryGiB > 0 && c.GPUMemoryGiB <= maxGPUGiB):
		return fmt.Errorf("server: GPUs with %v GiB, expected above 0 and at most %d", c.GPUMemoryGiB, maxGPUGiB)
	case c.Period <= 0:
		return fmt.Errorf("server: clock period %v, expected above 0", c.Period)
	case c.SwitchLatency < 0:
		return fmt.Errorf("server: switch latency %v, expected none to be negative", c.SwitchLatency)
	}
	return nil
}
