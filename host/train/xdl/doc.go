// Package xdl is a synchronous parameter server as XDL, which FAE (VLDB 2022) and
// Hotline (ISCA 2024) compare with: host memory holds all parameters, dense ones and
// embedding rows. In every mini-batch each worker, one per GPU, pulls the dense
// parameters and the rows of its inputs, and pushes their gradients; the server
// updates.
//
// It promises the parameters that the numerical rule of package dlrm defines: all
// workers have pushed before any of them pulls again.
package xdl
