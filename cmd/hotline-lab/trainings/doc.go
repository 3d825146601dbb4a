// Package trainings trains models of the papers with the hybrid system and with
// Hotline, without values, and prints a Markdown table: how many inputs are popular,
// what learning takes, and the speed-up with its range in every software profile.
// scripts/trainings runs it, and docs/explanation/time.md has its results.
package trainings
