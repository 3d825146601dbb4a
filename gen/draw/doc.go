// Package draw draws a module of a design as an SVG block diagram. The diagram shows its instances,
// the modules inside them, and the streams and signals between them.
//
// The picture is derived only from the design, so it is never out of date:
//
//   - an instance is a box with its name, its module, the Go package of the module and, in a loop,
//     the number of copies. The caller may add a name, for example of a paper;
//   - a stream, ports x_valid and often x_ready, is a bold arrow from the instance that offers
//     the data to the instance that takes it, with the names of its ports;
//   - all other signals from one instance to another are one thin line, whose tooltip lists the
//     ports. The line is omitted if the signals are few and both instances have streams;
//   - the logic of a module without instances is one box;
//   - ports of the module are at the left (inputs) and at the right (outputs).
//
// A connection is traced back through wires, registers and memories of the module to the outputs
// from which the value is computed. Conditions of assignments do not count.
//
// Boxes are placed in layers along the streams (K. Sugiyama et al., Methods for Visual
// Understanding of Hierarchical System Structures, IEEE Trans. SMC, 1981). Equal designs give equal
// bytes.
package draw
