package lsp

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"

	"github.com/multigrain/multigrain/cmd/multigrain/internal/command"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/session"
	"github.com/multigrain/multigrain/configs"
	"github.com/multigrain/multigrain/grains"
)

// pause is the time without typing after which a manifest is validated.
const pause = 200 * time.Millisecond

// server answers one editor.
type server struct {
	env  *session.Env
	rpc  *jrpc2.Server
	ctx  context.Context // of the connection
	work sync.WaitGroup

	mu       sync.Mutex
	open     map[string]string               // texts, by URI
	catalogs map[string]*grains.Catalog      // that were read last, by the manifest's URI
	problems map[string]map[string][]problem // by the manifest's URI, then by the file's
	timers   map[string]*time.Timer
	shut     bool

	validating sync.Mutex // one manifest at a time
}

func newServer(ctx context.Context, env *session.Env) *server {
	return &server{env: env, ctx: ctx, open: map[string]string{}, catalogs: map[string]*grains.Catalog{},
		problems: map[string]map[string][]problem{}, timers: map[string]*time.Timer{}}
}

// methods are the requests and notifications that are answered.
func (s *server) methods() handler.Map {
	none := func(context.Context) error { return nil }
	return handler.Map{
		"initialize":                       handler.New(s.initialize),
		"initialized":                      handler.New(func(context.Context, any) error { return nil }),
		"shutdown":                         handler.New(func(context.Context) (any, error) { s.end(); return nil, nil }),
		"exit":                             handler.New(func(context.Context) error { go s.rpc.Stop(); return nil }),
		"$/cancelRequest":                  handler.New(func(context.Context, any) error { return nil }),
		"$/setTrace":                       handler.New(func(context.Context, any) error { return nil }),
		"workspace/didChangeConfiguration": handler.New(func(context.Context, any) error { return nil }),
		"workspace/didChangeWatchedFiles":  handler.New(func(context.Context, any) error { s.again(); return none(nil) }),
		"textDocument/didOpen":             handler.New(s.opened),
		"textDocument/didChange":           handler.New(s.changed),
		"textDocument/didSave":             handler.New(func(context.Context, any) error { s.again(); return nil }),
		"textDocument/didClose":            handler.New(s.closed),
		"textDocument/completion":          handler.New(s.complete),
		"textDocument/hover":               handler.New(s.hover),
		"textDocument/definition":          handler.New(s.define),
		"textDocument/references":          handler.New(s.refer),
		"textDocument/formatting":          handler.New(s.format),
		"textDocument/codeAction":          handler.New(s.fix),
		"textDocument/codeLens":            handler.New(s.lenses),
		"workspace/executeCommand":         handler.New(s.execute),
	}
}

func (s *server) initialize(context.Context, any) (any, error) {
	return map[string]any{
		"serverInfo": map[string]string{"name": "multigrain", "version": command.Version()},
		"capabilities": map[string]any{
			"textDocumentSync":           map[string]any{"openClose": true, "change": 1, "save": true},
			"completionProvider":         map[string]any{"triggerCharacters": []string{"\"", "."}},
			"hoverProvider":              true,
			"definitionProvider":         true,
			"referencesProvider":         true,
			"documentFormattingProvider": true,
			"codeActionProvider":         map[string]any{"codeActionKinds": []string{"quickfix"}},
			"codeLensProvider":           map[string]any{},
			"executeCommandProvider":     map[string]any{"commands": []string{checkCommand}},
		},
	}, nil
}

func (s *server) opened(_ context.Context, p opening) error {
	s.set(p.TextDocument.URI, p.TextDocument.Text)
	return nil
}

func (s *server) changed(_ context.Context, p changing) error {
	if n := len(p.ContentChanges); n > 0 {
		s.set(p.TextDocument.URI, p.ContentChanges[n-1].Text)
	}
	return nil
}

func (s *server) closed(_ context.Context, p opening) error {
	uri := p.TextDocument.URI
	s.mu.Lock()
	delete(s.open, uri)
	delete(s.catalogs, uri)
	s.mu.Unlock()
	s.publish(uri, nil)
	s.again() // other manifests may extend it
	return nil
}

// set keeps the text of an open manifest, and validates all that are open: others may extend it.
func (s *server) set(uri, text string) {
	s.mu.Lock()
	s.open[uri] = text
	s.mu.Unlock()
	s.again()
}

// again validates all open manifests after a pause.
func (s *server) again() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uri := range s.open {
		if t := s.timers[uri]; t != nil {
			t.Stop()
		}
		s.timers[uri] = time.AfterFunc(pause, func() { s.validate(uri) })
	}
}

// text returns the text of an open manifest.
func (s *server) text(uri string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, ok := s.open[uri]
	return text, ok
}

// end stops all that runs.
func (s *server) end() {
	s.mu.Lock()
	s.shut = true
	for _, t := range s.timers {
		t.Stop()
	}
	s.mu.Unlock()
}

// at returns where a position is, the names that may stand there, and the text.
func (s *server) at(uri string, p position) (c cursor, names []name, text string) {
	text, ok := s.text(uri)
	if !ok {
		return c, nil, ""
	}
	c = cursorAt(text, offsetOf(text, p))
	return c, namesAt(&c, s.catalog(uri)), text
}

func (s *server) complete(_ context.Context, p positioned) (any, error) {
	c, names, text := s.at(p.TextDocument.URI, p.Position)
	items := []item{}
	for _, n := range names {
		i := item{Label: n.text, Kind: n.kind, Detail: n.detail}
		if n.doc != "" {
			i.Documentation = &markup{"markdown", strings.TrimSpace(n.doc)}
		}
		insert := n.text
		switch {
		case c.value && !c.quoted && n.text != "true" && n.text != "false":
			insert = `"` + n.text + `"`
		case !c.value && !c.quoted && n.insert != "" && !restOfLine(text, c.to):
			insert = n.insert
		}
		i.TextEdit = &textEdit{rangeOf(text, c.from, c.to), insert}
		items = append(items, i)
	}
	return map[string]any{"isIncomplete": false, "items": items}, nil
}

// restOfLine reports whether something follows on the line.
func restOfLine(text string, from int) bool {
	line, _, _ := strings.Cut(text[from:], "\n")
	return strings.TrimSpace(line) != ""
}

// named returns the name at a position, or nil.
func (s *server) named(uri string, p position) (*name, cursor, string) {
	c, names, text := s.at(uri, p)
	for k := range names {
		if c.word != "" && names[k].text == c.word {
			return &names[k], c, text
		}
	}
	return nil, c, text
}

func (s *server) hover(_ context.Context, p positioned) (any, error) {
	n, c, text := s.named(p.TextDocument.URI, p.Position)
	if n == nil {
		return nil, nil
	}
	value := "**" + n.text + "** (" + n.detail + ")"
	if n.doc != "" {
		value += "\n\n" + strings.TrimSpace(n.doc)
	}
	return hovered{markup{"markdown", value}, rangeOf(text, c.from, c.to)}, nil
}

func (s *server) define(_ context.Context, p positioned) (any, error) {
	n, _, _ := s.named(p.TextDocument.URI, p.Position)
	if n == nil {
		return nil, nil
	}
	at := n.declared()
	if at.File == "" {
		return nil, nil
	}
	return locationOf(at), nil
}

func (s *server) refer(_ context.Context, p positioned) (any, error) {
	n, _, _ := s.named(p.TextDocument.URI, p.Position)
	if n == nil {
		return []location{}, nil
	}
	s.mu.Lock()
	open := map[string]string{}
	for uri, text := range s.open {
		open[uri] = text
	}
	s.mu.Unlock()
	return references(n, open), nil
}

func (s *server) format(_ context.Context, p opening) (any, error) {
	text, ok := s.text(p.TextDocument.URI)
	out, diags := configs.Format(pathOf(p.TextDocument.URI), []byte(text))
	if !ok || diags.HasErrors() || string(out) == text {
		return []textEdit{}, nil
	}
	return []textEdit{{rangeOf(text, 0, len(text)), string(out)}}, nil
}
