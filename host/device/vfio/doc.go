// Package vfio is a PCIe function behind Linux's VFIO, as a driver.Device: its BAR 0,
// its MSI-X vectors as eventfds, and buffers that the IOMMU lets it reach. The
// function is bound to vfio-pci, and alone in its IOMMU group or with others that
// are. It is for Linux.
//
// It promises
//   - that a buffer does not move and is mapped before AllocDMA returns;
//   - that a register is read and written by one access of four bytes;
//   - that Close gives everything back, after which the function cannot reach the
//     memory any more.
package vfio
