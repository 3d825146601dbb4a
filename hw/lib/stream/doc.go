// Package stream holds what is done with ready/valid streams between the parts of a
// module: Map, Filter, Fork, Join and Arbitrate, Widen and Narrow for words of another
// width, Stage and Buffer for registers, Check, Assume and InOrder for the rules.
//
// Each is a function that describes hardware in the module m, under a name. It sets the
// Ready of the streams that it takes, and gives streams whose Ready is still to be set,
// as Connect does. None makes Valid depend on Ready.
package stream
