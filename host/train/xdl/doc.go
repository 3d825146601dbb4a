// Package xdl is a synchronous parameter server in the style of XDL, a baseline of FAE (VLDB 2022)
// and Hotline (ISCA 2024). Host memory holds all parameters, dense parameters and embedding rows.
// There is a worker on each GPU. In every mini-batch each worker pulls the dense parameters and the
// rows of its inputs, and pushes their gradients; then the server updates.
//
// The parameters follow the numerical rule of package dlrm, because all workers push before any of
// them pulls again.
package xdl
