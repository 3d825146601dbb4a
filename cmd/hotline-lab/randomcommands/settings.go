package randomcommands

import (
	"errors"
	"fmt"
)

// Settings are the flags of the verb.
type Settings struct {
	Commands int
	Seed     uint64
	Config   string
	Episode  int
	VCD      string
	From     uint64
	Cover    string
	JSON     bool
}

// Check returns an error for invalid settings.
func (s Settings) Check() error {
	switch {
	case s.Commands < 1:
		return fmt.Errorf("--commands is %d, expected at least 1", s.Commands)
	case s.VCD != "" && s.Episode < 0:
		return errors.New("--vcd needs --episode")
	case s.Cover != "" && s.Episode >= 0:
		return errors.New("--cover is of a whole campaign; leave out --episode")
	case s.JSON && s.Episode >= 0:
		return errors.New("--json is of a whole campaign; leave out --episode")
	}
	_, err := configuration(s.Config, s.Seed)
	return err
}
