package importpath

import (
	"strings"
	"testing"
)

// TestCheck lists names that the go command takes for something else than one package.
func TestCheck(t *testing.T) {
	for _, name := range []string{"github.com/multigrain/multigrain/zab", "example.com/a-b/c_d.e", "lock", "a/b+c", "github.com/x/nats.go"} {
		if err := Check(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"":                    "empty",
		"-debug-trace=FILE":   "hyphen",
		"--":                  "hyphen",
		"-toolexec=/tmp/evil": "hyphen",
		"all":                 "many packages",
		"std":                 "many packages",
		"zab/...":             "three dots",
		"zab...x":             "three dots",
		"a@latest":            "'@'",
		"a b":                 "' '",
		"a=-toolexec=x":       "'='",
		"file=/etc/passwd":    "'='",
		"/tmp/x":              "empty path element",
		"a//b":                "double slash",
		"a\nb":                "'\\n'",
		"a\x1b[2Jb":           "invalid char",
		"\xff":                "UTF-8",
		"../a":                "..",
	} {
		if err := Check(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %s", name, err, want)
		}
	}
}

// TestCheckPattern lists patterns of packages.
func TestCheckPattern(t *testing.T) {
	for _, name := range []string{".", "..", "./...", "../...", "./a/...", "example.com/...", "example.com/a...", "a/b", "./a/.../b", "..."} {
		if err := CheckPattern(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"", "-x", "./-x", "all", "file=x.go", "pattern=-x", "./a b", "/tmp/...", "-x/...", "a\x00b", "--...", "./-x/..."} {
		if err := CheckPattern(name); err == nil {
			t.Errorf("%q passes", name)
		}
	}
}

// FuzzCheck tests that nothing that passes can be a flag, a file or a list of arguments.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{"a/b", "-x", "./-x", "a=b", "...", "./...", "all"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if Check(name) == nil && CheckPattern(name) != nil {
			t.Errorf("%q is a path and no pattern", name)
		}
		for _, err := range []error{Check(name), CheckPattern(name)} {
			if err == nil && (name == "" || name[0] == '-' || name[0] == '@' || strings.ContainsAny(name, " =@'\"\\\x00\n\r\t$;|&<>`")) {
				t.Errorf("%q passes", name)
			}
		}
	})
}
