// Package address implements the address registers of the data dispatcher (Figure 13 of the paper).
// They hold the addresses of tables, hot rows, vectors and gradients, and the sizes of a training.
// s_wr writes all of them; docs/reference/accelerator.md lists them.
//
// Each address has a bit that every reset clears and a write of the address sets. No command uses
// an address whose bit is 0, so no address survives a reset.
//
// The reference is dispatch.RegisterModel.
package address
