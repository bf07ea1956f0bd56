package observes_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/observes"
)

// TestApart: what counts as apart is code that the manifest for changes ignores, and no place that
// the driver reads is in it.
func TestApart(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../../configs/zab/changes/zookeeper.hcl")
	if err != nil {
		t.Fatal(err)
	}
	patterns := func(in string) (out []*regexp.Regexp) {
		for _, m := range regexp.MustCompile(in).FindAllStringSubmatch(string(text), -1) {
			p := strings.NewReplacer("**", ".*", "*", "[^/]*", ".", `\.`, "{", "(", "}", ")", ",", "|").Replace(m[1])
			out = append(out, regexp.MustCompile("^"+p+"$"))
		}
		return out
	}
	ignored, methods := patterns(`"(zookeeper-[^"]*)"`), patterns(`unmodelled "([^"]*)"`)
	if len(ignored) < 10 {
		t.Fatalf("the manifest ignores %v", ignored)
	}
	ignores := func(class string) bool {
		for _, p := range methods {
			if p.MatchString(class) {
				return true
			}
		}
		file := "zookeeper-server/src/main/java/" + strings.ReplaceAll(class, ".", "/") + ".java"
		for _, p := range ignored {
			if p.MatchString(file) {
				return true
			}
		}
		return false
	}
	if ignores("org.apache.zookeeper.server.quorum.Leader") || !ignores("org.apache.zookeeper.server.watch.Any") ||
		ignores("org.apache.zookeeper.server.ZooKeeperServer.start") || !ignores("org.apache.zookeeper.server.ZooKeeperServer.getConf") {
		t.Fatal("the patterns of the manifest are not read")
	}
	all := observes.Of(nil).Apart
	if len(all) < 5 {
		t.Errorf("apart are %v", all)
	}
	for _, name := range all {
		class := name
		if strings.HasSuffix(name, ".") { // a package
			class += "Any"
		}
		if !ignores(class) {
			t.Errorf("the manifest does not ignore %s", name)
		}
		for _, r := range observes.Rows {
			if strings.HasPrefix(observes.Root+r.Place, name) {
				t.Errorf("the driver reads %s, which is apart by %s", r.Place, name)
			}
		}
	}
}
