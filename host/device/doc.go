// Package device groups the packages that drive, model and serve the accelerator. It contains no
// code:
//
//	driver       the driver, over the small interface Device, and its conformance suite
//	asm          accelerator programs in text form, and their execution
//	cheader      the C header for drivers
//	functional   a model of the accelerator at the level of DMA descriptors
//	cycle        the cycle model of the accelerator in a PCIe slot
//	server       a simulated host: memory, root complex, switch, GPUs and one slot
//	fault        planned faults on the accelerator's link
//	trace        analysis and replay of captures of the accelerator's link
//	rootport     a root port whose host is another process
//	vfiouser     the vfio-user protocol for that process
//	vfio         a driver.Device on Linux VFIO
//
// A driver works unchanged on every device: functional, cycle, behind a socket, behind VFIO. All
// devices pass one conformance suite. Every access is a TLP, so captures are complete.
//
// These packages may import host/pcie, host/ui, host/des and the hardware (hw, gen, sim). They know
// nothing about models or training.
package device
