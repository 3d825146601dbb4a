// Package experiment trains a model with several training systems on the same mini-batches and
// compares the systems. It compares every parameter and simulates the time of each system on a
// machine with a software profile.
//
//	report, _ := experiment.Run(ctx, experiment.Job{
//		Config: configs.Small(), Data: clicks, Systems: catalog.Systems(), Accelerator: experiment.Functional(params),
//	})
//
// Systems (registry.Description), data sets, machines and profiles are values. The values that the
// project provides have names; a program can add its own to a Job.
//
// A job can resume from a checkpoint and save its model. It can check all systems against a
// sequential training while they run (package consistency), and inject faults on the link of the
// accelerator (package fault).
//
// The package guarantees:
//
//   - The result depends only on the configuration, the data and the seed.
//   - All systems train on the same inputs in the same order, in every epoch, except systems with an
//     order of their own. No held-out input is among them.
//   - A model that does not fit the accelerator is reported before anything runs.
//   - A system that exceeds the memory of the simulated machine is a result, and the other systems run.
//   - Every speed-up is reported with its range and the constants on which it depends most.
//   - The page of a report is self-contained.
package experiment
