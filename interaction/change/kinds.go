package change

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/multigrain/multigrain/interaction/change/internal/unified"
)

// documents are files that no program is built from, by their ends or names.
var (
	documents     = []string{".md", ".txt", ".rst", ".adoc"}
	documentNames = []string{"LICENSE", "NOTICE", "README", "CHANGELOG", "CHANGES", "AUTHORS", "CONTRIBUTING", "MAINTAINERS", "OWNERS", "CODEOWNERS"}
)

// codeEnds are ends of files with code, which is no document in a folder of documents either.
var codeEnds = []string{".go", ".java", ".kt", ".scala", ".groovy", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".py", ".rs", ".s", ".js", ".ts", ".proto", ".jute"}

// buildFiles are patterns of files that say how code is built, checked and released. What is
// required of other modules of Go is read from go.mod; see goHolder.module.
var buildFiles = []string{
	"**/pom.xml", "**/build.xml", "**/ivy*.xml", "**/*.gradle", "**/*.gradle.kts", "**/gradle.properties", "**/gradle/**", "**/gradlew*", "**/mvnw*", "**/.mvn/**",
	"**/{GNUm,M,m}akefile", "**/*.mk", "**/CMakeLists.txt", "**/{BUILD,WORKSPACE}", "**/*.bazel", "**/go.sum", "**/go.work.sum",
	"**/Jenkinsfile*", "**/Dockerfile*", ".github/**", ".ci/**", ".circleci/**", ".travis.yml", "**/.gitignore", "**/.gitattributes", "**/.editorconfig",
	"**/.golangci*.y{,a}ml", "**/{checkstyle,findbugs,spotbugs,owasp,excludeFindBugs}*.xml", "**/*{checkstyle,findbugs,spotbugs}*/**.xml", ".asf.yaml", ".mailmap",
}

// testFolders are the folders with tests of Maven and Gradle.
var testFolders = regexp.MustCompile(`(^|/)src/(test|[a-z][A-Za-z]*Test|testFixtures)/`)

// vendored matches the list of the modules that are in a folder vendor.
var vendored = regexp.MustCompile(`(^|/)vendor/modules\.txt$`)

// sums matches the files with the hashes of modules.
var sums = regexp.MustCompile(`(^|/)go(\.work)?\.sum$`)

// otherHash names a module whose hash a file of hashes changes, with its version: what is built has
// other code then. It is "" where hashes come and go alone, as with a requirement in go.mod.
func otherHash(f *unified.File) string {
	gone := map[string]string{}
	for _, sign := range []byte{'-', '+'} {
		for k := range f.Hunks {
			for _, line := range f.Hunks[k].Body {
				words := strings.Fields(line[1:])
				if line[0] != sign || len(words) != 3 {
					continue
				}
				module := words[0] + " " + words[1]
				if was, ok := gone[module]; sign == '-' {
					gone[module] = words[2]
				} else if ok && was != words[2] {
					return module
				}
			}
		}
	}
	return ""
}

// kindOf returns why a file cannot matter, by its name; "" where it can.
func (o Options) kindOf(name string) string {
	base, ext, folders := path.Base(name), path.Ext(name), strings.Split(path.Dir(name), "/")
	inGo := len(o.Packages) > 0
	document := slices.Contains(documents, ext) || slices.Contains(documentNames, strings.TrimSuffix(base, ext)) && !slices.Contains(codeEnds, ext) ||
		!slices.Contains(codeEnds, ext) && slices.ContainsFunc(folders, func(d string) bool { return d == "doc" || d == "docs" || strings.HasSuffix(d, "-docs") })
	switch {
	case o.Table != nil && o.Table.File(name) != nil:
		return ""
	case inGo && vendored.MatchString(name): // it says what packages are built from
		return ""
	case inGo && strings.HasSuffix(name, "_test.go"), inGo && slices.Contains(folders, "testdata"):
		return "a test"
	case inGo && ext == ".go" && !goSide(name):
		return "a file that the go command leaves out"
	case testFolders.MatchString(name), ext != ".go" && (folders[0] == "test" || folders[0] == "tests"):
		return "a test"
	case ignored(buildFiles, name) != "":
		return "a file of the build"
	case document && !strings.Contains(name, "src/main/"):
		return "a document"
	}
	return ""
}

// kind returns why a file's change cannot matter, and whether it cannot: neither of its names is
// one that can.
func (o Options) kind(r *repo, f *unified.File) (reason string, passes bool) {
	for _, name := range []string{f.Old, f.New} {
		if name == "" {
			continue
		}
		rule, here := o.fileRule(name)
		switch kind := o.kindOf(name); {
		case rule != nil && rule.Policy == Ignore:
			reason = fmt.Sprintf("matches %q, which the manifest ignores", rule.Pattern)
		case rule != nil || !here || kind == "" || r != nil && len(o.Packages) > 0 && r.embeds(name):
			return "", false
		default:
			reason = kind
		}
	}
	return reason, true
}

// passes reports whether a file's change cannot matter.
func (o Options) passes(out *Analysis, r *repo, f *unified.File) bool {
	reason, pass := o.kind(r, f)
	if rule, _ := o.fileRule(f.Path()); pass && rule == nil && len(o.Packages) > 0 && sums.MatchString(f.Path()) {
		if module := otherHash(f); module != "" {
			out.unmodelled(Declaration{Name: module, Kind: Lines, How: howOf(f), File: f.Path()}, "the same version has other code: its hash changes")
			return true
		}
	}
	if pass {
		out.ignore(f.Path(), "%s", reason)
	}
	return pass
}

// embeds reports whether a directive //go:embed of a Go file in a folder around a file names it.
func (r *repo) embeds(name string) bool {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		for _, source := range r.list(dir, ".go") {
			for line := range strings.SplitSeq(r.read(source), "\n") {
				rest, ok := strings.CutPrefix(line, "//go:embed ")
				if !ok {
					continue
				}
				for _, p := range strings.Fields(rest) {
					p = path.Join(dir, strings.TrimPrefix(strings.Trim(p, "\"`"), "all:"))
					if ignored([]string{p, p + "/**"}, name) != "" {
						return true
					}
				}
			}
		}
		if dir == "." || dir == "/" {
			return false
		}
	}
}
