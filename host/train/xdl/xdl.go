package xdl

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cluster"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is the parameter server with its workers, which the GPUs of the cluster represent. It
// implements train.System.
type System struct {
	*cluster.Cluster
	*cluster.Tables
	machine *server.Server
	net     *dlrm.Net      // of the server
	rows    *server.Region // of the workers, in a mini-batch
	counts  counts
	pooled  []float32 // by the workers: inputs x bags x Dim
	probs   []float32
}

// Descriptions returns the description of the system.
func Descriptions() []registry.Description {
	return []registry.Description{{
		Name: "xdl", Title: "parameter server as XDL: workers on the CPU pull parameters and push gradients",
		New: registry.Plain(New),
	}}
}

// New returns the system on a machine whose slot may be empty. Its model starts from a state.
func New(s *server.Server, from *train.State) *System {
	return &System{machine: s, net: from.Net.Clone(), Cluster: cluster.NewCluster(s, from), Tables: cluster.NewTables(s.Host, from)}
}

// Name implements train.System.
func (x *System) Name() string { return "parameter server" }

// Net implements train.System. It returns the server's dense part.
func (x *System) Net() *dlrm.Net { return x.net }

// Row implements train.System.
func (x *System) Row(table int, index uint32, dst []float32) error {
	return x.Tables.Read(table, index, dst)
}

// Counts implements train.System.
func (x *System) Counts() []train.Count { return x.counts.list() }

// Order implements train.System.
func (x *System) Order() timing.System { return Order }
