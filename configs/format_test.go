package configs

import (
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want, err string }{
		{name: "aligns", src: "bounds {\nservers=3\n  crashes   = 2\n}\n", want: "bounds {\n  servers = 3\n  crashes = 2\n}\n"},
		{name: "keeps comments", src: "# a\nx=1 # b\n", want: "# a\nx = 1 # b\n"},
		{name: "empty"},
		{name: "keeps what is wrong", src: "a = = 1\n", want: "a = = 1\n", err: "MG003"},
		{name: "not UTF-8", src: "a=\"\xff\"\n", want: "a=\"\xff\"\n", err: "MG002"},
		{name: "too deep", src: "a=" + strings.Repeat("[", 1000), want: "a=" + strings.Repeat("[", 1000), err: "MG003"},
	}
	for _, test := range tests {
		got, diags := Format("<stdin>", []byte(test.src))
		if string(got) != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if test.err == "" && len(diags) > 0 || test.err != "" && (len(diags) == 0 || string(CodeOf(diags[0])) != test.err) {
			t.Errorf("%s: diagnostics %v, want %q", test.name, diags, test.err)
		}
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	got := Diff("old/a.hcl", "new/a.hcl", []byte("a\nb\nc\nd\ne\nf\n"), []byte("a\nb\nc\nd\nE\nf\n"))
	want := "--- old/a.hcl\n+++ new/a.hcl\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got = Diff("a", "b", []byte("x"), []byte("x\n"))
	if want := "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if same := Diff("a", "b", []byte("x\n"), []byte("x\n")); same != "" {
		t.Errorf("equal texts differ by %q", same)
	}
}
