// Package randomcommands runs random commands with random errors on the accelerator and compares
// its behaviour with docs/reference/accelerator.md:
//
//   - shell models the environment at the accelerator's boundary. It inserts random stalls and errors,
//     and checks the protocols.
//   - oracle is a reference model of the commands, derived only from the document.
//   - trial runs an episode: a driver that sends random commands, pauses, resets and makes mistakes, and
//     a check that every command ends.
//
// Episodes run concurrently. An episode depends only on the seed of the campaign and its number.
// scripts/random-commands runs the campaign.
package randomcommands
