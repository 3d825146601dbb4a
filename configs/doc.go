// Package configs reads the HCL files that describe an accelerator, the machine
// around it, the model and the training run, and embeds the shipped ones:
// small.hcl, the default of every command, and paper.hcl, the scale of the
// paper. What a file leaves out has the default that the owning package gives.
//
// Every mistake is reported with file, line and what was expected.
package configs
