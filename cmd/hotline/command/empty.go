package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty makes a command and its subcommands reject empty flag values and empty arguments. In
// most cases, an empty value is an unset shell variable. If it counted as an absent flag, --data
// "$UNSET" would train on generated inputs.
func refuseEmpty(c *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) { f.Value = filled{f.Value, f} })
	}
	check := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		for i, a := range args {
			if blank(a) {
				return usage(fmt.Errorf("argument %d is empty; see '%s --help'", i+1, c.CommandPath()))
			}
		}
		return check(c, args)
	}
	for _, child := range c.Commands() {
		refuseEmpty(child)
	}
}

// filled is the value of a flag that rejects an empty text.
type filled struct {
	pflag.Value
	flag *pflag.Flag
}

// Set implements pflag.Value.
func (v filled) Set(text string) error {
	err := v.Value.Set(text)
	if err == nil && blank(text) {
		takes, _ := pflag.UnquoteUsage(v.flag)
		err = errors.New("it is empty, expected " + takes)
	}
	return err
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
