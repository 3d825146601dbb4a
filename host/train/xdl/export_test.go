package xdl

import "github.com/hotline-rtl/hotline/host/train/parts"

// Workers are the GPUs, and Tables the server's rows.
func (x *System) Workers() []*parts.GPU { return x.cluster.GPUs }
func (x *System) Tables() *parts.Tables { return x.tables }
