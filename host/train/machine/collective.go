package machine

import "github.com/hotline-rtl/hotline/host/des"

// Collectives follow the cost model of nccl-tests: bytes is the size of the
// buffer of one rank, and the bus carries 2(n-1)/n of it in an all-reduce and
// (n-1)/n in the others. With one rank nothing moves and no time passes.

// bus is what a GPU moves to the others of its server, in GB/s.
func (m *Machine) bus(gpus int) float64 {
	return m.NVLinkGBPerSecond * min(float64(gpus-1), m.NVLinkPeers)
}

// AllReduce is the time of summing bytes over nodes servers of gpus GPUs: in one
// server by its own links; beyond it in one ring through all ranks, as fast as
// the slowest hop, which is the network card.
func (m *Machine) AllReduce(bytes, gpus, nodes int) des.Time {
	if nodes <= 1 {
		return m.inside(2, bytes, gpus)
	}
	return us(m.CollectiveUs) + transfer(m.NICGBPerSecond, 2*othersShare(gpus*nodes)*float64(bytes))
}

// AllGather is the time in which each GPU gets the parts of all others, bytes in
// sum; a reduce-scatter of bytes takes as long.
func (m *Machine) AllGather(bytes, gpus, nodes int) des.Time {
	if nodes <= 1 {
		return m.inside(1, bytes, gpus)
	}
	return us(m.CollectiveUs) + transfer(m.NICGBPerSecond, othersShare(gpus*nodes)*float64(bytes))
}

// AllToAll is the time in which each GPU sends an equal part of its bytes to
// each other one; the GPUs of a server share its network card.
func (m *Machine) AllToAll(bytes, gpus, nodes int) des.Time {
	if nodes <= 1 {
		return m.inside(1, bytes, gpus)
	}
	t := transfer(m.NICGBPerSecond, float64(bytes)*othersShare(nodes)*float64(gpus))
	if gpus > 1 {
		t = max(t, transfer(m.bus(gpus), float64(bytes)*float64(gpus-1)/float64(gpus*nodes)))
	}
	return us(m.CollectiveUs) + t
}

// Broadcast is the time in which GPU 0 sends bytes to all others, each of which
// passes them on.
func (m *Machine) Broadcast(bytes, gpus, nodes int) des.Time {
	switch {
	case gpus*nodes <= 1:
		return 0
	case nodes <= 1:
		return us(m.CollectiveUs) + transfer(m.NVLinkGBPerSecond, float64(bytes))
	}
	return us(m.CollectiveUs) + transfer(m.NICGBPerSecond, float64(bytes))
}

// Gloo is the time of exchanging rows of bytes in sum through host memory.
func (m *Machine) Gloo(rows, bytes, gpus int) des.Time {
	if gpus <= 1 {
		return 0
	}
	return us(m.GlooRowUs*float64(rows)) + transfer(m.GlooGBPerSecond, float64(bytes))
}

// inside moves the share of bytes that belongs to other GPUs of a server, passes
// times.
func (m *Machine) inside(passes float64, bytes, gpus int) des.Time {
	if gpus <= 1 {
		return 0
	}
	return us(m.CollectiveUs) + transfer(m.bus(gpus), passes*othersShare(gpus)*float64(bytes))
}

// othersShare is the part of a rank's buffer that belongs to other ranks.
func othersShare(ranks int) float64 { return float64(ranks-1) / float64(ranks) }
