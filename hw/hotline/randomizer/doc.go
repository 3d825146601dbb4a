// Package randomizer scatters row ids, as the randomizer of the paper's lookup
// engine does: a Feistel network, which is a fixed permutation of w-bit numbers,
// as plain Go (Permute, Invert) and as a pipeline (Randomizer). Rows that lie side
// by side in a table spread over banks and sets, and as it is a permutation, the
// id of a row comes back from the place where it is found.
//
// docs/reference/accelerator.md defines the permutation. The package imports hw only.
package randomizer
