package node

// Collectives follow the cost model of nccl-tests: bytes is the size of the
// buffer of one rank, and the bus carries 2(n-1)/n of it in an all-reduce and
// (n-1)/n in the others. With one rank nothing moves and no time passes.

// busGBPerSecond is what a GPU moves to the others of its server, each pair
// having its own links.
func (m *Machine) busGBPerSecond(gpus int) float64 {
	return m.NVLinkPairGBPerSecond * float64(gpus-1)
}

// AllReduceTime is the time of summing bytes over the GPUs of one server.
func (m *Machine) AllReduceTime(bytes, gpus int) Time { return m.collective(2, bytes, gpus) }

// AllGatherTime is the time in which each GPU of a server gets the parts of all
// others, bytes in sum; a reduce-scatter of bytes takes as long.
func (m *Machine) AllGatherTime(bytes, gpus int) Time { return m.collective(1, bytes, gpus) }

// AllToAllTime is the time in which each GPU of a server sends an equal part of
// its bytes to each other one.
func (m *Machine) AllToAllTime(bytes, gpus int) Time { return m.collective(1, bytes, gpus) }

// ClusterAllReduceTime is the time of summing bytes over nodes servers of gpus
// GPUs: one ring through all ranks, as fast as the slowest hop, which is the
// network card.
func (m *Machine) ClusterAllReduceTime(bytes, gpus, nodes int) Time {
	if nodes <= 1 {
		return m.AllReduceTime(bytes, gpus)
	}
	return us(m.CollectiveUs) + transfer(m.NICGBPerSecond, 2*othersShare(gpus*nodes)*float64(bytes))
}

// ClusterAllToAllTime is the time in which each GPU of nodes servers sends an
// equal part of its bytes to each other one; the GPUs of a server share its
// network card.
func (m *Machine) ClusterAllToAllTime(bytes, gpus, nodes int) Time {
	if nodes <= 1 {
		return m.AllToAllTime(bytes, gpus)
	}
	out := float64(bytes) * othersShare(nodes) * float64(gpus)
	t := transfer(m.NICGBPerSecond, out)
	if gpus > 1 {
		inside := float64(bytes) * float64(gpus-1) / float64(gpus*nodes)
		t = max(t, transfer(m.busGBPerSecond(gpus), inside))
	}
	return us(m.CollectiveUs) + t
}

// collective moves the share of bytes that belongs to other GPUs, passes times.
func (m *Machine) collective(passes float64, bytes, gpus int) Time {
	if gpus <= 1 {
		return 0
	}
	return us(m.CollectiveUs) + transfer(m.busGBPerSecond(gpus), passes*othersShare(gpus)*float64(bytes))
}

// othersShare is the part of a rank's buffer that belongs to other ranks.
func othersShare(ranks int) float64 { return float64(ranks-1) / float64(ranks) }
