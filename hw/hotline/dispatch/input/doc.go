// Package input has the parts of the data dispatcher that mini-batches come
// to (Figure 13 of the paper): the input eDRAM and its loader, the input
// classifier with the popularity bitmaps, and the writer that sends these.
//
// Their references are dispatch.LoadRequests, dispatch.Classify and
// dispatch.Bitmap.
package input
