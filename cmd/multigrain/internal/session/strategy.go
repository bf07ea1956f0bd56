package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/multigrain/multigrain/checker/wire"
)

// Plain strategies draw by weight, and are no wire.KnownStrategy.
const (
	weighted = "weighted"
	learned  = "learned"
)

// SetStrategy takes the value of -strategy: a name, or a name with parameters such as
// rounds:period=4,isolated=3.
func (w *Walks) SetStrategy(text string) error {
	name, rest, given := strings.Cut(text, ":")
	if name == weighted || name == learned {
		if given {
			return fmt.Errorf("strategy %s has no parameters", name)
		}
		w.Strategy, w.Learned = nil, name == learned
		return nil
	}
	known := wire.StrategyNamed(name)
	if known == nil {
		names := []string{weighted, learned}
		for _, s := range wire.Strategies {
			names = append(names, s.Name)
		}
		return fmt.Errorf("there is no strategy %q, only %s", name, strings.Join(names, ", "))
	}
	asked := &wire.AskedStrategy{Name: name, Parameters: map[string]float64{}}
	for part := range strings.SplitSeq(rest, ",") {
		if !given {
			break
		}
		parameter, value, err := parameterOf(known, part)
		if err != nil {
			return err
		}
		asked.Parameters[parameter] = value
	}
	w.Strategy, w.Learned = asked, false
	return nil
}

// parameterOf reads a parameter, such as period=4.
func parameterOf(known *wire.KnownStrategy, text string) (name string, value float64, err error) {
	name, number, ok := strings.Cut(text, "=")
	k := slices.IndexFunc(known.Parameters, func(p wire.KnownParameter) bool { return p.Name == name })
	switch {
	case !ok || k < 0:
		var names []string
		for _, p := range known.Parameters {
			names = append(names, p.Name)
		}
		return "", 0, fmt.Errorf("strategy %s takes %s=N, not %q", known.Name, strings.Join(names, "=N, "), text)
	}
	p := &known.Parameters[k]
	value, err = strconv.ParseFloat(number, 64)
	switch whole := value == float64(int64(value)); {
	case err != nil || !(value >= p.Least && value <= p.Most), p.Whole && !whole:
		return "", 0, fmt.Errorf("%s of strategy %s must be a number from %g to %g, not %q", name, known.Name, p.Least, p.Most, number)
	}
	return name, value, nil
}

// strategyRemedy says how a strategy that refuses a composition takes it.
func strategyRemedy(r *Run) string {
	asked := r.request.Options.Simulate
	if asked == nil || asked.Strategy == nil {
		return ""
	}
	known := wire.StrategyNamed(asked.Strategy.Name)
	if known == nil || !slices.ContainsFunc(known.Parameters, func(p wire.KnownParameter) bool { return p.Name == "heuristic" }) {
		return ""
	}
	return fmt.Sprintf(" Choose another grain, or accept walks that are a heuristic with -strategy %s:heuristic=1.", known.Name)
}

// SetClosure takes the value of -closure: variables of a server and fields of a message, such as Term=Term or
// Phase,Step=Phase,Kind.
func (l *Limits) SetClosure(text string) error {
	server, message, ok := strings.Cut(text, "=")
	c := &wire.Closure{Server: strings.Split(server, ","), Message: strings.Split(message, ",")}
	if !ok || len(c.Server) != len(c.Message) || slices.Contains(c.Server, "") || slices.Contains(c.Message, "") {
		return fmt.Errorf("as many variables of a server as fields of a message are expected, such as Term=Term, not %q", text)
	}
	l.Closure = c
	return nil
}
