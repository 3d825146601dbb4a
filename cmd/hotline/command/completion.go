package command

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// completions writes the completion script of each shell.
var completions = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(c *cobra.Command, w io.Writer) error { return c.GenBashCompletionV2(w, true) },
	"zsh":        (*cobra.Command).GenZshCompletion,
	"fish":       func(c *cobra.Command, w io.Writer) error { return c.GenFishCompletion(w, true) },
	"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
}

func completionCommand() *cobra.Command {
	shells := slices.Sorted(maps.Keys(completions))
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes command lines in a shell",
		Long: `Prints a script for ` + strings.Join(shells, ", ") + `. With the script, the
shell completes verbs, flags and file names when you press Tab.

Load it in every new shell with one of the lines below. For bash, the package
bash-completion must be installed.`,
		Example: `  source <(hotline completion bash)              # in ~/.bashrc
  source <(hotline completion zsh)               # in ~/.zshrc, after compinit
  hotline completion fish | source               # in ~/.config/fish/config.fish
  hotline completion powershell | Out-String | Invoke-Expression   # in $PROFILE`,
		ValidArgs: shells,
		Args: func(c *cobra.Command, args []string) error {
			expected := fmt.Sprintf("expected one of %s; see '%s --help'", strings.Join(shells, ", "), c.CommandPath())
			switch {
			case len(args) != 1:
				return usage(fmt.Errorf("%d arguments are given; %s", len(args), expected))
			case completions[args[0]] == nil:
				return usage(fmt.Errorf("%q is not a known shell; %s", args[0], expected))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return completions[args[0]](cmd.Root(), cmd.OutOrStdout())
		},
	}
}
