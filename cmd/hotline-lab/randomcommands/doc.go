// Package randomcommands runs random commands with random errors on the accelerator and
// compares what it does with docs/reference/accelerator.md:
//
//   - shell is the boundary, which stalls and fails at random and watches the
//     protocol;
//   - oracle is a model of what commands do, written from the document alone;
//   - trial is a stretch of the campaign: a driver with random commands, pauses,
//     resets and mistakes, and a watch for commands that never end.
//
// Stretches run side by side; each depends on nothing but the seed of the campaign
// and its number. scripts/random-commands runs it.
package randomcommands
