// Package cpuhotline is Hotline without an accelerator, a baseline of its paper (ISCA 2024,
// Challenge 2 of Sec. III and Fig. 23). The CPU counts lookups to find the hot rows, and finds the
// popular inputs of each mini-batch. It collects the cold rows of the non-popular inputs for the
// GPUs, and updates them.
//
// Each row is in one place, host memory or the hot table of every GPU, and the parameters follow
// the numerical rule of package dlrm.
package cpuhotline
