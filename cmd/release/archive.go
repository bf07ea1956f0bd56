package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
)

// entry is a file of an archive.
type entry struct {
	name, path string
	mode       fs.FileMode
}

// archive returns a compressed archive of files, without times and owners.
func archive(entries []entry) ([]byte, error) {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	w := tar.NewWriter(zipped)
	for _, e := range entries {
		text, err := os.ReadFile(e.path)
		if err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(text)), Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := zipped.Close()
	return out.Bytes(), err
}

// spdx is an SPDX 2.3 document. All its fields are those of that specification.
type spdx struct {
	Version   string        `json:"spdxVersion"`
	License   string        `json:"dataLicense"`
	ID        string        `json:"SPDXID"`
	Name      string        `json:"name"`
	Namespace string        `json:"documentNamespace"`
	Creation  spdxCreation  `json:"creationInfo"`
	Packages  []spdxPackage `json:"packages"`
	Relations []spdxRelated `json:"relationships"`
}

type spdxCreation struct {
	Created  string   `json:"created"`
	Creators []string `json:"creators"`
}

type spdxPackage struct {
	ID       string    `json:"SPDXID"`
	Name     string    `json:"name"`
	Version  string    `json:"versionInfo"`
	Location string    `json:"downloadLocation"`
	Analyzed bool      `json:"filesAnalyzed"`
	Refs     []spdxRef `json:"externalRefs"`
}

type spdxRef struct {
	Category string `json:"referenceCategory"`
	Type     string `json:"referenceType"`
	Locator  string `json:"referenceLocator"`
}

type spdxRelated struct {
	Of   string `json:"spdxElementId"`
	Kind string `json:"relationshipType"`
	To   string `json:"relatedSpdxElement"`
}

// modulesOf returns the modules that the go command recorded in a program, as an SPDX document. It
// has no time of its own, so that two builds of one tree are equal.
func modulesOf(program, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	d := spdx{Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: "multigrain-" + version,
		Namespace: "https://github.com/multigrain/multigrain/spdx/" + version,
		Creation:  spdxCreation{Created: "1970-01-01T00:00:00Z", Creators: []string{"Tool: multigrain-release"}}}
	add := func(path, version string) string {
		id := "SPDXRef-" + strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' {
				return r
			}
			return '-'
		}, path)
		d.Packages = append(d.Packages, spdxPackage{ID: id, Name: path, Version: version, Location: "NOASSERTION",
			Refs: []spdxRef{{"PACKAGE-MANAGER", "purl", "pkg:golang/" + path + "@" + version}}})
		return id
	}
	own := add(info.Main.Path, version)
	d.Relations = append(d.Relations, spdxRelated{d.ID, "DESCRIBES", own})
	d.Relations = append(d.Relations, spdxRelated{own, "DEPENDS_ON", add("stdlib", strings.TrimPrefix(info.GoVersion, "go"))})
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		d.Relations = append(d.Relations, spdxRelated{own, "DEPENDS_ON", add(m.Path, m.Version)})
	}
	return json.MarshalIndent(d, "", "  ")
}
