// Package gen makes click logs that never were: a Source of inputs that Params describe. Input i depends on the parameters and i
// alone, so any of them can be made at any time; nothing is stored, however large the tables are.
//
// It reproduces what matters to a system that tells popular inputs from others: how unequally the rows of a table are read; the
// correlation between tables, without which hardly any input would have all its rows among the popular ones; and drift, by which
// rows become popular and others cease to be.
//
// CriteoLike is small. Presets have the tables of real logs at their real size, fitted to what papers say of those logs; a preset
// carries its targets, and Fit tells how well it reaches them.
package gen
