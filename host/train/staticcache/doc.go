// Package staticcache is ScratchPipe's baseline with a static cache (ISCA 2022, Sec. III). The
// rows of each table that a first share of the mini-batches reads most often are on the GPUs from
// the start. The CPU gathers and updates
// all other rows.
//
// Each row is in one place, and the parameters follow the numerical rule of package dlrm.
package staticcache
