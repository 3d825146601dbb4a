// Package gen generates synthetic click logs: a Source of inputs described by Params. Input i
// depends only on the parameters and i. Therefore inputs can be generated in any order, and nothing
// is stored, however large the tables are.
//
// The generator reproduces the properties that matter to a system that separates popular inputs:
//   - skew: a few rows of a table get most accesses;
//   - correlation between tables, without which hardly any input would have only popular rows;
//   - drift: popular rows change over time.
//
// CriteoLike is small. Presets have the tables of real logs at their real size, fitted to published
// statistics of those logs. A preset contains its targets, and Fit compares it with them.
package gen
