// Package lib has no code of its own: the folders below it are the reusable
// parts of the hardware, a package each.
//
//	fifo    queues, in registers or in block RAM
//	cdc     from one clock to another
//	stream  what is done with streams: map, filter, fork, join, arbitrate, words of another width
//	skid    register stages for streams
//	arb     round-robin arbiter, merging of packet streams
//	xbar    crossbar switch with crosspoint queues
//	axis    AXI4-Stream ports and register slice
//	axil    AXI4-Lite slave
//	regbank registers behind it, from a package regmap map
//	fp32    binary32 addition and multiplication
//	crc     CRC-32C
//	div     divider, a cycle for each bit
//	ram     memories as modules of their own
//
// Parts that keep or move words are one Verilog module for words of any width, if these are
// numbers.
//
// Parts use hw and other parts, and nothing else. The tests here put every part
// through the Verilog tools.
package lib
