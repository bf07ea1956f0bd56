package change

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/multigrain/multigrain/checker/host"
)

// repo is a folder with code, in a repository of Git or not.
type repo struct {
	dir string // absolute
	// base is the commit that the folder is compared with; "" where a diff is given instead.
	base string
}

// openRepo opens a folder. With a revision the change is the difference between the folder and the
// revision's last common ancestor with the checked-out commit. Untracked files count, ignored ones
// do not.
func openRepo(dir, revision string) (*repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%q is not a folder", dir)
	}
	r := &repo{dir: abs}
	if revision == "" {
		return r, nil
	}
	commit, err := r.git("rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("%q has no revision %q: %w", dir, revision, err)
	}
	r.base = strings.TrimSpace(commit)
	if common, err := r.git("merge-base", r.base, "HEAD"); err == nil {
		r.base = strings.TrimSpace(common)
	}
	return r, nil
}

// git runs Git in the folder. The settings of its repository may name programs: the monitor of
// files is switched off, and callers switch off external diffs and conversions to text.
func (r *repo) git(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "core.quotePath=false", "-c", "core.fsmonitor=false"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = errors.New(strings.TrimSpace(stderr.String()))
		if err.Error() == "" {
			err = fmt.Errorf("git %s failed: %s", args[0], exit.ProcessState)
		}
	}
	return string(out), err
}

// diff returns the files that differ from the base.
func (r *repo) diff() ([]*File, error) {
	out, err := r.git("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--full-index", "--relative",
		"--src-prefix=a/", "--dst-prefix=b/", r.base, "--", ".")
	if err != nil {
		return nil, err
	}
	var files []*File
	if strings.TrimSpace(out) != "" {
		if files, err = ParseDiff(out); err != nil {
			return nil, err
		}
	}
	others, err := r.git("ls-files", "--others", "--exclude-standard", "-z", "--", ".")
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(others, "\x00") {
		if name != "" {
			files = append(files, &File{New: name})
		}
	}
	return files, nil
}

// texts returns the contents of a file before and after the change. Where a diff is given, the
// folder may hold the code on either side of it; the other side is made by the diff.
func (r *repo) texts(f *File) texts {
	if r.base != "" {
		t := texts{after: r.read(f.New)}
		if f.Old != "" {
			if before, err := r.git("show", r.base+":./"+f.Old); err == nil {
				t.before = before
			}
		}
		return t
	}
	here := r.read(f.New)
	if before, ok := patch(here, f.Hunks, true); ok && len(f.Hunks) > 0 {
		return texts{before, here}
	}
	here = r.read(f.Old)
	if after, ok := patch(here, f.Hunks, false); ok && len(f.Hunks) > 0 {
		return texts{here, after}
	}
	return texts{}
}

// read returns a file of the folder, "" where it cannot be read.
func (r *repo) read(name string) string {
	if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	b, err := host.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(b)
}

// shift leads from a file at a revision to the file before the change.
func (r *repo) shift(revision string, f *File) ([]Hunk, error) {
	if r.base == "" {
		if f.OldBlob == "" {
			return nil, errors.New("it has no line index")
		}
		from, err := r.git("rev-parse", "--verify", "--end-of-options", revision+":./"+f.Old)
		if err != nil {
			return nil, err
		}
		return r.hunks("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", strings.TrimSpace(from), f.OldBlob)
	}
	commit, err := r.git("rev-parse", "--verify", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, err
	}
	return r.hunks("diff", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--relative", strings.TrimSpace(commit), r.base, "--", f.Old)
}

func (r *repo) hunks(args ...string) ([]Hunk, error) {
	out, err := r.git(args...)
	if err != nil || strings.TrimSpace(out) == "" {
		return nil, err
	}
	files, err := ParseDiff(out)
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("the versions of the file cannot be compared: %v", err)
	}
	return files[0].Hunks, nil
}

// blobOf returns the object name that Git gives to a text.
func blobOf(text string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
	return hex.EncodeToString(sum[:])
}
