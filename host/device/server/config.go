package server

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Config describes a machine.
type Config struct {
	// GPUs is the number of GPUs. GPUMemoryGiB is the memory of each GPU.
	GPUs         int
	GPUMemoryGiB float64
	// HostGiB is the size of host memory.
	HostGiB int
	// Root configures the root complex and its memory controller.
	Root link.RootConfig
	// Uplink connects the root complex and the switch. Slot connects the switch and the
	// accelerator. GPULink connects the switch and each GPU.
	Uplink, Slot, GPULink link.Config
	// SwitchLatency is the latency of a TLP in the switch.
	SwitchLatency des.Time
	// Endpoint configures the accelerator's PCIe function.
	Endpoint link.EndpointConfig
	// GPUMemory configures how GPU memory serves peer requests.
	GPUMemory link.MemoryConfig
	// Period is the clock period of the accelerator.
	Period des.Time
	// Valueless disables the computations of the CPU and the GPUs: all training data is zero.
	// Timing does not change, because it depends only on indices.
	Valueless bool
	// Place, unless nil, returns n zero bytes as storage for the region at a bus address. A device
	// outside the simulation can access the region there. Accesses by such a device take no
	// simulated time.
	Place func(addr uint64, n int) ([]byte, error)
}

// DefaultConfig returns the server of Hotline (ISCA 2024, Sec. VI): 192 GB of host memory, four
// GPUs, PCIe Gen3 x16 everywhere, an accelerator at 350 MHz.
func DefaultConfig() Config {
	return Config{
		GPUs: 4, GPUMemoryGiB: 16, HostGiB: 192,
		Root: link.DefaultRootConfig(), Uplink: link.DefaultConfig(), Slot: link.DefaultConfig(), GPULink: link.DefaultConfig(),
		SwitchLatency: link.SwitchLatency, Endpoint: link.DefaultEndpointConfig(),
		GPUMemory: link.DefaultGPUConfig(0).Memory, Period: des.Period(350e6),
	}
}

// Limits of the address map. Host memory is used from 4 GiB on, because the windows of devices and
// interrupts are below. It ends where the GPU windows begin, which are 128 GiB apart.
const (
	maxHostGiB = 4096
	maxGPUGiB  = 128

	// HostStart is the address of the first region of host memory.
	HostStart = 4 << 30
	// MaxGPUs is the maximum number of GPUs of a machine.
	MaxGPUs = 16
)

// Check reports the first field that is out of range. The constructors of the links, the root
// complex and the endpoint check their own fields.
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
		return fmt.Errorf("server: switch latency %v, expected 0 or more", c.SwitchLatency)
	}
	return nil
}
