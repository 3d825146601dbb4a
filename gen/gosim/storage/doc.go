// Package storage defines the types of the fields of a model, and expressions that access them:
// values by lane or word of lanes, memories, ports. Package names defines the names of the fields.
//
// The package only builds expressions. It appends no statements. It depends on the function that
// uses the expressions only by the fixed names of loop variables (index.go).
package storage
