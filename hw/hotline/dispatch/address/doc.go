// Package address has the address registers of the data dispatcher (Figure 13
// of the paper): where tables, hot rows, vectors and gradients lie, and the
// sizes of a training, all written by s_wr. docs/accelerator.md lists them.
//
// Their reference is dispatch.RegisterModel.
package address
