//go:build !amd64

package model

func detect() Level { return Portable }
