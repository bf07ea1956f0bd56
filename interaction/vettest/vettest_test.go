package vettest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/interaction/vettest"
)

// recorder is a test that is watched: it keeps what is reported and ends its goroutine at a fatal
// error, as a test does.
type recorder struct {
	testing.TB
	errors []string
	fatal  bool
}

func (r *recorder) Helper()             {}
func (r *recorder) Failed() bool        { return len(r.errors) > 0 }
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(f string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(f, args...))
}
func (r *recorder) FailNow()                     { r.fatal = true; panic(r) }
func (r *recorder) Fatalf(f string, args ...any) { r.Errorf(f, args...); r.FailNow() }

// watch runs vettest on the patterns.
func watch(t *testing.T, patterns ...string) (r *recorder) {
	r = &recorder{TB: t}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
	}()
	vettest.Run(r, patterns...)
	return r
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		dir    string
		errors []string // what each error contains, in order
		fatal  bool
	}{
		{dir: "good"},
		{dir: "plain"},
		{dir: "bad", errors: []string{
			"bad.go:11:2: MG401: State.Log has type []uint8",
			"bad.go:17:55: MG421: the guard of Step writes s: touch writes through it",
		}},
		{dir: "helped", errors: []string{"helped.go:18:10: MG438: (*github.com/multigrain/multigrain/interaction/vettest/testdata/helped/values.Turn).Reset"}},
		{dir: "broken", errors: []string{"undefined: Missing"}, fatal: true},
		{dir: "absent", errors: []string{"absent"}, fatal: true},
	} {
		t.Run(c.dir, func(t *testing.T) {
			got := watch(t, "./testdata/"+c.dir)
			if got.fatal != c.fatal || len(got.errors) != len(c.errors) {
				t.Fatalf("fatal %v, errors %q; want fatal %v, errors %q", got.fatal, got.errors, c.fatal, c.errors)
			}
			for k, want := range c.errors {
				if !strings.Contains(got.errors[k], want) {
					t.Errorf("error %d is %q, want %q", k+1, got.errors[k], want)
				}
			}
		})
	}
}

// TestDirectory runs on the package of the test itself, which is no specification.
func TestDirectory(t *testing.T) { vettest.Run(t) }
