// Package accuracy trains systems that are not sequential training, or that
// train another model, and evaluates them on held-out inputs beside sequential
// training: cDLRM by lambda, cDLRM as released by the age of the rows that it reads,
// the ideal ScratchPipe, EL-Rec by rank and threshold. Each of several seeds makes
// clicks and initial parameters; what is compared has the same ones.
//
// scripts/accuracy runs it. It writes measured.json, which the tests compare with a
// few trainings and from which it makes the pictures and tables of docs/explanation/systems.
package accuracy
