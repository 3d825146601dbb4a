package xdl

import "github.com/hotline-rtl/hotline/host/train/cluster"

// Workers returns the GPUs.
func (x *System) Workers() []*cluster.GPU { return x.Cluster.GPUs }
