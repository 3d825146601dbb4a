// Package address has the address registers of the data dispatcher (Figure 13
// of the paper): the addresses of tables, hot rows, vectors and gradients, and the
// sizes of a training, all written by s_wr. docs/reference/accelerator.md lists them.
//
// Each address has a bit that every reset clears and the write of the address sets. No
// command uses an address whose bit is 0, so no address outlives a reset.
//
// Their reference is dispatch.RegisterModel.
package address
