// Package static is FAE's preparation of a data set before training (VLDB 2022, Sec. 4.1 and 4.2).
// It determines which embedding rows are hot, and which inputs read only hot rows.
//
//	prepared, err := static.Prepare(batches, model, options)
//	slot, hot := prepared.Hot.Slot(table, index)
//	prepared.Inputs.Hot(input)
//	prepared, err = static.PrepareFile(path, batches, model, options) // once for all trainings
//
// For a sample of the inputs, a logger counts the accesses to each row of the large tables. A
// profiler estimates from random chunks of the log how many rows are hot for a threshold. The
// optimiser searches for the threshold whose hot rows fill a memory budget. Then all rows and all
// inputs are classified. Small tables are completely hot.
//
// The package guarantees:
//   - Hot rows never exceed the budget. If the estimate was too low, the optimiser starts again
//     with exact counts.
//   - An input is hot if and only if all its rows are hot.
//   - The outcome depends only on the inputs and the options, not on the number of cores.
//   - A file that does not fit the data, or is corrupt, is an error.
//
// Inputs are read twice and never kept in memory. During classification, the log takes 4 bytes for
// each row of a large table whose page of 1,024 rows occurs in the sample. The outcome takes one
// bit per input and one and a half bits per row.
package static
