// Package storage has the types of the fields of a model, and expressions for what these hold: values by lane or word
// of lanes, memories, ports. Package names says what the fields are called.
//
// The package only makes expressions. It appends no statements, and does not depend on the function that the
// expressions are for but by the variables of loops that have a fixed name (index.go).
package storage
