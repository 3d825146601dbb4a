// Package hugectr trains only on GPUs, in the style of HugeCTR, a baseline of Hotline (ISCA 2024)
// and EL-Rec (SC 2022). The embedding tables are distributed over the GPUs row by row. Each GPU
// sends its rows to all other GPUs and gets back their gradients. The dense part is data-parallel.
// The tables must fit into the memory of all GPUs.
//
// The parameters follow the numerical rule of package dlrm: rows are exchanged before pooling, so
// they are added in the order of the lookups, wherever they are.
package hugectr
