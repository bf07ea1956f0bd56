package configs

// ImplementationSources says where the code of an implementation is, and which
// of its functions the modules of the specification model.
type ImplementationSources struct {
	// Lines is the table of methods and lines of code that is not Go: a path
	// relative to LinesDir, the folder of the file in which it is written.
	Lines    Attr[string]
	LinesDir string
	// Build is the command that compiles code that is not Go, with its
	// arguments. It runs in a copy of the code. Classes is where its result is,
	// a folder or an archive relative to the code. They are set together.
	Build   Attr[[]Text]
	Classes Attr[string]
	// Packages are patterns of Go packages, relative to the code's folder. With a driver they are
	// names of packages of Python.
	Packages Attr[[]Text]
	// Unmodelled say what a change of code means that no grain models. The first
	// whose pattern fits counts.
	Unmodelled []Unmodelled
	// Ignore are patterns of files whose changes cannot matter: documents,
	// tests. It is a short form of Unmodelled with the policy ignore, and comes
	// after these.
	Ignore Attr[[]Text]
	// Models are the functions that each module models. Where there are some,
	// they stand for those that the catalog's grains name.
	Models []ModelledFunctions
}

// Unmodelled says what a change of some code means that no grain models.
type Unmodelled struct {
	// Pattern is one of functions, with names as in models, or with a slash one
	// of files.
	Pattern Text
	// Policy is one of ignore, report and fail.
	Policy Attr[string]
}

// ModelledFunctions are the functions of the implementation that a module models.
type ModelledFunctions struct {
	Module    string
	Functions Attr[[]Text]
}

// implementationSources decodes what an implementation block says of the code;
// nil where it says nothing.
func (d *decoder) implementationSources(b *block) *ImplementationSources {
	models := b.first("models")
	builds := b.attrs["build"] != nil && (b.attrs["driver"] == nil || b.attrs["classes"] != nil)
	if b.attrs["lines"] == nil && !builds && b.attrs["classes"] == nil && b.attrs["packages"] == nil && b.attrs["ignore"] == nil && models == nil && b.first("unmodelled") == nil {
		return nil
	}
	s := &ImplementationSources{Lines: d.text(b, "lines"), Packages: d.texts(b, "packages"), Ignore: d.texts(b, "ignore")}
	d.sourcesBuild(b, s)
	if s.Lines.IsSet() {
		s.LinesDir = s.Lines.Dir()
	}
	for _, u := range b.of("unmodelled") {
		if d.require(u, "policy", "ignore, report or fail") {
			if p := d.choice(u, "policy", "ignore", "report", "fail"); p.IsSet() {
				s.Unmodelled = append(s.Unmodelled, Unmodelled{Pattern: Text{Value: u.labels[0], Range: u.labelRanges[0]}, Policy: p})
			}
		}
	}
	if models != nil {
		for _, name := range models.names {
			if list := d.texts(models, name); list.IsSet() {
				s.Models = append(s.Models, ModelledFunctions{name, list})
			}
		}
	}
	return s
}

// sourcesBuild decodes how changed code is compiled.
func (d *decoder) sourcesBuild(b *block, s *ImplementationSources) {
	driven := b.attrs["driver"] != nil && b.attrs["classes"] == nil // it builds the driver
	if driven || b.attrs["build"] == nil && b.attrs["classes"] == nil {
		return
	}
	if d.require(b, "build", "the command that compiles the changed code") && d.require(b, "classes", "the folder or archive with the result, relative to the code") {
		s.Build, s.Classes = d.texts(b, "build"), d.text(b, "classes")
		if s.Build.IsSet() && len(s.Build.Value) == 0 {
			d.report(s.Build.Errorf(CodeMissingAttribute, "Command without a program", "The attribute build is a list of a program and its arguments, such as [\"mvn\", \"-q\", \"compile\"]."))
		}
	}
}
