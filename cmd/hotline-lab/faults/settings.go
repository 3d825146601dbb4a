package faults

import (
	"fmt"
)

// Settings are the flags of the verb.
type Settings struct {
	Commands int
	Hardware int
	Seed     uint64
	Rate     float64
	Episode  int
	JSON     bool
}

// Check returns an error for invalid settings.
func (s Settings) Check() error {
	switch {
	case s.Commands < 0 || s.Hardware < 0 || s.Commands+s.Hardware == 0:
		return fmt.Errorf("--commands is %d and --hardware %d, expected 0 or more, and not both 0", s.Commands, s.Hardware)
	case !(s.Rate >= 0 && s.Rate <= 100):
		return fmt.Errorf("--rate is %v, expected 0 to 100", s.Rate)
	case s.Episode >= s.episodes():
		return fmt.Errorf("--episode is %d, expected below %d", s.Episode, s.episodes())
	}
	return nil
}
