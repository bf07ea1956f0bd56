package control

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Jars is a version of ZooKeeper on this machine.
type Jars struct {
	Version Version
	Path    []string // the class path, the jar with the servers first
}

// Server returns the jar with the servers' classes.
func (j *Jars) Server() string { return j.Path[0] }

// Places are where Find looks for jars. The zero value is Debian's folder and the local Maven
// repository.
type Places struct {
	// Dir is a folder with the jars of one version: a release's folder, or one like Debian's. It is
	// the only place if it is set.
	Dir string
	// Maven is a Maven repository; "" is .m2/repository in the home folder.
	Maven string
}

// debian is where Debian's packages zookeeper and libzookeeper-java put their jars.
const debian = "/usr/share/java"

// library is a jar that servers need in addition to their own, by the beginning of its name.
type library struct {
	name, group string // group as a path of a Maven repository
	optional    bool
	versions    Ranges
}

// withNetty are the versions with classes for TLS, which name Netty's and use them only for TLS.
var withNetty = Ranges{{From: Version{3, 5, 0}}}

// libraries lists what QuorumPeerMain loads from other projects, without the parts for
// administration and TLS.
var libraries = []library{
	{name: "zookeeper-jute", group: "org/apache/zookeeper", versions: Ranges{{From: Version{3, 5, 5}}}},
	{name: "slf4j-api", group: "org/slf4j"},
	{name: "slf4j-simple", group: "org/slf4j"},
	{name: "metrics-core", group: "io/dropwizard/metrics", versions: Ranges{{From: Version{3, 6, 0}}}},
	{name: "snappy-java", group: "org/xerial/snappy", versions: Ranges{{From: Version{3, 6, 0}}}},
	{name: "commons-cli", group: "commons-cli", optional: true},
	{name: "log4j", group: "log4j", optional: true, versions: Ranges{{Until: Version{3, 5, 0}}}},
	{name: "netty-common", group: "io/netty", optional: true, versions: withNetty},
	{name: "netty-buffer", group: "io/netty", optional: true, versions: withNetty},
	{name: "netty-handler", group: "io/netty", optional: true, versions: withNetty},
	{name: "netty-transport", group: "io/netty", optional: true, versions: withNetty},
}

// slf4j returns the generation of the logging library that a version was built with: 1 or 2.
func slf4j(v Version) string {
	if v.Compare(Version{3, 9, 3}) >= 0 {
		return "2."
	}
	return "1."
}

// Find returns the jars of a version, as 3.8.0. Without a version it takes the only one of
// Places.Dir, or Debian's. It fails without a Java runtime, or if no jars have the version.
func Find(in Places, version string) (*Jars, error) {
	if _, err := exec.LookPath("java"); err != nil {
		return nil, errors.New("java is not on the PATH: install a Java runtime, version 11 or later")
	}
	var want *Version
	if version != "" {
		v, err := ParseVersion(version)
		if err != nil {
			return nil, err
		}
		want = &v
	}
	if in.Dir != "" {
		return inFolder(in.Dir, want)
	}
	j, missing := inFolder(debian, want)
	if missing == nil || want == nil {
		return j, missing
	}
	j, err := inMaven(in, *want)
	if err != nil {
		return nil, fmt.Errorf("ZooKeeper %s is not on this machine: %w; %w; give the release's folder with -zookeeper DIR, or run `make zookeeper-jars ZOOKEEPER_VERSIONS=%[1]s`", want, missing, err)
	}
	return j, nil
}

// inFolder finds the jars of a version below a folder: in itself, or in its folder lib.
func inFolder(dir string, want *Version) (*Jars, error) {
	for _, d := range []string{dir, filepath.Join(dir, "lib")} {
		server, err := serverJar(d)
		if err != nil {
			return nil, err
		}
		if server == "" {
			continue
		}
		v, err := versionOf(server)
		if err != nil {
			return nil, err
		}
		if want != nil && v != *want {
			return nil, fmt.Errorf("%s has version %s", server, v)
		}
		j := &Jars{Version: v, Path: []string{server}}
		return j, j.add(func(l library) (string, error) { return newest(d, l.name, "") })
	}
	return nil, fmt.Errorf("%s has no zookeeper.jar or zookeeper-VERSION.jar", dir)
}

// serverJar returns the jar with the servers in a folder, "" if there is none.
func serverJar(dir string) (string, error) {
	if plain := filepath.Join(dir, "zookeeper.jar"); exists(plain) {
		return plain, nil
	}
	all, err := filepath.Glob(filepath.Join(dir, "zookeeper-[0-9]*.jar"))
	if err != nil || len(all) == 0 {
		return "", err
	}
	if len(all) > 1 {
		return "", fmt.Errorf("%s has %d jars of servers, %s: name a folder with one", dir, len(all), strings.Join(all, ", "))
	}
	return all[0], nil
}

// maven returns the folder of the Maven repository.
func (in Places) maven() (string, error) {
	if in.Maven != "" {
		return in.Maven, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".m2", "repository"), err
}

// Sources returns the jar with the sources of the version: next to the servers' jar, or in a Maven
// repository.
func (j *Jars) Sources(in Places) (string, error) {
	repository, err := in.maven()
	if err != nil {
		return "", err
	}
	v := j.Version.String()
	name := "zookeeper-" + v + "-sources.jar"
	jar := filepath.Join(repository, "org/apache/zookeeper/zookeeper", v, name)
	if beside := filepath.Join(filepath.Dir(j.Server()), name); exists(beside) {
		jar = beside
	}
	if !exists(jar) {
		return "", fmt.Errorf("the sources of ZooKeeper %s are not on this machine: %s does not exist; run `make zookeeper-jars ZOOKEEPER_NAMED=%[1]s`", v, jar)
	}
	return jar, nil
}

// compiling are jars with packages that ZooKeeper's sources name, or that classes of other jars
// name. Servers do without them.
var compiling = []struct{ group, name, pkg string }{
	{"org/apache/yetus", "audience-annotations", "org.apache.yetus.audience"},
	{"com/github/spotbugs", "spotbugs-annotations", "edu.umd.cs.findbugs.annotations"},
	{"com/google/code/findbugs", "jsr305", "javax.annotation"},
	{"javax/servlet", "javax.servlet-api", "javax.servlet"},
	{"commons-io", "commons-io", "org.apache.commons.io"},
	{"commons-cli", "commons-cli", "org.apache.commons.cli"},
	{"com/fasterxml/jackson/core", "jackson-core", "com.fasterxml.jackson.core"},
	{"com/fasterxml/jackson/core", "jackson-annotations", "com.fasterxml.jackson.annotation"},
	{"com/fasterxml/jackson/core", "jackson-databind", "com.fasterxml.jackson.databind"},
	{"io/netty", "netty-codec", "io.netty.handler.codec"},
	{"io/netty", "netty-handler", "io.netty.handler"},
	{"io/netty", "netty-resolver", "io.netty.resolver"},
	{"io/netty", "netty-buffer", "io.netty.buffer"},
	{"io/netty", "netty-common", "io.netty.util"},
	{"io/netty", "netty-transport", "io.netty"},
}

// Compiling returns the jars of a Maven repository that a compiler of ZooKeeper's sources may need
// in addition to those of the servers, the newest of each.
func Compiling(in Places) (jars []string, err error) {
	repository, err := in.maven()
	if err != nil {
		return nil, err
	}
	for _, c := range compiling {
		if jar, err := newest(filepath.Join(repository, filepath.FromSlash(c.group), c.name), c.name, ""); err == nil {
			jars = append(jars, jar)
		}
	}
	return jars, nil
}

// missing matches what a compiler says of a package or a class whose jar it does not have.
var missing = regexp.MustCompile(`package ([\w.]+) does not exist|class file for ([\w.]+) not found`)

// Missing names the jar that a compiler's message asks for, if it is one of those that Compiling
// looks for and that is not there; else "".
func Missing(in Places, message string) string {
	m := missing.FindStringSubmatch(message)
	repository, err := in.maven()
	if m == nil || err != nil {
		return ""
	}
	for _, c := range compiling {
		if name := m[1] + m[2]; name != c.pkg && !strings.HasPrefix(name, c.pkg+".") {
			continue
		}
		if _, err := newest(filepath.Join(repository, filepath.FromSlash(c.group), c.name), c.name, ""); err != nil {
			return c.name
		}
		return ""
	}
	return ""
}

// inMaven finds the jars of a version in a Maven repository.
func inMaven(in Places, v Version) (*Jars, error) {
	repository, err := in.maven()
	if err != nil {
		return nil, err
	}
	server := filepath.Join(repository, "org/apache/zookeeper/zookeeper", v.String(), "zookeeper-"+v.String()+".jar")
	if !exists(server) {
		return nil, fmt.Errorf("%s does not exist", server)
	}
	j := &Jars{Version: v, Path: []string{server}}
	return j, j.add(func(l library) (string, error) {
		prefix := ""
		switch {
		case l.name == "zookeeper-jute":
			prefix = v.String()
		case strings.HasPrefix(l.name, "slf4j"):
			prefix = slf4j(v)
		}
		return newest(filepath.Join(repository, l.group, l.name), l.name, prefix)
	})
}

// add adds the libraries of the version, which find returns.
func (j *Jars) add(find func(library) (string, error)) error {
	for _, l := range libraries {
		if !l.versions.Has(j.Version) {
			continue
		}
		jar, err := find(l)
		if err != nil && !l.optional {
			return fmt.Errorf("ZooKeeper %s needs %s: %w", j.Version, l.name, err)
		}
		if err == nil {
			j.Path = append(j.Path, jar)
		}
	}
	return nil
}

// jarName splits the name of a jar into what it is and its version, "" where it has none.
var jarName = regexp.MustCompile(`^(.*?)(?:-(\d[\w.-]*))?\.jar$`)

// newest returns the jar of a library with the greatest version that begins with prefix, in a
// folder or in its folders.
func newest(dir, name, prefix string) (string, error) {
	flat, _ := filepath.Glob(filepath.Join(dir, name+"*.jar"))
	deep, _ := filepath.Glob(filepath.Join(dir, "*", name+"*.jar"))
	best, number := "", ""
	for _, path := range slices.Concat(flat, deep) {
		m := jarName.FindStringSubmatch(filepath.Base(path))
		if m == nil || m[1] != name || !strings.HasPrefix(m[2], prefix) {
			continue
		}
		if best == "" || older(number, m[2]) {
			best, number = path, m[2]
		}
	}
	if best == "" {
		return "", fmt.Errorf("%s has no %s-%s*.jar", dir, name, prefix)
	}
	return best, nil
}

// older compares versions of libraries, number by number.
func older(a, b string) bool {
	split := func(s string) []string { return strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) }
	x, y := split(a), split(b)
	return slices.CompareFunc(x, y, func(p, q string) int {
		if len(p) != len(q) {
			return len(p) - len(q)
		}
		return strings.Compare(p, q)
	}) < 0
}

// versionOf returns the version of a jar with servers: by its name, by the link that names it, or
// by its manifest.
func versionOf(jar string) (Version, error) {
	names := []string{jar}
	all, _ := filepath.Glob(filepath.Join(filepath.Dir(jar), "zookeeper-[0-9]*.jar"))
	for _, link := range all {
		if target, err := os.Readlink(link); err == nil && filepath.Base(target) == filepath.Base(jar) {
			names = append(names, link)
		}
	}
	for _, name := range names {
		if m := jarName.FindStringSubmatch(filepath.Base(name)); m != nil && m[2] != "" {
			return ParseVersion(m[2])
		}
	}
	return manifestVersion(jar)
}

// manifestVersion reads Implementation-Version from a jar's manifest.
func manifestVersion(jar string) (Version, error) {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return Version{}, fmt.Errorf("%s: %w", jar, err)
	}
	defer z.Close()
	f, err := z.Open("META-INF/MANIFEST.MF")
	if err != nil {
		return Version{}, fmt.Errorf("%s: %w", jar, err)
	}
	defer f.Close()
	in := bufio.NewScanner(io.LimitReader(f, 1<<20))
	for in.Scan() {
		if v, ok := strings.CutPrefix(in.Text(), "Implementation-Version: "); ok {
			return ParseVersion(strings.TrimSpace(v))
		}
	}
	return Version{}, fmt.Errorf("%s does not say its version: rename it zookeeper-VERSION.jar", jar)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A server that starts spends two thirds of its processor time on loading and verifying the classes
// that all servers load. Java can do that once and keep the result in an archive of shared classes
// (JEP 310). The classes remain those of the jars. A JVM that finds that its jars or its version
// are not those of the archive does without it.

// classList is the file below a server's folder that lists the classes it has loaded. Only servers
// of a prelude write it.
const classList = "classes"

// listed returns the option with which a JVM writes classList.
func (n *Node) listed() string { return "-XX:DumpLoadedClassList=" + filepath.Join(n.dir, classList) }

// keepClasses notes the classes that the servers of a prelude have loaded. A last line that is not
// whole does not count: the servers were killed.
func (e *Ensemble) keepClasses() error {
	known := map[string]bool{}
	e.classes = nil
	for _, n := range e.nodes {
		b, err := os.ReadFile(filepath.Join(n.dir, classList))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(b) {
			if name, whole := strings.CutSuffix(string(line), "\n"); whole && !known[name] {
				known[name] = true
				e.classes = append(e.classes, name)
			}
		}
	}
	return nil
}

// MakeArchive makes an archive of the classes that the servers of a prelude have loaded, and
// returns its file, for Archive. It is below the ensemble's folder. Without a prelude, or with a
// folder as the patch, there is none, and the file is "": Java archives the classes of jars only.
func (e *Ensemble) MakeArchive(ctx context.Context) (file string, err error) {
	if len(e.classes) == 0 || e.Patch != "" && filepath.Ext(e.Patch) != ".jar" {
		return "", nil
	}
	list := filepath.Join(e.folder.path, classList)
	if err := os.WriteFile(list, []byte(strings.Join(e.classes, "\n")+"\n"), 0o644); err != nil {
		return "", err
	}
	file = filepath.Join(e.folder.path, "classes.jsa")
	args := append([]string{"-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + file}, flags...)
	args = slices.DeleteFunc(append(args, "-cp", e.classPath()), func(arg string) bool { return arg == "-Xshare:auto" })
	cmd := exec.CommandContext(ctx, e.Java, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", fmt.Errorf("an archive of the servers' classes: %w: %s", err, lines[len(lines)-1])
	}
	return file, nil
}
