// Package data defines sources of training inputs for recommendation models. A Source is a log on
// disk or a generator. Its subpackages provide sources, and a program may implement its own. A
// Reader reads inputs batch by batch, in constant memory, from any input on.
//
// Parts of a source are also sources. Range, SplitShare and SplitEvery set inputs apart for
// evaluation.
//
// Subpackages:
//   - text reads lines.
//   - index maps ids to rows.
//   - clicklog is the common source for the formats criteo and avazu.
//   - taobao reads the log of shop visits.
//   - gen generates inputs.
//   - profile measures sources.
//   - datatest supports tests.
package data
