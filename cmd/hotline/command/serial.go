package command

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// serialNumber is a flag for a device serial number, an EUI-64 in the format of lspci.
type serialNumber uint64

var eui64 = regexp.MustCompile(`^[0-9A-Fa-f]{2}(-[0-9A-Fa-f]{2}){7}$`)

// String implements pflag.Value.
func (n *serialNumber) String() string {
	b := binary.BigEndian.AppendUint64(nil, uint64(*n))
	return strings.ReplaceAll(fmt.Sprintf("% x", b), " ", "-")
}

// Set implements pflag.Value.
func (n *serialNumber) Set(text string) error {
	if !eui64.MatchString(text) {
		return errors.New("expected 8 bytes in hexadecimal, as 02-00-00-00-00-00-00-01")
	}
	b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	*n = serialNumber(binary.BigEndian.Uint64(b))
	return err
}

// Type implements pflag.Value.
func (n *serialNumber) Type() string { return "number" }
