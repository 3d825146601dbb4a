package docs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline/command"
)

// TestVerbsOfTheDocument: command-line.md has the synopsis and the flags of every verb.
func TestVerbsOfTheDocument(t *testing.T) {
	const (
		file    = "reference/command-line.md"
		heading = "\n## Verbs\n\nEvery verb also takes `--help` and `--quiet`. \"See above\" refers to the text of `hotline VERB --help`.\n"
	)
	text := read(t, file)
	before, _, ok := strings.Cut(text, heading)
	require.True(t, ok)
	want := before + heading + verbs(command.Tree())
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o666))
		return
	}
	require.Equal(t, want, text, "%s is stale: run go test ./docs -run VerbsOfTheDocument -update", file)

	spoiled := command.Tree()
	cosim, _, err := spoiled.Find([]string{"cosim"})
	require.NoError(t, err)
	cosim.Flags().Bool("new", false, "a flag that the document lacks")
	require.NotContains(t, text, verbs(spoiled))
}

// verbs returns the synopsis, the purpose and the flags of all verbs below a command.
func verbs(c *cobra.Command) string {
	b := &strings.Builder{}
	for _, v := range c.Commands() {
		if v.Hidden {
			continue
		}
		name := strings.TrimPrefix(v.CommandPath(), "hotline ")
		fmt.Fprintf(b, "\n### %s\n\n%s.\n\n```\n%s\n%s```\n", name, v.Short, v.UseLine(), flags(v).FlagUsages())
		b.WriteString(verbs(v))
	}
	return b.String()
}

// flags returns the flags that only a verb has, each with one line of text.
func flags(v *cobra.Command) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	v.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if one := *f; f.Name != "help" {
			one.Usage = unwrapped(f.Usage)
			set.AddFlag(&one)
		}
	})
	return set
}
