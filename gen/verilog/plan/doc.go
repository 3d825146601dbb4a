// Package plan decides which items a Verilog module consists of, before any text exists.
//
// New takes a module through these steps:
//
//   - simplify: package simplify rewrites its statements.
//   - prune: assignments that no output port, input of an instance or assertion depends on go.
//   - group: statements form items. Registers and memories share an always block if they share
//     statements or follow each other without conditions. A wire with one plain assignment is
//     an assign; others share a block as far as none depends on another. Instances and loops
//     come before the first item that reads them.
//   - variables: signals that always blocks assign are variables. Short choices for nets become
//     conditional expressions.
//   - connect: pins of instances that only forward a signal need no wire.
//
// A Module has the result: items in the order of the text, with statements of the IR. No item
// depends on itself within a cycle, unless it is a vector whose elements do not.
package plan
