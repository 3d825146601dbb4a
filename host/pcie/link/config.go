package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// Config describes a link. An HCL attribute that is left out keeps the value it
// had; credits are set in Go.
type Config struct {
	// Name appears in reports; Attach puts the device's ID when it is empty.
	Name string `hcl:"name,optional"`
	// Generation, 1 to 5, and Lanes, 1 to 16.
	Generation int `hcl:"generation,optional"`
	Lanes      int `hcl:"lanes,optional"`
	// LatencyDown and LatencyUp are the times from the last byte sent to the TLP
	// being in the receiver's hands, in picoseconds: both physical layers and
	// the receiving data link layer. Credits come back with the latency of the
	// other direction.
	LatencyDown des.Time `hcl:"latency_down_ps,optional"`
	LatencyUp   des.Time `hcl:"latency_up_ps,optional"`
	// TLPShare is the part of the raw rate that is left for TLPs; 1 is the raw
	// rate. See [pcie.TLPShare].
	TLPShare float64 `hcl:"tlp_share,optional"`
	// DownCredits are advertised by the device below, UpCredits by what is above.
	DownCredits, UpCredits Credits
}

// Credits are what a receiver advertises at initialisation (2.6.1): headers, and
// data in units of 16 bytes, for posted requests, non-posted requests and
// completions. 0 is infinite, as in the specification.
type Credits struct {
	PH, PD, NPH, NPD, CPLH, CPLD int
}

// Largest advertisements: half of what the 8-bit and 12-bit counters count.
const (
	maxHeaderCredits = 127
	maxDataCredits   = 2047
)

// DefaultConfig is a Gen3 x16 link at MPS 256 with its data-link overhead. The
// latency of 150 ns each way is an assumption; endpoints and the root complex
// advertise infinite completion credits, as the specification asks of them.
func DefaultConfig() Config {
	most := Credits{PH: maxHeaderCredits, PD: maxDataCredits, NPH: maxHeaderCredits, NPD: maxDataCredits}
	return Config{
		Generation: 3, Lanes: 16,
		LatencyDown: 150 * des.Nanosecond, LatencyUp: 150 * des.Nanosecond,
		TLPShare:    pcie.TLPShare(16, 256),
		DownCredits: most, UpCredits: most,
	}
}

// Check reports the first field that is out of range.
func (c Config) Check() error {
	switch {
	case !pcie.Gen(c.Generation).Valid():
		return fmt.Errorf("link: generation %d, expected 1 to 5", c.Generation)
	case c.Lanes < 1 || c.Lanes > 16 || c.Lanes&(c.Lanes-1) != 0:
		return fmt.Errorf("link: %d lanes, expected 1, 2, 4, 8 or 16", c.Lanes)
	case c.LatencyDown < 0 || c.LatencyUp < 0:
		return fmt.Errorf("link: latency %v down and %v up, expected none to be negative", c.LatencyDown, c.LatencyUp)
	case !(c.TLPShare > 0 && c.TLPShare <= 1):
		return fmt.Errorf("link: TLP share %v, expected above 0 and at most 1", c.TLPShare)
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

// Straps are the settings of a function that its configuration space holds.
type Straps struct {
	// MPS and MRRS: largest payload and largest read request, 128 to 4096 bytes.
	MPS  int `hcl:"max_payload,optional"`
	MRRS int `hcl:"max_read_request,optional"`
	// RCB is the read completion boundary, 64 or 128 bytes.
	RCB int `hcl:"read_completion_boundary,optional"`
	// ExtendedTags allows 256 reads in flight instead of 32.
	ExtendedTags bool `hcl:"extended_tags,optional"`
	// ECRC lets the function and the root complex add a digest to each TLP that they
	// send. Digests are always checked.
	ECRC bool `hcl:"ecrc,optional"`
	// BusMaster allows the function to send requests; without it they wait.
	BusMaster bool `hcl:"bus_master,optional"`
}

// DefaultStraps is what a host of today sets: MPS 256, MRRS 512, RCB 64,
// extended tags, bus master on.
func DefaultStraps() Straps {
	return Straps{MPS: 256, MRRS: 512, RCB: 64, ExtendedTags: true, BusMaster: true}
}

// Check reports the first field that is out of range.
func (s Straps) Check() error {
	if err := checkSize("max payload", s.MPS); err != nil {
		return err
	}
	if err := checkSize("max read request", s.MRRS); err != nil {
		return err
	}
	return checkRCB(s.RCB)
}

// Tags is the number of reads that may be in flight.
func (s Straps) Tags() int {
	if s.ExtendedTags {
		return 256
	}
	return 32
}

func checkSize(what string, n int) error {
	if n < 128 || n > 4096 || n&(n-1) != 0 {
		return fmt.Errorf("link: %s %d, expected a power of two from 128 to 4096", what, n)
	}
	return nil
}

func checkRCB(n int) error {
	if n != 64 && n != 128 {
		return fmt.Errorf("link: read completion boundary %d, expected 64 or 128", n)
	}
	return nil
}
