package model

import "syscall"

// prefer asks for memory in large pages.
func prefer(memory []byte) error { return syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }
