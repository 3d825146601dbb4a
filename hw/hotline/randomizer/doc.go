// Package randomizer implements the randomizer of the paper's lookup engine, which scatters row
// ids. It is a Feistel network, a fixed permutation of w-bit numbers, as plain Go (Permute, Invert)
// and as a pipeline (Randomizer).
//
// Adjacent rows of a table spread over banks and sets. Because the function is a permutation, the
// id of a row can be recovered from its location.
//
// docs/reference/accelerator.md defines the permutation.
package randomizer
