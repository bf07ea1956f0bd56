package control

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestVersions reads versions and tests the ends of ranges.
func TestVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Version{"3.8.0": {3, 8, 0}, "3.8.0-11+deb12u2": {3, 8, 0}, "3.10.2": {3, 10, 2}} {
		if v, err := ParseVersion(text); err != nil || v != want {
			t.Errorf("%s is %v, %v; want %v", text, v, err, want)
		}
	}
	for _, text := range []string{"", "3.8", "3.8.x", "3.8.-1", "v3.8.0"} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("%q is %v; want an error", text, v)
		}
	}
	r := Ranges{{From: Version{3, 8, 5}, Until: Version{3, 9, 0}}, {From: Version{3, 9, 2}}}
	for text, want := range map[string]bool{"3.8.4": false, "3.8.5": true, "3.9.0": false, "3.9.1": false, "3.9.2": true, "3.10.0": true} {
		v, _ := ParseVersion(text)
		if r.Has(v) != want {
			t.Errorf("%s in %v: want %v", text, r, want)
		}
	}
}

// TestCompiling finds the newest of the jars that sources of ZooKeeper name, and names one that is
// not there.
func TestCompiling(t *testing.T) {
	t.Parallel()
	repository := t.TempDir()
	put(t, repository, "org/apache/yetus/audience-annotations/0.12.0/audience-annotations-0.12.0.jar",
		"com/github/spotbugs/spotbugs-annotations/4.0.2/spotbugs-annotations-4.0.2.jar", "com/github/spotbugs/spotbugs/4.0.2/spotbugs-4.0.2.jar",
		"io/netty/netty-codec/4.1.9.Final/netty-codec-4.1.9.Final.jar", "io/netty/netty-codec/4.1.113.Final/netty-codec-4.1.113.Final.jar")
	in := Places{Maven: repository}
	jars, err := Compiling(in)
	if err != nil || len(jars) != 3 || !strings.Contains(strings.Join(jars, " "), "netty-codec-4.1.113") {
		t.Errorf("%v, %v", jars, err)
	}
	for message, want := range map[string]string{
		"package javax.servlet.http does not exist":                                            "javax.servlet-api",
		"cannot access Nonnull; class file for javax.annotation.Nonnull not found":             "jsr305",
		"cannot access X; class file for io.netty.resolver.AddressResolverGroup not found":     "netty-resolver",
		"package org.apache.yetus.audience does not exist":                                     "",
		"package io.netty.handler.codec does not exist":                                        "",
		"package org.example does not exist":                                                   "",
		"cannot find symbol; symbol: class Leader; location: package javax.servlet does exist": "",
	} {
		if got := Missing(in, message); got != want {
			t.Errorf("%q asks for %q, not %q", message, got, want)
		}
	}
}

// TestFindNames finds a release in folders that hold empty files with the names of real ones.
func TestFindNames(t *testing.T) {
	t.Parallel()
	release := t.TempDir()
	put(t, release, "lib/zookeeper-3.9.3.jar", "lib/zookeeper-jute-3.9.3.jar", "lib/slf4j-api-1.7.36.jar",
		"lib/slf4j-simple-1.7.36.jar", "lib/metrics-core-4.1.12.1.jar", "lib/snappy-java-1.1.9.0.jar", "lib/snappy-java-1.1.10.5.jar")
	want := Version{3, 9, 3}
	j, err := inFolder(release, &want)
	if err != nil {
		t.Fatal(err)
	}
	if j.Version != want || !strings.HasSuffix(j.Server(), "zookeeper-3.9.3.jar") {
		t.Errorf("found %v", j)
	}
	if !slices.ContainsFunc(j.Path, func(p string) bool { return strings.HasSuffix(p, "snappy-java-1.1.10.5.jar") }) {
		t.Errorf("the newest library is not in %v", j.Path)
	}
	other := Version{3, 9, 2}
	if _, err := inFolder(release, &other); err == nil || !strings.Contains(err.Error(), "has version 3.9.3") {
		t.Errorf("another version: %v", err)
	}

	repository := t.TempDir()
	put(t, repository, "org/apache/zookeeper/zookeeper/3.9.5/zookeeper-3.9.5.jar", "org/apache/zookeeper/zookeeper-jute/3.9.5/zookeeper-jute-3.9.5.jar",
		"org/apache/zookeeper/zookeeper-jute/3.9.4/zookeeper-jute-3.9.4.jar", "org/slf4j/slf4j-api/1.7.36/slf4j-api-1.7.36.jar",
		"org/slf4j/slf4j-api/2.0.13/slf4j-api-2.0.13.jar", "org/slf4j/slf4j-simple/2.0.13/slf4j-simple-2.0.13.jar",
		"org/xerial/snappy/snappy-java/1.1.10.5/snappy-java-1.1.10.5.jar")
	if _, err = inMaven(Places{Maven: repository}, Version{3, 9, 5}); err == nil || !strings.Contains(err.Error(), "metrics-core") {
		t.Errorf("without metrics-core: %v", err)
	}
	put(t, repository, "io/dropwizard/metrics/metrics-core/4.1.12.1/metrics-core-4.1.12.1.jar")
	j, err = inMaven(Places{Maven: repository}, Version{3, 9, 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"zookeeper-jute-3.9.5.jar", "slf4j-api-2.0.13.jar"} {
		if !slices.ContainsFunc(j.Path, func(p string) bool { return strings.HasSuffix(p, name) }) {
			t.Errorf("%s is not in %v", name, j.Path)
		}
	}
}

func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
