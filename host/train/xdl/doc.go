// Package xdl is a synchronous parameter server in the style of XDL, a baseline of FAE (VLDB 2022)
// and Hotline (ISCA 2024). As in FAE's Sections 5.1.4 and 5.2.3, the workers compute on the CPU, one
// for each GPU. Host memory holds the embedding rows. The GPUs belong to the server: they look the
// ids of rows up, hold the dense parameters together, and update them. In every mini-batch each
// worker pulls the dense parameters and the rows of its inputs, and pushes their gradients; then the
// server updates.
//
// The parameters follow the numerical rule of package dlrm, because all workers push before any of
// them pulls again.
package xdl
