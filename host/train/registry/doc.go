// Package registry describes training systems, so that programs list, configure and build them
// without naming their packages. Package catalog has the descriptions of this project.
//
// A [Description] has the options of a system, as a block of a configuration, and its constructor.
// [Misfit] checks the limits of an accelerator, for systems that need one. The system defines how
// its work becomes time (train.System.Order).
package registry
