// Package lib has no code of its own. The folders below it contain the reusable hardware
// components, one package each:
//
//	fifo    queues, in registers or in block RAM
//	cdc     clock domain crossings
//	stream  operations on streams: map, filter, fork, join, arbitrate, width conversion
//	skid    register stages for streams
//	arb     round-robin arbiter, merging of packet streams
//	xbar    crossbar switch with crosspoint queues
//	axis    AXI4-Stream ports and register slice
//	axil    AXI4-Lite slave
//	regbank registers behind an AXI4-Lite slave, from a package regmap map
//	fp32    binary32 addition and multiplication
//	crc     CRC-32C
//	div     divider, one bit per cycle
//	ram     memories as separate modules
//
// A component that stores or moves words is a single Verilog module for words of any width,
// provided that the words are numbers.
//
// Components depend only on hw and on each other. The tests in this folder check every component
// with the Verilog tools.
package lib
