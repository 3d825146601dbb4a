// Package memory has the memory controller of the data dispatcher (Figure 13
// of the paper): the Walker lists the lookups of non-popular inputs, or the rows
// of an update, the Controller finds where each row lies and sends the reads and
// the reducer operations. Beside it, the HotSetReader lists the rows that the EAL
// holds, and the HotSetPacker packs them for host memory.
//
// Their references are dispatch.RegisterModel and dispatch.HotEntries.
package memory
