// Command edit changes a number in one line of a log.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	line := flag.Int("line", 1, "number of the line")
	add := flag.String("add", "", "path=number: what is added where")
	flag.Parse()
	if err := edit(*line, *add, flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func edit(line int, add, from, to string) error {
	log, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	path, text, _ := strings.Cut(add, "=")
	var n float64
	if _, err := fmt.Sscan(text, &n); err != nil {
		return err
	}
	lines := bytes.SplitAfter(log, []byte("\n"))
	var event map[string]any
	if err := json.Unmarshal(lines[line-1], &event); err != nil {
		return err
	}
	parts := strings.Split(path, ".")
	at := event
	for _, p := range parts[:len(parts)-1] {
		at, _ = at[p].(map[string]any)
	}
	last := parts[len(parts)-1]
	old, ok := at[last].(float64)
	if !ok {
		return fmt.Errorf("line %d has no number %s", line, path)
	}
	at[last] = old + n
	b, err := json.Marshal(event)
	if err != nil {
		return err
	}
	lines[line-1] = append(b, '\n')
	return os.WriteFile(to, bytes.Join(lines, nil), 0o644)
}
