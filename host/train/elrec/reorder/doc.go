// Package reorder numbers the rows of an embedding table anew, so that rows which are
// read in the same mini-batch lie near each other (EL-Rec, SC 2022, Sec. IV). Then
// more of them share a prefix in tensor-train form.
//
// The hottest rows come first, in the order of how often they were read. The others
// are the vertices of a graph whose edges count the groups of inputs that read both;
// communities of it are found by merging a vertex, from the one with the fewest edges
// on, into the neighbour with the largest gain of modularity, as Rabbit Order does
// (Arai et al., IPDPS 2016). Rows that one community was merged from follow each
// other. Rows that were not read come last, in their order.
//
// It promises that the new numbers are a permutation, and the same for the same
// groups.
package reorder
