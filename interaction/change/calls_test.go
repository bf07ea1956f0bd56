package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/change/internal/methods"
)

// callTable has a server with a modelled method, a tool, and a method that both call.
const callTable = `version	1
revision	release-1
file	src/Server.java	1111111111111111111111111111111111111111	60
class	p.Server	1	50
field	.log	2	2
field	.unused	3	3
constant	.LIMIT	4	4
method	.<clinit>	5	7
calls	..Text.read
method	.Server	8	9
calls	..Server.Sender.Sender
uses	.log
method	.append	10	14
calls	.write	.helper	..Sink.put
uses	.log
method	.write	15	18
calls	.force
uses	.log
method	.force	19	20
outside
method	.helper	21	23
uses	.LIMIT
method	.admin	24	26
calls	.append
method	.peek	27	28
uses	.log
class	p.Server.Sender	30	40
method	.Sender	31	32
calls	.run
method	.run	33	35
calls	.queue
method	.queue	36	38
file	src/Text.java	2222222222222222222222222222222222222222	30
class	p.Text	1	19
field	.tabs	2	2
method	.read	3	5
method	.show	6	9
calls	.tab
uses	.tabs
method	.tab	10	12
uses	.tabs
method	.main	13	16
calls	.show
method	.files	17	19
outside
class	p.Made	20	29
method	.Made	21	22
calls	.compare
method	.compare	23	25
file	src/Sink.java	3333333333333333333333333333333333333333	20
class	p.Sink	1	10
method	.put
class	p.DiskSink	11	20
method	.put	12	14
over	..Sink.put
version	2
revision	release-2
file	src/Server.java	4444444444444444444444444444444444444444	60
class	p.Server	1	60
method	.append	20	30
file	src/Text.java	2222222222222222222222222222222222222222
`

// changedAt analyses a change of some lines of a file.
func changedAt(t *testing.T, table *Table, file, blob string, line int, old, new string, own ...string) *Analysis {
	t.Helper()
	cat := &grains.Catalog{Grains: []grains.GrainDecl{{Name: "baseline", Covers: []string{"m"}, Models: append([]string{"p.Server.append", "p.Server.Server"}, own...)}}}
	diff := fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nindex %[2]s..5555555 100644\n--- a/%[1]s\n+++ b/%[1]s\n@@ -%[3]d +%[3]d @@\n-%[4]s\n+%[5]s\n", file, blob, line, old, new)
	a, err := Analyse(Options{Table: table, Places: NewPlaces(cat, nil), Diff: diff})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// trailsOf returns the trails of an analysis: the functions on each of them.
func trailsOf(a *Analysis) string {
	var all []string
	for _, x := range a.Trails {
		names := []string{methods.Short(x.Declaration.Name)}
		for _, s := range x.Path {
			names = append(names, methods.Short(s.Name))
		}
		all = append(all, strings.Join(names, " < "))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestCalls(t *testing.T) {
	t.Parallel()
	table, err := ParseTable(callTable)
	if err != nil {
		t.Fatal(err)
	}
	const server, text, sink = "src/Server.java 1111111", "src/Text.java 2222222", "src/Sink.java 3333333"
	for name, x := range map[string]struct {
		at       string
		line     int
		old, new string
		trails   string
		reason   string // a part of the reason for which the method is named or ignored
	}{
		"modelled itself":           {server, 11, "a();", "b();", "Server.append", ""},
		"called by a modelled one":  {server, 16, "a();", "b();", "Server.write < Server.append", ""},
		"two calls away":            {server, 20, "a();", "b();", "Server.force < Server.write < Server.append", ""},
		"a thread that it makes":    {server, 37, "a();", "b();", "Server.Sender.queue < Server.Sender.run < Server.Sender.Sender < Server.Server", ""},
		"overrides a called one":    {sink, 13, "a();", "b();", "DiskSink.put < Server.append", ""},
		"a field of a modelled one": {server, 2, "int log;", "long log;", "Server.log < Server.Server, Server.log < Server.append", ""},
		"a constant":                {server, 4, "int LIMIT = 1;", "int LIMIT = 2;", "Server.LIMIT < Server.helper < Server.append", ""},
		"an initialiser":            {server, 6, "a();", "b();", "Server.<clinit> < Server.Server, Server.<clinit> < Server.append", ""},
		"called by an initialiser":  {text, 4, "a();", "b();", "Text.read < Server.<clinit> < Server.Server, Text.read < Server.<clinit> < Server.append", ""},
		"a field without a use":     {server, 3, "int unused;", "long unused;", "", "no use of it"},
		"calls a modelled one":      {server, 25, "a();", "b();", "", "reaches Server.append, which is modelled"},
		"reads modelled state":      {server, 28, "a();", "b();", "", "Server.peek uses Server.log, as modelled code does"},
		"apart":                     {text, 11, "return 1;", "return 2;", "", "is reached from it or from its callers"},
		"a field that is apart":     {text, 2, "int tabs;", "long tabs;", "", "is reached from it or from its callers"},
		"apart, and calls files":    {text, 18, "a();", "b();", "", "Text.files calls code that the table does not have"},
		"made by reflection":        {text, 24, "return 1;", "return 2;", "", "only reflection can make a Made"},
		"apart, and calls anew":     {text, 11, "return 1;", "return server.append();", "", "its new lines call append"},
		"apart, and uses anew":      {text, 11, "return 1;", "return server.log;", "", "its new lines use log"},
		"apart, and only logs":      {text, 11, "return 1;", `LOG.info("{}", 1); return 1;`, "", "is reached from it or from its callers"},
	} {
		file, blob, _ := strings.Cut(x.at, " ")
		a := changedAt(t, table, file, blob, x.line, x.old, x.new)
		if got := trailsOf(a); got != x.trails {
			t.Errorf("%s: %s\nwant %s", name, got, x.trails)
		}
		var reasons []string
		for _, u := range a.Unmodelled {
			reasons = append(reasons, u.Reason)
		}
		for _, i := range a.Ignored {
			reasons = append(reasons, i.Reason)
		}
		if apart := strings.Contains(x.reason, "is reached from it"); len(a.Unmodelled) > 0 == (apart || x.reason == "") || !strings.Contains(strings.Join(reasons, "; "), x.reason) || len(a.Doubts) > 0 {
			t.Errorf("%s: named %d, %q, %q", name, len(a.Unmodelled), reasons, a.Doubts)
		}
	}
}

// TestVersions compares a diff with the file that it is about, in whichever version the table has
// it.
func TestVersions(t *testing.T) {
	t.Parallel()
	table, err := ParseTable(callTable)
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Versions(); !slices.Equal(got, []string{"1", "2"}) || table.Of("3") != nil {
		t.Errorf("versions %v", got)
	}
	for _, x := range []struct {
		version, blob string
		line          int
		want          string
		doubts        int
	}{
		{"1", "1111111", 11, "Server.append", 0},
		{"2", "4444444", 25, "Server.append", 0},
		{"1", "4444444", 25, "Server.append", 0}, // version 2 has it
		{"2", "1111111", 11, "Server.append", 0},
		{"2", "1111111", 20, "Server.force < Server.write < Server.append", 0},
		{"2", "9999999", 25, "Server.append", 1}, // no version has it
		{"1", "9999999", 25, "", 1},
	} {
		a := changedAt(t, table.Of(x.version), "src/Server.java", x.blob, x.line, "a();", "b();")
		if got := trailsOf(a); got != x.want || len(a.Doubts) != x.doubts {
			t.Errorf("%+v: %s, %q", x, got, a.Doubts)
		}
	}
	if f := table.Of("2").File("src/Text.java"); f == nil || len(f.Rows) != len(table.File("src/Text.java").Rows) {
		t.Error("version 2 does not share the rows of Text.java")
	}
	// A table without versions is one of any version.
	plain, err := ParseTable("file\ta.java\tb\t9\nmethod\tp.A.f\t1\t9\n")
	if err != nil || plain.Of("7") != plain {
		t.Error(plain, err)
	}
}

// TestHeadersOnly: without lines nothing says what changed code calls now.
func TestHeadersOnly(t *testing.T) {
	t.Parallel()
	table, err := ParseTable(callTable)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Analyse(Options{Table: table, Places: NewPlaces(&grains.Catalog{}, nil),
		Diff: "diff --git a/src/Text.java b/src/Text.java\nindex 2222222..5555555 100644\n--- a/src/Text.java\n+++ b/src/Text.java\n@@ -11 +11 @@\n"})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Unmodelled) != 1 || !strings.Contains(a.Unmodelled[0].Reason, "no lines") {
		t.Errorf("%+v", a)
	}
}
