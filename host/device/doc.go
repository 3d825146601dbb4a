// Package device is the room for what drives and serves the accelerator. It has no code of its
// own:
//
//	driver       the driver, over the small interface Device, and its conformance suite
//	asm          programs of the accelerator as text, and their execution
//	cheader      the C header for drivers
//	functional   the accelerator at the level of DMA descriptors
//	cycle        the accelerator as a cycle model in a PCIe slot
//	server       a simulated host: memory, root complex, switch, GPUs and one slot
//	fault        faults on the accelerator's link, by plan
//	trace        what TLPs mean to the accelerator, and their replay
//	rootport     a root port whose host is another process
//	vfiouser     the vfio-user protocol for that process
//	vfio         a driver.Device behind Linux VFIO
//
// A driver works unchanged on every device: functional, cycle, behind a socket, behind VFIO. All
// devices pass one conformance suite. Every access is a TLP that a capture shows.
//
// The room is above host/pcie, host/ui and host/des, and above the hardware (hw, gen, sim). It
// knows no models and no training.
package device
