// Package draw draws a module of a design as an SVG block diagram. The diagram shows its instances,
// the modules inside them, and the streams and signals between them.
//
// The picture is derived only from the design, so it is never out of date:
//
//   - an instance is a box with its name, its module, the Go package of the module, the instances in
//     it and, in a loop, the number of copies. The caller may add a name, for example of a paper;
//   - a stream, ports x_valid and often x_ready, is a bold arrow from the instance that offers
//     the data to the instance that takes it. The line where it begins has the names of its ports;
//   - all other signals from one instance to another are one thin arrow, whose tooltip lists the
//     ports. The arrow is omitted if the signals are few and both instances have streams;
//   - the logic of a module without instances is one box;
//   - a box lists the ports of the module that it is connected to. An arrow before the name of a
//     stream marks an input, and an arrow after the name an output.
//
// A connection is traced back through wires, registers and memories of the module to the outputs
// from which the value is computed. Conditions of assignments do not count.
//
// The boxes form a column along the streams, so the picture can be read on a phone. Streams are to
// the right of the column, and other signals to the left, in as few lanes as they need. Equal
// designs give equal bytes.
package draw
