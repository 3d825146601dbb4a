// Package faults runs random commands on the accelerator and injects faults of every kind at every
// place of its link. It compares the contents of memory with a reference in plain Go. A run fails
// if data is lost or processed twice, if a tag remains in use at the end, or if a job takes too
// long.
//
// Each episode runs on a server of its own, with other sizes of rings and rows. In an episode,
// rounds of independent jobs are in flight together. A failed job is repeated as the caller of a
// driver would repeat it: memory that an update has changed is restored, and prefetched rows are
// consumed. After a reset, the registers are written and the hot rows are learned again.
//
// Episodes run concurrently. An episode depends only on the seed and its number. scripts/soak
// --faults runs the campaign; docs/reference/reliability.md contains its results.
package faults
