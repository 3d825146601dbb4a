// Package await waits for work that cannot be interrupted, such as opening a pipe, until a context
// ends.
//
// [Call] returns as soon as the context ends or the work is done.
package await
