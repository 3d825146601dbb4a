// Package cpuhotline is Hotline without an accelerator, which its paper (ISCA 2024,
// Challenge 2 of Sec. III and Fig. 23) compares with: the CPU counts which rows are
// hot, finds the popular inputs of each mini-batch, collects the cold rows of the
// others for the GPUs, and updates them.
//
// It promises that each row lives in one place, host memory or the hot table of
// every GPU, and the parameters that the numerical rule of package dlrm defines.
package cpuhotline
