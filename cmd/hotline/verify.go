package main

import "github.com/spf13/cobra"

func verifyCommand() *cobra.Command { return &cobra.Command{Use: "verify"} }
