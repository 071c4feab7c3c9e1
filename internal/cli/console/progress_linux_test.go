package console_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/textsafe"
)

// openTerminal opens a pseudoterminal of a width, and returns its two ends.
func openTerminal(t *testing.T, width int) (*os.File, *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	fd := int(screen.Fd())
	err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(width)})
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(filepath.Join("/dev/pts", strconv.Itoa(n)), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return screen, program
}

// screenAfter is what a terminal of a width shows after an output: its lines.
func screenAfter(t *testing.T, output string, width int) []string {
	t.Helper()
	lines := []string{""}
	column := 0
	for output != "" {
		switch {
		case strings.HasPrefix(output, "\x1b[K"):
			lines[len(lines)-1] = cutColumns(lines[len(lines)-1], column)
			output = output[len("\x1b[K"):]
			continue
		case output[0] == '\x1b':
			t.Fatalf("an unknown sequence: %.10q", output)
		}
		r, size := utf8.DecodeRuneInString(output)
		output = output[size:]
		switch r {
		case '\r':
			column = 0
		case '\n':
			lines = append(lines, "")
		default:
			if column+textsafe.Width(string(r)) > width {
				lines, column = append(lines, ""), 0
			}
			line := lines[len(lines)-1]
			after := ""
			if column < textsafe.Width(line) {
				after = line[len(cutColumns(line, column+1)):]
			}
			lines[len(lines)-1] = cutColumns(line, column) + string(r) + after
			column += textsafe.Width(string(r))
		}
	}
	return lines
}

// cutColumns is the beginning of a line.
func cutColumns(line string, n int) string {
	for textsafe.Width(line) > n {
		r := []rune(line)
		line = string(r[:len(r)-1])
	}
	return line
}

// TestProgressOnTerminal: a bar leaves nothing behind on terminals of all widths, among lines
// with wide characters.
func TestProgressOnTerminal(t *testing.T) {
	t.Parallel()
	for width, bar := range map[int]string{
		120: "checked 99 of 1000, 33 failed, 30s left, 30.0 per second [===-------------------------------------]",
		80:  "checked 99 of 1000, 33 failed, 30s left, 30.0 per second [=-------------------]",
		40:  "checked 99 of 1000, 33 failed, 30s left",
		20:  "checked 99 of 1000",
		10:  "checked …",
	} {
		t.Run(strconv.Itoa(width), func(t *testing.T) {
			t.Parallel()
			screen, program := openTerminal(t, width)
			output := make(chan string, 1)
			go func() {
				text, _ := io.ReadAll(screen) // an error is how a terminal ends
				output <- string(text)
			}()
			var want bytes.Buffer
			synctest.Test(t, func(t *testing.T) {
				env := console.FileEnv(nil, program, program, program)
				env.Getenv = nil
				a := console.New(env)
				p := a.StartProgress(1000, false)
				for i := range 99 {
					time.Sleep(33 * time.Millisecond)
					name := fmt.Sprintf("%d 新聞.example 🗞️", i)
					fmt.Fprintln(a.Out, name)
					fmt.Fprintln(&want, name)
					err := a.Out.Flush()
					if err != nil {
						t.Error(err)
					}
					p.Step(i%3 == 0)
				}
				time.Sleep(tick)
				fmt.Fprintln(program, "\nthe end of the bar")
				err := p.Stop()
				if err != nil {
					t.Error(err)
				}
			})
			_ = program.Close()
			got := screenAfter(t, <-output, width)
			lines := screenAfter(t, strings.ReplaceAll(want.String()+bar+"\nthe end of the bar\n", "\n", "\r\n"), width)
			if strings.Join(got, "\n") != strings.Join(lines, "\n") {
				t.Errorf("the screen is wrong: %s", cmp.Diff(lines, got))
			}
		})
	}
}
