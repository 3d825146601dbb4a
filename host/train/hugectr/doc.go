// Package hugectr trains on GPUs alone, as HugeCTR, which Hotline (ISCA 2024) and
// EL-Rec (SC 2022) compare with: the embedding tables are dealt to the GPUs row by
// row, each GPU gives the rows that it has to all others, and gets back their
// gradients; the dense part is data-parallel. Tables that do not fit the memory of
// all GPUs are its limit.
//
// It promises the parameters that the numerical rule of package dlrm defines: rows
// are exchanged before they are pooled, so that they are added in the order of the
// lookups, wherever they come from.
package hugectr
