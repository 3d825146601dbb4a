// Package input implements the input side of the data dispatcher (Figure 13 of the paper): the
// input eDRAM and its loader, the input classifier with the popularity bitmaps, and the bitmap
// writer.
//
// The references are dispatch.LoadRequests, dispatch.Classify and dispatch.Bitmap.
package input
