package xdl

import "github.com/hotline-rtl/hotline/host/train/parts"

// Workers are the GPUs.
func (x *System) Workers() []*parts.GPU { return x.Cluster.GPUs }
