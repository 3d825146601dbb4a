// Package reorder renumbers the rows of an embedding table, so that rows which are read in the same
// mini-batch have adjacent numbers (EL-Rec, SC 2022, Sec. IV). More of them then share a prefix in
// tensor-train form.
//
// The hottest rows are first, in the order of their read counts. The other rows are vertices of a
// graph whose edge weights count the groups of inputs that read both rows. As in Rabbit Order (Arai
// et al., IPDPS 2016), communities are found by merging each vertex, starting with the lowest
// degree, into the neighbour with the largest gain of modularity. Rows of a community are
// consecutive. Rows that were not read are last, in their original order.
//
// The new numbers are a permutation, and equal for equal groups.
package reorder
