package pictures

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/ui/picture"
	"github.com/hotline-rtl/hotline/hw/hotline/model"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled"
	"github.com/hotline-rtl/hotline/sim/external"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// What the picture shows holds at compile time: these types implement the interfaces, and these
// functions take them.
var (
	_ driver.Device = (*server.Device)(nil)
	_ server.Card   = (*functional.Accel)(nil)
	_ server.Card   = (*cycle.Card)(nil)
	_ link.Core     = (*functional.Accel)(nil)
	_ link.Core     = (*cycle.Card)(nil)
	_ sim.Simulator = (*interp.Sim)(nil)
	_ sim.Simulator = (*external.Process)(nil)

	_ func(driver.Device, driver.Options) (*driver.Driver, error)                          = driver.Open
	_ func(*server.Server, server.Card) (*server.Device, error)                            = (*server.Server).Insert
	_ func(*des.Kernel, link.EndpointConfig, link.Core) (*link.Endpoint, error)            = link.NewEndpoint
	_ func(*ir.Design) (sim.Simulator, string, error)                                      = compiled.New
	_ func(*des.Kernel, sim.Simulator, des.Time, link.EndpointConfig) (*cycle.Card, error) = cycle.New
)

// Devices that exist only on Linux. A test compares the names with the types.
var (
	clientDevice = goType{"client.Device", "host/device/vfiouser/client"}
	vfioDevice   = goType{"vfio.Device", "host/device/vfio"}
)

// host draws the path from a driver to the accelerator in a simulated host.
func host(cfg server.Config) string {
	var g grid
	drv := g.add(0, 0, 12, software, typeOf[driver.Driver]().box("commands, rings, interrupts, recovery"))
	device := g.add(1, 0, 12, contracts, contract[driver.Device]())
	g.arrow(drv, device, function(driver.Open))
	simulated := g.add(2, 0, 4, software, typeOf[server.Device]().box("in this process"))
	vfio := g.add(2, 4, 8, software, vfioDevice.box("Linux VFIO: hardware, or in a guest"))
	client := g.add(2, 8, 12, software, clientDevice.box("socket of hotline serve"))
	for _, d := range []int{simulated, vfio, client} {
		g.arrow(device, d, "")
	}

	root := g.add(3, 0, 4, machine, typeOf[link.RootComplex]().box())
	g.both(simulated, root, "")
	memory := g.add(3, 4, 8, machine, box("CPU memory", fmt.Sprintf("%d GiB", cfg.HostGiB), typeOf[des.Memory]().name))
	g.both(root, memory, "")
	behind := typeOf[rootport.Port]().box("root port of hotline serve, in another process")
	behind.Rows = 2
	port := g.add(3, 8, 12, machine, behind)
	g.both(client, port, "")
	fabric := g.add(4, 0, 4, machine, typeOf[link.Switch]().box())
	g.both(root, fabric, lanes(cfg.Uplink))
	gpus := g.add(4, 4, 8, machine, box(fmt.Sprintf("%d x %s", cfg.GPUs, typeOf[link.GPU]().name), lanes(cfg.GPULink)+" each"))
	g.both(fabric, gpus, "")
	card := g.add(5, 0, 12, contracts, contract[server.Card]())
	g.both(fabric, card, function((*server.Server).Insert)+", "+lanes(cfg.Slot))
	g.both(port, card, "")

	endpoint := g.add(6, 0, 12, hardware, typeOf[link.Endpoint]().box("configuration space, DMA engine, MSI-X"))
	g.arrow(card, endpoint, function(server.Card.Endpoint))
	core := g.add(7, 0, 12, contracts, contract[link.Core]())
	g.arrow(endpoint, core, function(link.NewEndpoint))
	fast := g.add(8, 0, 3, hardware, typeOf[functional.Accel]().box("descriptors and times"))
	exact := g.add(8, 3, 12, hardware, typeOf[cycle.Card]().box("each clock cycle"))
	bits := typeOf[model.Model]().box("bits and counts of each command")
	bits.Rows = 2
	simulator := g.add(9, 3, 12, contracts, contract[sim.Simulator]())
	g.arrow(core, fast, "")
	g.arrow(core, exact, "")
	g.arrow(fast, g.add(9, 0, 3, hardware, bits), "")
	g.arrow(exact, simulator, function(cycle.New))
	for i, engine := range []picture.Box{
		typeOf[interp.Sim]().box("interpreter"),
		box("Compiled model", "sim/compiled", "generated Go"),
		typeOf[external.Process]().box("Verilator, Icarus"),
	} {
		g.arrow(simulator, g.add(10, 3+3*i, 6+3*i, hardware, engine), "")
	}

	g.Title = "From a driver to the accelerator"
	g.Text = "A driver reaches a device through an interface. In a simulated host, root complex and switch lead to the device, whose core is one of two models."
	g.Notes = []string{
		"A dashed box is a Go interface with its methods. The function at the arrow to it takes the interface. The types below implement it. The two cores implement server.Card, too.",
		"A driver of your own takes the place of " + typeOf[driver.Driver]().name + ". Each access to the device is a TLP.",
	}
	return picture.File(g.SVG())
}

// lanes returns the width and the generation of a link.
func lanes(c link.Config) string {
	return fmt.Sprintf("PCIe %d.0 x%d", c.Generation, c.Lanes)
}
