package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/.ci/random/oracle"
)

// kept is a specification that disagreed once, or an example of those that agree.
type kept struct {
	Seed     string
	Number   int
	Disagree []disagreement `json:",omitempty"` // when it was kept
	Spec     *oracle.Spec
}

// failed keeps a specification that disagrees and returns an error that says what to do.
func (o *options) failed(t *trial) error {
	if len(t.wrong) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "specification %d of seed %s disagrees with the oracle.\n", t.number, o.seed)
	for _, w := range t.wrong {
		fmt.Fprintf(&b, "  %s\n    %s\n", w.Command, w.What)
	}
	path := filepath.Join(o.keep, fmt.Sprintf("%s-%d.json", o.seed, t.number))
	if err := keep(path, &kept{o.seed, t.number, t.wrong, t.s}); err != nil {
		return fmt.Errorf("%s%w", b.String(), err)
	}
	fmt.Fprintf(&b, "It is kept in %s, and TestKept runs it. See it alone, with its files and commands:\n"+
		"  go run ./.ci/random -seed %s -only %d\n"+
		"Find which side is wrong, mend it, and leave the file as a test of that.", path, o.seed, t.number)
	return fmt.Errorf("%s", b.String())
}

func keep(path string, k *kept) error {
	text, err := json.Marshal(k)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// readKept reads a specification that was kept.
func readKept(path string) (*kept, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	k := &kept{}
	if err := json.Unmarshal(text, k); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// stateFile says, for each seed, how many specifications agreed.
func (o *options) stateFile() (string, error) {
	if o.state != "" {
		return o.state, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w; name a file with -state", err)
	}
	return filepath.Join(cache, "multigrain-random"), nil
}

// done returns how many specifications of the seed an earlier run has tried.
func (o *options) done() (int, error) {
	path, err := o.stateFile()
	if err != nil {
		return 0, err
	}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return 0, nil
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var seed string
		var number int
		if _, err := fmt.Sscan(line, &seed, &number); err == nil && seed == o.seed {
			n = max(n, number)
		}
	}
	return n, err
}

// note writes that so many are done.
func (o *options) note(n int) error {
	path, err := o.stateFile()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintln(f, o.seed, n)
	return err
}
