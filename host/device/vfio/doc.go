// Package vfio implements driver.Device for a PCIe function on Linux VFIO. It gives access to BAR
// 0, the MSI-X vectors as eventfds, and buffers that are mapped in the IOMMU. The function must be
// bound to vfio-pci, and so must all other functions in its IOMMU group.
//
// Guarantees:
//   - A buffer does not move, and is mapped before AllocDMA returns.
//   - A register is accessed by a single access of four bytes.
//   - Close releases all resources. Afterwards the function cannot access the memory.
package vfio
