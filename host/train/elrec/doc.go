// Package elrec is EL-Rec (Wang et al., SC 2022), and its baseline TT-Rec (Yin et al.,
// MLSys 2021): large embedding tables are in tensor-train form (package tt) on every
// GPU, the others plain on every GPU or in host memory. All that the GPUs hold is
// trained data-parallel.
//
// EL-Rec multiplies the first two slices of rows once for each prefix that a GPU's
// inputs read (reuse), and the third once for each row. It sums the gradients of a
// row over the mini-batch before it multiplies them with slices (in-advance
// aggregation), on one of the GPUs that hold the row's prefix; the gradients of the
// slices are then summed over the GPUs. Rows of tensor-train tables are numbered anew
// (package reorder). Rows in host memory are fetched ahead into a queue, and their
// steps go back through another one; a cache on the GPUs has what host memory does
// not know yet.
//
// TT-Rec does all of that for each lookup by itself, and its plain tables are on the
// GPUs.
//
// It promises
//   - the same bits on any number of GPUs and for any length of the queues, also
//     those of sequential training of the same tensor-train tables, whose slices get
//     gradients that are exact sums over rows (TT-Rec: over lookups), each product
//     rounded by the rule of package tt;
//   - those of sequential training if no table is in tensor-train form;
//   - that TT-Rec has the bits of EL-Rec without reordering as long as no mini-batch
//     reads a row of a tensor-train table twice. Otherwise, the product of a sum is
//     rounded differently from the sum of products.
package elrec
