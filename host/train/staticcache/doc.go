// Package staticcache is the baseline of ScratchPipe (ISCA 2022, Sec. III) with a
// static cache: the rows of each table that are looked up most often live on the
// GPUs from the start on, and the CPU gathers and updates all others.
//
// It promises that each row lives in one place, and the parameters that the
// numerical rule of package dlrm defines.
package staticcache
