//go:build linux

// Command emulated is the init program of the guest of scripts/avx512. It checks that the processor
// has AVX-512, runs the commands in the file /commands, prints PASS or FAIL, and powers off. A line
// of that file consists of a regular expression and a command, separated by tabs. A line of the
// command's output must match the expression.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// collector disables the vector instructions in Go's garbage collector, which crashes with them in
// Bochs 2.7.
const collector = "GODEBUG=cpu.avx512vl=off,cpu.avx512bw=off"

func main() {
	begun := time.Now()
	if err := run(); err != nil {
		fmt.Println("FAIL", err)
	} else {
		fmt.Printf("PASS in %.0f s of the guest\n", time.Since(begun).Seconds())
	}
	drain()
	_ = syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF)
}

// drain waits until the serial line has sent all output.
func drain() {
	const tcsbrk = 0x5409 // waits for the output if its argument is not 0
	_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, os.Stdout.Fd(), tcsbrk, 1)
}

func run() error {
	for _, m := range [][2]string{{"proc", "/proc"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"}} {
		if err := os.MkdirAll(m[1], 0o755); err != nil {
			return err
		}
		if err := syscall.Mount(m[0], m[1], m[0], 0, ""); err != nil {
			return fmt.Errorf("mount of %s: %w", m[1], err)
		}
	}
	if err := model.AVX512.Check(); err != nil {
		return err
	}
	fmt.Println("the processor has AVX-512")
	text, err := os.ReadFile("/commands")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		if len(fields) < 2 {
			return fmt.Errorf("line %q, expected a regular expression and a command", line)
		}
		fmt.Printf("%d of %d: %s\n", i+1, len(lines), strings.Join(fields[1:], " "))
		if err := command(fields[0], fields[1:]); err != nil {
			return fmt.Errorf("%s: %w", fields[1], err)
		}
	}
	return nil
}

// command runs a command and checks that a line of its output matches a pattern.
func command(pattern string, args []string) error {
	want, err := regexp.Compile("(?m)^" + pattern + "$")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "HOTLINE_EMULATED=1", "HOTLINE_PROGRAMS=/programs", collector)
	cmd.Stdout = io.MultiWriter(os.Stdout, &out)
	cmd.Stderr = cmd.Stdout
	if err := cmd.Run(); err != nil {
		return err
	}
	if !want.Match(out.Bytes()) {
		return errors.New("no line of the output matches " + pattern)
	}
	return nil
}
