// Package registry describes training systems, so that programs list, configure and build
// them without naming their packages. Package catalog has the descriptions of this project.
//
// A [Description] has the options of a system, as a block of a configuration, and its
// constructor. The system itself says how its work becomes time (train.System.Order).
//
// It may import hw/hotline/arch and host/device/driver, host/dlrm, host/device/server, host/train and
// host/train/consistency.
package registry
