//go:build !linux

package model

// prefer does nothing: the system manages large pages itself.
func prefer([]byte) error { return nil }
