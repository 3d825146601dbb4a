// Package stream provides operations on ready/valid streams inside a module: Map, Filter, Fork,
// Join and Arbitrate; Widen and Narrow for width conversion; Stage and Buffer for registers;
// Check, Assume and InOrder for the stream rules.
//
// Each function describes hardware in the module m, under a name. It drives the Ready of its input
// streams and returns streams whose Ready must be driven, for example by Connect. None makes Valid
// depend on Ready.
package stream
