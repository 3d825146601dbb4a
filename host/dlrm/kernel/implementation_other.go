//go:build !amd64

package kernel

func implementations() []implementation { return []implementation{portable} }
