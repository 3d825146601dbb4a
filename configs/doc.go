// Package configs reads the HCL files that describe an accelerator, the surrounding machine, the
// model and the training run. It embeds the shipped files: small.hcl, the default of every
// command, and paper.hcl, the scale of the paper. Attributes missing from a file have the default
// of the package that owns them.
//
// Every mistake is reported with its file, its line and the expected value.
package configs
