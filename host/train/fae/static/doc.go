// Package static is what FAE (VLDB 2022, Sec. 4.1 and 4.2) does once for a data
// set, before it trains: it finds out which embedding rows are hot, and which
// inputs read hot rows only.
//
//	prepared, err := static.Prepare(batches, model, options)
//	slot, hot := prepared.Hot.Slot(table, index)
//	prepared.Inputs.Hot(input)
//	prepared, err = static.PrepareFile(path, batches, model, options) // once for all trainings
//
// A sample of the inputs is logged: how often each row of a large table is read. A
// profiler estimates from random chunks of the log how many rows a threshold makes
// hot; the optimiser looks for the threshold whose hot rows fill a budget of
// memory. Then all rows and all inputs are classified. Small tables are hot as a
// whole.
//
// It promises that hot rows never take more than the budget: where the estimate
// was too low, the optimiser starts again and counts; that an input is hot if and
// only if all its rows are; that the same inputs and options make the same
// outcome, on any number of cores; and that a file which does not fit the data, or
// is not bit by bit what was written, is an error.
//
// Inputs are read twice and never held. What is held is 4 bytes of each row of a
// large table that has a neighbour in the sample (pages of 1,024 rows), while
// rows are classified; and then a bit an input, and a bit and a half a row.
package static
