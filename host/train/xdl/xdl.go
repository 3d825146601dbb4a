package xdl

import (
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/parts"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is the parameter server with its workers. It implements train.System.
type System struct {
	model   rec.Config
	net     *rec.Net // of the server
	cluster *parts.Cluster
	tables  *parts.Tables
	pulled  *parts.Buffers
	counts  counts
	probs   []float32
}

// New makes the system on a machine whose slot may be empty. Its model begins as in
// a state.
func New(s *server.Server, from *train.State) *System {
	x := &System{model: from.Model, net: from.Net.Clone(), cluster: parts.NewCluster(s, from), tables: parts.NewTables(s.Host, from)}
	const valueBytes = 4
	s.Host.Reserve("dense parameters", x.net.Len()*valueBytes)
	parts.ReserveStates(s.Host, "optimiser states of dense parameters", from.Model, x.net.Len())
	return x
}

// Name implements train.System.
func (x *System) Name() string { return "parameter server" }

// Model implements train.System.
func (x *System) Model() rec.Config { return x.model }

// Net implements train.System. It is the server's.
func (x *System) Net() *rec.Net { return x.net }

// Row implements train.System.
func (x *System) Row(table int, index uint32, dst []float32) error {
	return x.tables.Read(table, index, dst)
}

// RowState implements train.System.
func (x *System) RowState(table int, index uint32) []float32 { return x.cluster.RowState(table, index) }

// Touched implements train.System.
func (x *System) Touched(table int) []train.Span { return x.tables.Touched(table) }

// Counts implements train.System.
func (x *System) Counts() []train.Count { return x.counts.list() }

// Order implements train.System.
func (x *System) Order() timing.System { return timing.ParameterServer }
