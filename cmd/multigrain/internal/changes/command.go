package changes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
)

// commandTime bounds how long a build command takes.
const commandTime = 30 * time.Minute

// lastOutput is how many lines of a failed command are shown.
const lastOutput = 20

// command runs the build command of the implementation block in a copy of a side of the change, or
// finds the result in the cache. It returns where the result is, "" where a diagnostic says why
// there is none.
func (o *observer) command(side string) string {
	build := o.x.impl.Sources.Build
	var words []string
	for _, w := range build.Value {
		words = append(words, w.Value)
	}
	result := filepath.FromSlash(o.x.impl.Sources.Classes.Value)
	dir := filepath.Join(sidesIn(o.run), "built-"+hashOf(append([]string{side, result}, words...)...))
	path := filepath.Join(dir, result)
	if !filepath.IsLocal(result) {
		o.run.Add(o.x.impl.Sources.Classes.Errorf(codes.BuildRun, "Build command fails", "The result %q is outside of the code.", result))
		return ""
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if output, err := o.runIn(side, dir, result, words); err != nil {
		if o.run.Env.Soft.Err() != nil {
			o.undecided("interrupted while the changed code was compiled")
			return ""
		}
		o.run.Add(build.Errorf(codes.BuildRun, "Build command fails", "%q in a copy of the changed code: %v.%s", strings.Join(words, " "), err, lastLines(output)))
		return ""
	}
	return path
}

// runIn runs a command in a copy of a folder. Only a copy with the result has the name dir.
func (o *observer) runIn(side, dir, result string, words []string) (output []byte, err error) {
	work, err := host.MkdirTemp(filepath.Dir(dir), ".build-*")
	if err != nil {
		return nil, err
	}
	defer host.RemoveAll(work)
	tree := filepath.Join(work, "code")
	if err := os.CopyFS(tree, os.DirFS(side)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(o.run.Env.Soft, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.WaitDelay = tree, 5*time.Second
	endsWhole(cmd)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.Bytes(), err
	}
	if _, err := os.Stat(filepath.Join(tree, result)); err != nil {
		return nil, fmt.Errorf("it has not made %q in the code; name the folder or the archive with its result in the attribute classes", result)
	}
	if err := host.Rename(tree, dir); err != nil {
		if _, there := os.Stat(filepath.Join(dir, result)); there != nil { // no other run made it
			return nil, err
		}
	}
	return nil, nil
}

// lastLines returns the end of a command's output, for a message.
func lastLines(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return ""
	}
	return " Its last lines are\n" + strings.Join(lines[max(0, len(lines)-lastOutput):], "\n")
}

// hashOf returns the name of something that texts determine: 32 hexadecimal digits.
func hashOf(texts ...string) string {
	sum := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(sum, "%q ", t)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}
