// Package calibrate measures the machine that it runs on, and tests the time model with it. A script
// times single operators of PyTorch, and whole training steps of a DLRM. The constants of a machine
// follow from the operators.
//
//	measured, err := calibrate.Measure(ctx, python, calibrate.NewRequest("cpu", 1), progress)
//	m, p := calibrate.Machine(measured), calibrate.Profile(measured)
//	predictions, err := calibrate.Predict(measured, m, p)
//
// Each step is predicted twice. One prediction adds the times of the operators of its graph, which
// are sums of terms that grow with the sizes. The other one is the time that package timing computes
// for the machine and the profile.
//
// On a CPU, one thread dispatches operators and runs their kernels, and host memory is the memory of
// the device.
//
// The package guarantees:
//   - Times of steps influence neither constants nor predictions.
//   - No operator of a step has the sizes of a measured operator.
//   - Machine, profile and predictions are pure functions of the measurements.
package calibrate
