package control

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/multigrain/multigrain/zab/zookeeper/internal/bytecode"
)

// releases are the versions that the project knows; `make zookeeper-jars` gets them.
var releases = []string{"3.4.14", "3.5.10", "3.6.4", "3.7.2", "3.8.0", "3.8.6", "3.9.1", "3.9.2", "3.9.3", "3.9.5"}

// atHand returns the jars of all versions on this machine: Debian's, and those of the local Maven
// repository.
func atHand(t *testing.T) (out []string) {
	t.Helper()
	if jar := filepath.Join(debian, "zookeeper.jar"); exists(jar) {
		out = append(out, jar)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return out
	}
	for _, v := range releases {
		if jar := filepath.Join(home, ".m2/repository/org/apache/zookeeper/zookeeper", v, "zookeeper-"+v+".jar"); exists(jar) {
			out = append(out, jar)
		}
	}
	return out
}

// TestPoints resolves every point in every version on this machine.
func TestPoints(t *testing.T) {
	t.Parallel()
	jars := atHand(t)
	if len(jars) == 0 {
		t.Skip("no jar of ZooKeeper is on this machine: `make zookeeper-jars` gets them")
	}
	for _, path := range jars {
		t.Run(filepath.Base(path), func(t *testing.T) {
			jar, err := bytecode.OpenJar(path)
			if err != nil {
				t.Fatal(err)
			}
			defer jar.Close()
			v, err := versionOf(path)
			if err != nil {
				t.Fatal(err)
			}
			wanted := AllPlaces()
			if !v.HasLocalSessions() {
				wanted = slices.DeleteFunc(wanted, func(p Place) bool { return p == Opened || p == Commit })
			}
			points, err := Points(v, wanted)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range points {
				at, err := resolve(jar, p)
				switch {
				case p.Repair && err == nil:
					t.Errorf("%s: %v is at offset %d, and no release should have it", v, p, at)
				case p.Repair:
				case err != nil:
					t.Errorf("%s: %v", v, err)
				default:
					t.Logf("%s: %v is at offset %d", v, p, at)
				}
			}
		})
	}
}

// resolve finds a point in a jar.
func resolve(jar *bytecode.Jar, p *Point) (int, error) {
	class, err := jar.Class(p.class())
	if err != nil {
		return 0, err
	}
	same := slices.DeleteFunc(slices.Clone(class.Methods), func(m bytecode.Method) bool { return m.Name != p.Method })
	if len(same) != 1 {
		return 0, errors.New(p.String() + ": no method of this name, or several")
	}
	code, err := class.Code(p.Method, same[0].Descriptor)
	if err != nil {
		return 0, err
	}
	return p.Site.find(code)
}

// TestAmbiguousPoints gives sites that match nothing or several times, which must be errors.
func TestAmbiguousPoints(t *testing.T) {
	t.Parallel()
	found, err := Find(Places{}, "3.8.0") // other versions have other calls
	if err != nil {
		t.Skip(err)
	}
	jar, err := bytecode.OpenJar(found.Server())
	if err != nil {
		t.Fatal(err)
	}
	defer jar.Close()
	for want, site := range map[string]Site{
		"instructions that match": {Kind: BeforeCall, Target: "readPacket"},
		"has no call":             {Kind: BeforeCall, Target: "noSuchMethod"},
		"before its first call":   {Kind: BeforeCall, Target: "startServing", Precedes: "readPacket"},
		"after offset":            {Kind: BeforeCall, Target: "readPacket", Follows: "startServing"},
	} {
		p := &Point{Class: "quorum.Learner", Method: "syncWithLeader", Site: site}
		if at, err := resolve(jar, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v is at %d, %v; want an error with %q", site, at, err, want)
		}
	}
}

// TestForces looks for all calls of the released classes that force a file to disk. They are at the
// places ForcedLog and ForcedFile. Otherwise LosePower would take what is on the disk.
func TestForces(t *testing.T) {
	t.Parallel()
	jars := atHand(t)
	if len(jars) == 0 {
		t.Skip("no jar of ZooKeeper is on this machine: `make zookeeper-jars` gets them")
	}
	for _, path := range jars {
		t.Run(filepath.Base(path), func(t *testing.T) {
			v, err := versionOf(path)
			if err != nil {
				t.Fatal(err)
			}
			points, err := Points(v, []Place{ForcedLog, ForcedFile})
			if err != nil {
				t.Fatal(err)
			}
			var known []string
			for _, p := range points {
				known = append(known, p.class()+"."+p.Method)
			}
			slices.Sort(known)
			if found := forces(t, path); !slices.Equal(found, known) {
				t.Errorf("%s: files are forced in %v; the places are in %v", v, found, known)
			}
		})
	}
}

// forces returns the methods of a jar that force a file, once for each call.
func forces(t *testing.T, path string) (out []string) {
	t.Helper()
	jar, err := bytecode.OpenJar(path)
	if err != nil {
		t.Fatal(err)
	}
	defer jar.Close()
	for _, name := range jar.Classes() {
		class, err := jar.Class(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range class.Methods {
			if m.Bytes == nil {
				continue
			}
			code, err := class.Code(m.Name, m.Descriptor)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"force", "sync", "fsync"} {
				for _, i := range code.Find(bytecode.Call("", name, "")) {
					if strings.HasPrefix(i.Member.Class, "java.") {
						out = append(out, class.Name+"."+m.Name)
					}
				}
			}
		}
	}
	slices.Sort(out)
	return out
}
