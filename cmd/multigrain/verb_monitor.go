package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/viper"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/codes"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/result"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/view/text"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

var monitorVerb = verb{
	name: "monitor", args: "MANIFEST", summary: "check a running node's messages against a composition", least: 1, most: 1,
	about: `A tap beside one node writes what the node receives and sends into a file or a socket; docs/runtime.md says in what form.
For every message that the node sends there must be an order of what it has received, of time-outs and of internal steps in which the
composition sends that message. If there is none, that is an alarm: it names the message, the events before it and what would
have been allowed. Where the tap has lost something, or a limit ended a search, the result is undecided, and says why.

    multigrain monitor configs/raft/monitor.hcl --node 0 --source node0.ndjson
    multigrain monitor configs/raft/monitor.hcl --node 0 --source unix:/run/node0.tap --listen 127.0.0.1:9470 --alarms alarms.ndjson

A file and the standard input (-source -) are read to their end or the first alarm, a socket until the first interrupt. The exit code is 30 after an alarm, 20 where anything is undecided, and 0
where every message was explained.

All flags but -var, -var-file, -json, -quiet and -no-color can stand in a file (-config FILE, YAML, TOML or JSON) and in the environment,
as MULTIGRAIN_MONITOR_NODE for -node. A flag counts more than the environment, and that more than the file.
`,
	flags: func(fs *flag.FlagSet, o *options) { o.monitor.declare(fs) },
	run:   runMonitor,
}

// monitorFlags are the settings of a monitor that are given as flags, by name.
type monitorFlags struct{ given map[string]string }

// monitorSettings names the settings of a monitor with what they mean and their defaults.
var monitorSettings = []struct{ name, value, usage string }{
	{"node", "", "check node `I`, counted from 0"},
	{"source", "", "read the stream from a `FILE`, - for the standard input, or unix:PATH for a socket on which a tap connects"},
	{"config", "", "take settings from a `FILE`"},
	{"order", "connections", "what is known of the order in which the node took what it received: total, steps for total and the steps that it takes by itself, or connections for that of each connection, `ORDER`"},
	{"window", "1024", "look at up to `N` events beyond the one under check; more than a node's largest batch"},
	{"within", "4096", "a received message is processed within `N` events"},
	{"budget", "100000", "a search explores at most `N` states before it is undecided"},
	{"history", "65536", "keep `N` committed log entries"},
	{"verify", "0", "hold each `N`-th state that is met against the conditions of what the specification declares to spare schedules; 0: none"},
	{"snapshot", "", "keep the state of the check in `FILE`, and go on from it"},
	{"every", "1s", "keep the state each `TIME`"},
	{"listen", "", "serve /metrics and /healthz at `ADDRESS`, such as 127.0.0.1:9470"},
	{"alarms", "", "append alarms to `FILE`, one JSON object a line"},
	{"webhook", "", "post alarms to `URL`"},
	{"log", "text", "how to log to the standard error: text, json or off, `FORMAT`"},
}

func (m *monitorFlags) declare(fs *flag.FlagSet) {
	m.given = map[string]string{}
	for _, s := range monitorSettings {
		usage := s.usage
		if s.value != "" {
			usage += " (default: " + s.value + ")"
		}
		fs.Func(s.name, usage, func(text string) error {
			if text == "" {
				return errors.New("it needs a value")
			}
			m.given[s.name] = text
			return nil
		})
	}
}

// settings merges flags, environment, file and defaults.
func (m *monitorFlags) settings(environ []string) (*viper.Viper, error) {
	v := viper.New()
	env := func(name string) string { return shell.Lookup(environ, "MULTIGRAIN_MONITOR_"+strings.ToUpper(name)) }
	if file := cmp.Or(m.given["config"], env("config")); file != "" {
		v.SetConfigFile(file)
		if err := v.ReadInConfig(); err != nil {
			return nil, fmt.Errorf("the settings file %s cannot be read: %w", file, err)
		}
		for _, key := range v.AllKeys() {
			var names []string
			for _, s := range monitorSettings {
				names = append(names, s.name)
			}
			if !slices.Contains(names, key) {
				return nil, fmt.Errorf("%s has no setting %q.%s", file, key, configs.Hint(key, names))
			}
		}
	}
	for _, s := range monitorSettings {
		v.SetDefault(s.name, s.value)
		if text := cmp.Or(m.given[s.name], env(s.name)); text != "" {
			v.Set(s.name, text)
		}
	}
	return v, nil
}

// monitorOptions are the settings, checked.
type monitorOptions struct {
	wire.Monitor
	listen, alarms, webhook, log string
}

func readMonitorOptions(v *viper.Viper) (o monitorOptions, err error) {
	number := func(name string, least int, to *int) {
		s := v.GetString(name)
		n, bad := words.ParseCount(s)
		if (bad != nil || n < least) && err == nil {
			err = fmt.Errorf("-%s is %q; a whole number of at least %d is wanted", name, s, least)
		}
		*to = n
	}
	number("node", 0, &o.Node)
	number("window", 1, &o.Window)
	number("within", 1, &o.Within)
	number("budget", 1, &o.Budget)
	number("history", 1, &o.History)
	number("verify", 0, &o.Verify)
	every, bad := time.ParseDuration(v.GetString("every"))
	if o.SnapshotEvery = int(every.Milliseconds()); (bad != nil || o.SnapshotEvery < 1) && err == nil {
		err = fmt.Errorf("-every is %q; a time of at least 1ms is wanted, such as 500ms", v.GetString("every"))
	}
	o.Source, o.Snapshot = v.GetString("source"), v.GetString("snapshot")
	o.listen, o.alarms, o.webhook, o.log = v.GetString("listen"), v.GetString("alarms"), v.GetString("webhook"), v.GetString("log")
	switch order := v.GetString("order"); {
	case err != nil:
	case o.Source == "":
		err = errors.New("-source is missing: where the stream of the node's events comes from")
	case order != "total" && order != "steps" && order != "connections":
		err = fmt.Errorf("-order is %q; it is total, steps or connections", order)
	case !slices.Contains([]string{"text", "json", "off"}, o.log):
		err = fmt.Errorf("-log is %q; it is text, json or off", o.log)
	case piped(o.Source) && o.Snapshot != "":
		err = fmt.Errorf("-snapshot needs a file or a socket as -source: %s cannot be gone on from", o.Source)
	case !validWebhook(o.webhook):
		err = fmt.Errorf("-webhook is %q; a URL is wanted, such as http://127.0.0.1:8080/alarm", o.webhook)
	case !validAddress(o.listen):
		err = fmt.Errorf("-listen is %q; an address with a port is wanted, such as 127.0.0.1:9470", o.listen)
	default:
		o.Total, o.Steps = order != "connections", order == "steps"
		if !piped(o.Source) {
			o.Source, err = absoluteSource(o.Source)
		}
		if err == nil && o.Snapshot != "" {
			o.Snapshot, err = filepath.Abs(o.Snapshot)
		}
	}
	return o, err
}

func validWebhook(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func validAddress(text string) bool {
	_, _, err := net.SplitHostPort(text)
	return text == "" || err == nil
}

// piped reports whether a source is one that the assembled program cannot open: it has a standard input and no other files of its own.
func piped(source string) bool {
	return source == "-" || source == "/dev/stdin" || strings.HasPrefix(source, "/dev/fd/") || strings.HasPrefix(source, "/proc/self/fd/")
}

func absoluteSource(s string) (string, error) {
	path, unix := strings.CutPrefix(s, "unix:")
	abs, err := filepath.Abs(path)
	if unix {
		abs = "unix:" + abs
	}
	return abs, err
}

func runMonitor(c *call) int {
	in := shell.Catch()
	defer in.Release()
	o := c.resolve(c.args[0])
	named(&c.doc, o)
	if o.comp != nil {
		compositionOf(&c.doc, o.comp)
		v, err := c.opt.monitor.settings(c.environ)
		var opt monitorOptions
		if err == nil {
			opt, err = readMonitorOptions(v)
		}
		if err != nil {
			text := strings.TrimRight(err.Error(), ".")
			if !strings.HasSuffix(text, "?") {
				text += "."
			}
			c.report(hcl.Diagnostics{configs.Errorf(codes.MonitorSettings, "Invalid settings", hcl.Range{}, "%s", text)}, nil)
			return shell.Usage
		}
		c.monitor(o, &opt, in)
	}
	c.report(o.diags, o.manifest.Sources)
	if c.doc.Monitor != nil {
		c.print(text.Monitor(c.doc.Monitor, c.painter(c.outWidth)))
	}
	switch {
	case shell.ExitOf(o.diags) != shell.OK:
		return shell.ExitOf(o.diags)
	case c.doc.Monitor == nil || c.doc.Monitor.Verdict == "undecided":
		return shell.Undecided
	case c.doc.Monitor.Alarm != nil:
		return shell.Mismatch
	}
	return shell.OK
}

// monitor assembles the program and runs it until the stream or the user ends it.
func (c *call) monitor(o *outcome, opt *monitorOptions, in shell.Interrupts) {
	program, prints, diags := o.comp.AssembleMonitor(in.Soft)
	if in.Soft.Err() != nil {
		c.doc.Monitor = &result.Monitor{Node: opt.Node, Verdict: "undecided", Reason: "interrupted while the program was built"}
		return
	}
	if o.add(diags...); diags.HasErrors() {
		return
	}
	opt.Footprints = prints
	s := &service{node: opt.Node, log: newLogger(c.err, opt.log, c.opt.quiet), started: time.Now()}
	if err := s.open(opt); err != nil {
		o.add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%v.", err))
		return
	}
	defer s.close()
	source := opt.Source
	if piped(source) {
		path, remove, err := feed(source)
		if err != nil {
			o.add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%v.", err))
			return
		}
		defer remove()
		opt.Source = path
	}
	s.log.Info("monitor started", "manifest", o.manifest.Name(), "node", opt.Node, "source", source)
	p := wire.Program{Path: program, Stop: in.Soft.Done(), Refinement: s.heard}
	req := wire.Request{Verb: "monitor", Choice: o.comp.EncodedChoice(), Options: wire.Options{Monitor: &opt.Monitor}}
	report, err := p.Run(in.Hard, req)
	if err != nil {
		s.log.Error("monitor failed", "error", err)
		c.monitorFailed(o, err)
		return
	}
	last := *report.Refinement
	doc := &result.Monitor{Node: opt.Node, Verdict: report.Verdict, Reason: report.Reason, Seconds: report.Seconds, Alarms: last.Alarms,
		Malformed: last.Malformed, Unreadable: last.Unreadable}
	s.heard(last)
	remarshal(report.Refinement.Stats, &doc.Stats)
	if report.Refinement.Alarm != nil {
		doc.Alarm = &result.Alarm{}
		remarshal(report.Refinement.Alarm, doc.Alarm)
	}
	c.doc.Monitor = doc
	s.log.Info("monitor ended", "verdict", doc.Verdict, "outgoing", doc.Stats.Out, "decided", doc.Stats.Decided)
	s.finish()
}

// monitorFailed reports why a monitor could not start or go on.
func (c *call) monitorFailed(o *outcome, err error) {
	var fault *wire.Error
	if !errors.As(err, &fault) {
		c.failed(o, err)
		return
	}
	switch fault.Kind {
	case wire.ErrorOptions:
		o.add(configs.Errorf(codes.MonitorSettings, "Invalid settings", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorInput:
		o.add(configs.Errorf(codes.MonitorService, "Monitor cannot start", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorLocal:
		o.add(configs.Errorf(codes.MonitorLocal, "Not for one node", hcl.Range{},
			"%s Choose grains whose actions use the acting server's variables only, or declare local effects (Runtime.Locals).", words.Sentence(fault.Message)))
	case wire.ErrorDeclared:
		o.add(configs.Errorf(codes.MonitorLocal, "Declaration does not hold", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	case wire.ErrorSystem:
		o.add(configs.Errorf(codes.Machine, "Monitor failed", hcl.Range{}, "%s", words.Sentence(fault.Message)))
	default:
		c.failed(o, err)
	}
}

func newLogger(to io.Writer, format string, quiet bool) *slog.Logger {
	switch {
	case format == "off" || quiet:
		return slog.New(slog.DiscardHandler)
	case format == "json":
		return slog.New(slog.NewJSONHandler(to, nil))
	}
	return slog.New(slog.NewTextHandler(to, nil))
}

// remarshal reads what the program sent as JSON into a type of this package.
func remarshal(from, to any) {
	if b, err := json.Marshal(from); err == nil {
		_ = json.Unmarshal(b, to) // a field of another type stays zero
	}
}
