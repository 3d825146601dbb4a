// Package lanes holds the ports of several streams side by side, as vectors.
//
// It imports hw only.
package lanes
