// Package accuracy compares the held-out accuracy of systems whose training is not equivalent to
// sequential training with the accuracy of sequential training. It varies lambda of cDLRM, the age
// of the rows that cDLRM as released reads, the ideal ScratchPipe, and the rank and threshold of
// EL-Rec. Each of several seeds determines the samples and the initial parameters, and compared
// trainings use the same seed.
//
// scripts/accuracy runs the measurement. It writes measured.json, the source of the plots and
// tables in docs/explanation/systems. Tests repeat a few of the trainings and compare their
// outcomes with measured.json.
package accuracy
