package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hotline-rtl/hotline/cmd/hotline/command"
	"github.com/hotline-rtl/hotline/gen/outfile"
)

func manpagesVerb() *cobra.Command {
	return &cobra.Command{
		Use:   "manpages DIR",
		Short: "Write a manual page for each verb of hotline",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(fmt.Errorf("%d arguments, expected one folder", len(args)))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := outfile.Folder(args[0]); err != nil {
				return err
			}
			return writeManPages(args[0], command.Tree())
		},
	}
}

// writeManPages writes the pages of a command and of those below it.
func writeManPages(dir string, c *cobra.Command) error {
	if c.Hidden {
		return nil
	}
	if err := outfile.WriteBytes(filepath.Join(dir, pageName(c)+".1"), []byte(manPage(c))); err != nil {
		return err
	}
	for _, child := range c.Commands() {
		if err := writeManPages(dir, child); err != nil {
			return err
		}
	}
	return nil
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage returns the page of a command in roff, with the macros of man(7).
func manPage(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", strings.ToUpper(pageName(c)), roff(pageName(c)), roff(c.Short))
	synopsis := c.UseLine()
	if c.HasAvailableSubCommands() {
		synopsis = c.CommandPath() + " [command] [flags]"
	}
	fmt.Fprintf(&b, ".nf\n%s\n.fi\n", roff(synopsis))
	if c.Long != "" { // its lines and columns are set by hand
		fmt.Fprintf(&b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(c.Long))
	}
	options := func(title string, flags *pflag.FlagSet) {
		if !flags.HasAvailableFlags() {
			return
		}
		fmt.Fprintf(&b, ".SH %s\n", title)
		flags.VisitAll(func(f *pflag.Flag) { b.WriteString(option(f)) })
	}
	options("OPTIONS", c.NonInheritedFlags())
	options("GENERAL OPTIONS", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	var also []string
	if c.HasParent() {
		also = append(also, pageName(c.Parent()))
	}
	for _, child := range c.Commands() {
		if !child.Hidden {
			also = append(also, pageName(child))
		}
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s(1)\n", roff(strings.Join(also, "(1), ")))
	}
	return b.String()
}

// option returns the paragraph of a flag.
func option(f *pflag.Flag) string {
	value, text := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if value != "" {
		name += " " + value
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" {
		text += " (default " + f.DefValue + ")"
	}
	return fmt.Sprintf(".TP\n.B %s\n%s\n", roff(name), roff(text))
}

// control matches the start of a line that roff would take for a request.
var control = regexp.MustCompile(`(?m)^(\s*)([.'])`)

// roff escapes a text, so that it appears as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	return control.ReplaceAllString(text, `$1\&$2`)
}
