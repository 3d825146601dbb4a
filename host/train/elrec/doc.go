// Package elrec is EL-Rec (Wang et al., SC 2022) and its baseline TT-Rec (Yin et al., MLSys 2021).
// Large embedding tables are in tensor-train form (package tt) on every GPU. The other tables are
// plain, on every GPU or in host memory. All parameters on the GPUs are trained data-parallel.
//
// EL-Rec multiplies the first two slices of rows once for each prefix that a GPU's inputs read
// (reuse), and the third slice once for each row. It sums the gradients of a row over the
// mini-batch before it multiplies them with slices (in-advance aggregation), on one of the GPUs
// that hold the row's prefix. The gradients of the slices are then summed over the GPUs. Rows of
// tensor-train tables are renumbered (package reorder). A queue prefetches rows in host memory, and
// another queue returns their steps. A cache on the GPUs holds rows whose steps have not reached
// host memory.
//
// TT-Rec does this work separately for each lookup, and its plain tables are on the GPUs.
//
// The package guarantees:
//   - Parameters are bit-identical for any number of GPUs and any queue length, and identical to
//     sequential training of the same tensor-train tables. Slice gradients are exact sums over rows
//     (TT-Rec: over lookups), and each product is rounded by the rule of package tt.
//   - Without tables in tensor-train form, parameters are identical to sequential training.
//   - TT-Rec is bit-identical to EL-Rec without reordering if no mini-batch reads a row of a
//     tensor-train table twice. Otherwise the product of a sum is rounded differently from the sum
//     of products.
package elrec
