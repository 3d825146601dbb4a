// Package skid provides register stages for streams. Skid cuts all combinational paths between its
// two sides; Stage cuts only the paths towards the receiver. Both move one word per cycle and
// preserve the order of words.
package skid
