package axil_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/sim/netlist/netlisttest"
)

func TestNetlists(t *testing.T) { netlisttest.Run(t, "axil_slave", elaborate(t), checkAll) }
