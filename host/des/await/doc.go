// Package await waits for work that cannot be stopped, as the opening of a pipe, but
// no longer than a context lasts.
//
// It promises that [Call] returns as soon as the context ends or the work is done.
package await
