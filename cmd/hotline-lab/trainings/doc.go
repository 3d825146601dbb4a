// Package trainings trains the models of the papers with the hybrid system and with Hotline,
// without computing values. It prints a Markdown table with the share of popular inputs, the share
// of learning time, and the speed-up with its range in every software profile. scripts/trainings
// runs it, and docs/explanation/time.md contains its results.
package trainings
