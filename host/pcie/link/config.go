package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// Config configures a link. An omitted HCL attribute keeps its previous value. Credits are set in
// Go only.
type Config struct {
	// Name appears in reports. If it is empty, Attach uses the device's ID.
	Name string `hcl:"name,optional"`
	// Generation is 1 to 5, and Lanes 1, 2, 4, 8 or 16.
	Generation int `hcl:"generation,optional"`
	Lanes      int `hcl:"lanes,optional"`
	// LatencyDown and LatencyUp are the times from the last byte sent to the delivery of the TLP to
	// the receiver, in picoseconds. They include both physical layers and the receiving data link
	// layer. Credits return with the latency of the other direction.
	LatencyDown des.Time `hcl:"latency_down_ps,optional"`
	LatencyUp   des.Time `hcl:"latency_up_ps,optional"`
	// TLPShare is the share of the raw rate that is left for TLPs; 1 is the raw rate. See
	// [pcie.TLPShare].
	TLPShare float64 `hcl:"tlp_share,optional"`
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

// Check returns an error for the first field that is out of range.
func (c Config) Check() error {
	switch {
	case !pcie.Gen(c.Generation).Valid():
		return fmt.Errorf("link: generation %d, expected 1 to 5", c.Generation)
	case c.Lanes < 1 || c.Lanes > 16 || c.Lanes&(c.Lanes-1) != 0:
		return fmt.Errorf("link: %d lanes, expected 1, 2, 4, 8 or 16", c.Lanes)
	case c.LatencyDown < 0 || c.LatencyUp < 0:
		return fmt.Errorf("link: latency %v down and %v up, expected 0 or more", c.LatencyDown, c.LatencyUp)
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

// Straps contains the settings of a function in its configuration space.
type Straps struct {
	// MPS and MRRS are the maximum payload size and the maximum read request size, 128 to 4096
	// bytes.
	MPS  int `hcl:"max_payload,optional"`
	MRRS int `hcl:"max_read_request,optional"`
	// RCB is the read completion boundary, 64 or 128 bytes.
	RCB int `hcl:"read_completion_boundary,optional"`
	// ExtendedTags allows 256 instead of 32 outstanding reads.
	ExtendedTags bool `hcl:"extended_tags,optional"`
	// ECRC makes the function and the root complex add a digest to each TLP that they send. Digests
	// are always checked.
	ECRC bool `hcl:"ecrc,optional"`
	// BusMaster allows the function to send requests; otherwise, requests wait.
	BusMaster bool `hcl:"bus_master,optional"`
}

// DefaultStraps returns typical settings of a current host: MPS 256, MRRS 512, RCB 64, extended
// tags, bus mastering enabled.
func DefaultStraps() Straps {
	return Straps{MPS: 256, MRRS: 512, RCB: 64, ExtendedTags: true, BusMaster: true}
}

// Check returns an error for the first field that is out of range.
func (s Straps) Check() error {
	if err := checkSize("max payload", s.MPS); err != nil {
		return err
	}
	if err := checkSize("max read request", s.MRRS); err != nil {
		return err
	}
	return checkRCB(s.RCB)
}

// Tags returns the maximum number of outstanding reads.
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
