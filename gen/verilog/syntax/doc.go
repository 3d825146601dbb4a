// Package syntax holds the syntax tree of a Verilog module, and its printer.
//
// Expr, Stmt and Item are interfaces of this package's types alone. Objects are shared: all
// mentions of a signal point to its Object, so that renaming or marking it has an effect
// everywhere. The widths of operands, the declarations and the names are the business of
// whoever builds a tree; Check verifies declarations and names.
//
// Module.Text prints a tree. It adds layout, parentheses and the radix of numbers that is not
// set, and changes nothing else. ExprText and StmtsText give parts of the text, for
// comparisons.
//
// A size of a module with a parameter may depend on it: see PerParam.
package syntax
