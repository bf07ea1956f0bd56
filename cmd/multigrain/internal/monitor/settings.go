package monitor

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/viper"

	"github.com/multigrain/multigrain/checker/wire"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/shell"
	"github.com/multigrain/multigrain/cmd/multigrain/internal/words"
	"github.com/multigrain/multigrain/configs"
)

// Given are the settings of a monitor that are given as flags, by name.
type Given struct{ given map[string]string }

// settings names the settings of a monitor with what they mean and their defaults.
var settings = []struct{ name, value, usage string }{
	{"node", "", "check node `I`, counted from 0"},
	{"source", "", "read the stream from a `FILE`, - for the standard input, or unix:PATH for a socket on which a tap connects"},
	{"config", "", "take settings from a `FILE`"},
	{"order", "connections", "the `ORDER` that the stream has of what the node received: total; steps, which is total with the steps that the node takes by itself; or connections, for the order of each connection"},
	{"window", "1024", "look at up to `N` events beyond the one under check; more than a node's largest batch"},
	{"within", "4096", "a received message that changes nothing counts as taken after `N` events"},
	{"max-states", "100000", "a search explores at most `N` states before it is undecided"},
	{"history", "65536", "keep `N` committed log entries"},
	{"verify", "0", "test the declarations of the specification that leave out schedules, at each `N`-th state; 0: none"},
	{"without", "", "leave out `REDUCTIONS` of the search, to measure them: asap, domination, look-ahead, declared, with commas"},
	{"snapshot", "", "keep the state of the check in `FILE`, and continue from it"},
	{"every", "1s", "keep the state each `TIME`"},
	{"keep", "0", "keep the last `N` events, and judge those up to an alarm, an undecided message or an election again with the finer grains of the specification; 0: none"},
	{"listen", "", "serve /metrics and /healthz at `ADDRESS`, such as 127.0.0.1:9470"},
	{"alarms", "", "append alarms to `FILE`, one JSON object a line"},
	{"webhook", "", "post alarms to `URL`"},
	{"selftest", "0", "try the runtime itself on `N` random behaviours instead of reading a stream"},
	{"steps", "0", "of -selftest: a behaviour has `N` steps; 0: 15 for raft, 20 for other systems"},
	{"orders", "4", "of -selftest: try `N` orders of what a node sees, or all if there are no more"},
	{"mutants", "1", "of -selftest: try `N` mutated streams of each node"},
	{"laws", "100", "of -selftest: try what the specification declares in one of `N` behaviours; 0: in none"},
	{"judge", "20000", "of -selftest: the exhaustive search of a mutated stream meets at most `N` states"},
	{"seed", "1", "of -selftest: the seed of the first behaviour; the next one has the next seed"},
	{"workers", "0", "of -selftest: use `N` processes; 0: one for each processor"},
	{"log", "text", "how to log to the standard error: text, json or off, `FORMAT`"},
}

// former are the settings that had other names, with the names of today.
var former = map[string]string{"budget": "max-states", "finer": "keep"}

// Former returns the flags that had other names.
func (m *Given) Former() map[string]string { return former }

// Declare declares a flag for each setting.
func (m *Given) Declare(fs *flag.FlagSet) {
	m.given = map[string]string{}
	for _, s := range settings {
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

// Settings returns the value of each setting: that of the flag, else of the environment variable
// MULTIGRAIN_MONITOR_NAME, else of the file, else the default. The error says that the file cannot
// be read or has an unknown setting.
func (m *Given) Settings(environ []string) (*viper.Viper, error) {
	v := viper.New()
	env := func(name string) string {
		text := shell.Lookup(environ, "MULTIGRAIN_MONITOR_"+strings.ReplaceAll(strings.ToUpper(name), "-", "_"))
		for before, now := range former {
			if now == name && text == "" {
				text = shell.Lookup(environ, "MULTIGRAIN_MONITOR_"+strings.ToUpper(before))
			}
		}
		return text
	}
	if file := cmp.Or(m.given["config"], env("config")); file != "" {
		v.SetConfigFile(file)
		if err := v.ReadInConfig(); err != nil {
			return nil, fmt.Errorf("the settings file %s cannot be read: %w", file, err)
		}
		for _, key := range v.AllKeys() {
			var names []string
			for _, s := range settings {
				names = append(names, s.name)
			}
			if now := former[key]; now != "" {
				if !v.InConfig(now) {
					v.Set(now, v.Get(key))
				}
				continue
			}
			if !slices.Contains(names, key) {
				return nil, fmt.Errorf("%s has no setting %q.%s", file, key, configs.Hint(key, names))
			}
		}
	}
	for _, s := range settings {
		v.SetDefault(s.name, s.value)
		if text := cmp.Or(m.given[s.name], env(s.name)); text != "" {
			v.Set(s.name, text)
		}
	}
	return v, nil
}

// Options are the settings, checked.
type Options struct {
	wire.Monitor
	Seed                         uint64
	Workers                      int
	listen, alarms, webhook, Log string
}

// ReadOptions returns the settings of a run, checked. The error says which setting is wrong, and
// what is required.
func ReadOptions(v *viper.Viper) (o Options, err error) {
	number := func(name string, least int, to *int) {
		s := v.GetString(name)
		n, bad := words.ParseCount(s)
		if (bad != nil || n < least) && err == nil {
			err = fmt.Errorf("-%s is %q; a whole number of at least %d is required", name, s, least)
		}
		*to = n
	}
	if v.GetString("selftest") == "0" || v.GetString("node") != "" {
		number("node", 0, &o.Node)
	}
	number("window", 1, &o.Window)
	number("within", 1, &o.Within)
	number("max-states", 1, &o.Budget)
	number("history", 1, &o.History)
	number("verify", 0, &o.Verify)
	number("keep", 0, &o.Keep)
	o.readSelftest(v, number)
	if bad := o.leaveOut(v.GetString("without")); bad != nil && err == nil {
		err = bad
	}
	every, bad := time.ParseDuration(v.GetString("every"))
	if o.SnapshotEvery = int(every.Milliseconds()); (bad != nil || o.SnapshotEvery < 1) && err == nil {
		err = fmt.Errorf("-every is %q; a time of at least 1ms is required, such as 500ms", v.GetString("every"))
	}
	o.Source, o.Snapshot = v.GetString("source"), v.GetString("snapshot")
	o.listen, o.alarms, o.webhook, o.Log = v.GetString("listen"), v.GetString("alarms"), v.GetString("webhook"), v.GetString("log")
	switch order := v.GetString("order"); {
	case err != nil:
	case o.Source == "" && o.Selftest == nil:
		err = errors.New("-source is missing: where the stream of the node's events comes from")
	case order != "total" && order != "steps" && order != "connections":
		err = fmt.Errorf("-order is %q; it is total, steps or connections", order)
	case !slices.Contains([]string{"text", "json", "off"}, o.Log):
		err = fmt.Errorf("-log is %q; it is text, json or off", o.Log)
	case piped(o.Source) && o.Snapshot != "":
		err = fmt.Errorf("-snapshot needs a file or a socket as -source: a run cannot continue from %s", o.Source)
	case !validWebhook(o.webhook):
		err = fmt.Errorf("-webhook is %q; a URL is required, such as http://127.0.0.1:8080/alarm", o.webhook)
	case !validAddress(o.listen):
		err = fmt.Errorf("-listen is %q; an address with a port is required, such as 127.0.0.1:9470", o.listen)
	default:
		o.Total, o.Steps = order != "connections", order == "steps"
		if !piped(o.Source) && o.Selftest == nil {
			o.Source, err = absoluteSource(o.Source)
		}
		if err == nil && o.Snapshot != "" {
			o.Snapshot, err = filepath.Abs(o.Snapshot)
		}
	}
	return o, err
}

// leaveOut sets which reductions are left out.
func (o *Options) leaveOut(list string) error {
	if list == "" {
		return nil
	}
	for name := range strings.SplitSeq(list, ",") {
		switch name {
		case "asap":
			o.NoAsap = true
		case "domination":
			o.NoDomination = true
		case "look-ahead":
			o.NoAhead = true
		case "declared":
			o.Undeclared = true
		default:
			return fmt.Errorf("-without names %q; the reductions are asap, domination, look-ahead and declared", name)
		}
	}
	return nil
}

// readSelftest reads the settings of a self-test.
func (o *Options) readSelftest(v *viper.Viper, number func(name string, least int, to *int)) {
	var n, laws, seed int
	x := &wire.Selftest{Stride: 1}
	number("selftest", 0, &n)
	number("steps", 0, &x.Steps)
	number("orders", 1, &x.Orders)
	number("mutants", 0, &x.Mutants)
	number("laws", 0, &laws)
	number("judge", 1, &x.Judge)
	number("seed", 0, &seed)
	number("workers", 0, &o.Workers)
	x.Number, x.Laws, o.Seed = int64(n), int64(laws), uint64(seed)
	if n > 0 {
		o.Selftest = x
	}
}

// ReadExplained returns the settings of an explanation, which reads no stream.
func ReadExplained(v *viper.Viper) (o Options, err error) {
	if text := v.GetString("node"); text != "" {
		if o.Node, err = words.ParseCount(text); err != nil {
			err = fmt.Errorf("-node is %q; a whole number of at least 0 is required", text)
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

// piped reports whether a source is one that the assembled program cannot open: it has a standard
// input and no other files of its own.
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
