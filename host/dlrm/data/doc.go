// Package data defines sources of training inputs for recommendation models. A Source is a log on
// disk or a generator. Its subpackages provide sources, and a program may implement its own. A
// Reader reads inputs batch by batch, in constant memory, from any input on.
//
// Parts of a source are also sources. Range and SplitRandom set inputs apart for evaluation. Shuffle
// and Concat form epochs.
//
// Subpackages:
//   - text reads lines.
//   - record reads the columns of CSV, TSV, JSON Lines and NPZ.
//   - schema describes logs in HCL and converts records to inputs.
//   - index maps ids to rows.
//   - clicklog is the source for logs with an input per record.
//   - visits is the source for logs of visits, with histories as inputs.
//   - gen generates inputs.
//   - profile measures sources.
//   - datatest supports tests.
package data
