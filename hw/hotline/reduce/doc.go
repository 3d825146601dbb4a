// Package reduce holds the reducer: an array of FP32 ALUs before the embedding
// vector buffer, which pools rows into vectors (add) and updates them (mul,
// add). Model is the same in plain Go.
//
// Ops take effect in order. They go round a group of vectors, so that a beat of a row is
// taken in every cycle though a sum takes several. Arithmetic is binary32, rounded to nearest even
// after each op, with subnormals; each NaN result is the quiet NaN 0x7fc00000.
// A loaded row is stored as it is, bit for bit. The buffer is a ring: a vector
// that is being sent does not delay the next one, which takes the place behind
// it.
//
// The package imports hw, hw/lib, hw/hotline/arch and, for the layouts of the
// streams, hw/hotline/dma.
package reduce
