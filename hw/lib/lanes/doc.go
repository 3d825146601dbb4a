// Package lanes holds the ports of several streams side by side, as vectors.
package lanes
