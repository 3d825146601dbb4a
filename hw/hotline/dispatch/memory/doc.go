// Package memory implements the memory controller of the data dispatcher (Figure 13 of the paper).
// The Walker lists the lookups of non-popular inputs, or the rows of an update. The Controller
// computes the address of each row and sends the reads and the reducer operations. The HotSetReader
// lists the rows that the EAL holds, and the HotSetPacker packs them for host memory.
//
// The references are dispatch.RegisterModel and dispatch.HotEntries.
package memory
