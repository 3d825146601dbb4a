// Package faults runs random commands on the accelerator while faults of every kind
// happen at every place of its link, and compares what memory holds with what it must
// hold, in plain Go. It ends with an error if anything is lost or done twice, if a tag
// is in use at the end, or if something takes too long.
//
// The commands come in stretches, each on a machine of its own with other sizes of
// rings and rows. In a stretch, rounds of jobs that do not depend on each other are in
// flight together; a job that fails is done again, as the caller of a driver would do
// it: what an update has changed is brought back before, rows that are left ahead are
// taken, and behind a reset the registers are written and the hot rows learned anew.
//
// Stretches run side by side; each depends on nothing but the seed and its number.
// scripts/soak --faults runs it; docs/reference/reliability.md has the figures.
package faults
