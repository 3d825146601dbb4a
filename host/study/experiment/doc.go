// Package experiment is the main job: it trains a model with several training
// systems on the same mini-batches, compares every parameter, and says what each
// system takes on a machine with a software profile.
//
//	report, _ := experiment.Run(ctx, experiment.Job{
//		Config: configs.Small(), Data: clicks, Systems: catalog.Systems(), Accelerator: experiment.Functional(params),
//	})
//
// A system (registry.Description), a data set, a machine and a profile are values. Those
// that come with the project have names; a program of its own can put others into a Job.
//
// A job can go on from a checkpoint, and hands over its model to be saved. It can have
// all systems checked: each is watched beside a sequential training. It can let faults
// happen on the link of the accelerator (package fault).
//
// It promises that the outcome depends on configuration, data and seed only, that
// what does not fit the accelerator is said before anything runs, that a system which
// does not fit the memory of the simulated machine is an outcome beside the others,
// that no speed-up is printed without its range and the constants that it depends on
// most, and that the page of a report needs no other file.
package experiment
