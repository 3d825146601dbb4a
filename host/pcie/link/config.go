package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Config configures a link. An omitted HCL attribute keeps its previous value. Credits are set in
// Go only.
type Config struct {
	Name       string `hcl:"name,optional" default:"the device's ID" doc:"name in reports"`
	Generation int    `hcl:"generation,optional" doc:"generation of PCI Express"`
	Lanes      int    `hcl:"lanes,optional" doc:"width of the link"`
	// The latencies include both physical layers and the receiving data link layer. Credits return
	// with the latency of the other direction.
	LatencyDown des.Time `hcl:"latency_down_ps,optional" unit:"ps" doc:"last byte sent by the host to delivery"`
	LatencyUp   des.Time `hcl:"latency_up_ps,optional" unit:"ps" doc:"last byte sent by the device to delivery"`
	TLPShare    float64  `hcl:"tlp_share,optional" doc:"share of the raw rate that is left for TLPs"` // see [pcie.TLPShare]
	// DownCredits are advertised by the device below, UpCredits by the port above.
	DownCredits, UpCredits Credits
}

// Credits contains the credits that a receiver advertises at initialisation (2.6.1): headers, and
// data in units of 16 bytes, for posted requests, non-posted requests and completions. 0 means
// infinite, as in the specification.
type Credits struct {
	PH, PD, NPH, NPD, CPLH, CPLD int
}

// Maximum advertisements: half the range of the 8-bit and 12-bit counters.
const (
	maxHeaderCredits = 127
	maxDataCredits   = 2047
)

// DefaultConfig returns a Gen3 x16 link at MPS 256 with its data-link overhead. The latency of 150
// ns per direction is an assumption. Endpoints and the root complex advertise infinite completion
// credits, as the specification requires.
func DefaultConfig() Config {
	most := Credits{PH: maxHeaderCredits, PD: maxDataCredits, NPH: maxHeaderCredits, NPD: maxDataCredits}
	return Config{
		Generation: 3, Lanes: 16,
		LatencyDown: 150 * des.Nanosecond, LatencyUp: 150 * des.Nanosecond,
		TLPShare:    pcie.TLPShare(16, 256),
		DownCredits: most, UpCredits: most,
	}
}

// Limits returns the ranges of the attributes.
func (Config) Limits() map[string]limits.Range {
	return map[string]limits.Range{
		"generation": limits.Between(1, pcie.LastGen), "lanes": limits.PowerOfTwo(1, 16),
		"latency_down_ps": limits.AtLeast(0), "latency_up_ps": limits.AtLeast(0), "tlp_share": limits.Share(),
	}
}

// Check returns an error for the first field that is out of range.
func (c Config) Check() error {
	if _, err := limits.First(c); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	if err := c.DownCredits.check("down"); err != nil {
		return err
	}
	return c.UpCredits.check("up")
}

func (c *Credits) check(dir string) error {
	for _, f := range []struct {
		name   string
		v, max int
	}{
		{"PH", c.PH, maxHeaderCredits}, {"PD", c.PD, maxDataCredits},
		{"NPH", c.NPH, maxHeaderCredits}, {"NPD", c.NPD, maxDataCredits},
		{"CPLH", c.CPLH, maxHeaderCredits}, {"CPLD", c.CPLD, maxDataCredits},
	} {
		if f.v < 0 || f.v > f.max {
			return fmt.Errorf("link: %s credits: %s = %d, expected 0 (infinite) to %d", dir, f.name, f.v, f.max)
		}
	}
	return nil
}

// Straps contains the settings of a function in its configuration space.
type Straps struct {
	MPS          int  `hcl:"max_payload,optional" unit:"bytes" doc:"maximum payload size (MPS)"`
	MRRS         int  `hcl:"max_read_request,optional" unit:"bytes" doc:"maximum read request size (MRRS)"`
	RCB          int  `hcl:"read_completion_boundary,optional" unit:"bytes" doc:"where completions may be split (RCB)"`
	ExtendedTags bool `hcl:"extended_tags,optional" doc:"256 instead of 32 outstanding reads"`
	ECRC         bool `hcl:"ecrc,optional" doc:"function and root complex add a digest to each TLP"` // digests are always checked
	BusMaster    bool `hcl:"bus_master,optional" doc:"the function may send requests"`
}

// DefaultStraps returns typical settings of a current host: MPS 256, MRRS 512, RCB 64, extended
// tags, bus mastering enabled.
func DefaultStraps() Straps {
	return Straps{MPS: 256, MRRS: 512, RCB: 64, ExtendedTags: true, BusMaster: true}
}

// Ranges of sizes in bytes.
var (
	sizes = limits.PowerOfTwo(128, 4096)
	rcbs  = limits.PowerOfTwo(64, 128)
)

// Limits returns the ranges of the settings.
func (Straps) Limits() map[string]limits.Range {
	return map[string]limits.Range{"max_payload": sizes, "max_read_request": sizes, "read_completion_boundary": rcbs}
}

// Check returns an error for the first field that is out of range.
func (s Straps) Check() error {
	if _, err := limits.First(s); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	return nil
}

// Tags returns the maximum number of outstanding reads.
func (s Straps) Tags() int {
	if s.ExtendedTags {
		return 256
	}
	return 32
}
