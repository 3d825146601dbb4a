//go:build !linux

package model

// prefer does nothing: large pages are the system's own affair.
func prefer([]byte) error { return nil }
