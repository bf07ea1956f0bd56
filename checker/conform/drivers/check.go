package drivers

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/multigrain/multigrain/checker/host"
	"github.com/multigrain/multigrain/checker/itf"
)

// Check tries a driver against the protocol alone: without a specification, so no value is judged.
// Actions, settings and version are those of hello. It returns what it tried, a line each. The
// error is the first mistake, a *Fault.
func Check(c Command, actions []string, settings map[string]string, version string) (done []string, err error) {
	x := checking{c: c, hello: Request{Do: DoHello, Protocol: Version, Actions: actions, Settings: settings, Version: version}}
	renamingOf(c.Names).request(&x.hello)
	defer func() {
		if x.p != nil {
			x.p.kill()
		}
	}()
	for _, try := range []func() (string, error){x.begins, x.resets, x.refuses, x.again, x.stops, x.repeats} {
		line, err := try()
		if err != nil {
			return done, err
		}
		done = append(done, line)
	}
	return done, nil
}

// checking is a driver while Check tries it.
type checking struct {
	c     Command
	hello Request
	said  Hello
	p     *process
	first map[string]string // the values after reset, as texts
}

// ask sends a request and takes its answer. Anything that is no answer is an error here.
func (x *checking) ask(req Request) (*Answer, error) {
	a, err := x.p.ask(&req, beginning)
	switch {
	case err == errEnded:
		ended := x.p.ended()
		x.p = nil
		return nil, x.c.fault(req.Do == DoHello, "ends during %s: %v.", req.Do, ended)
	case err != nil:
		if silent, ok := err.(*errSilent); ok {
			return nil, x.c.fault(false, "does not answer: %v.", silent)
		}
		return nil, err
	}
	return a, nil
}

// begins starts a process and reads hello.
func (x *checking) begins() (string, error) {
	h, err := x.start()
	if err != nil {
		return "", err
	}
	x.said = *h
	switch {
	case h.Protocol != Version:
		return "", x.c.fault(false, "speaks version %d of the protocol, and version %d is required.", h.Protocol, Version)
	case h.Name == "" || len(h.Variables) == 0 || len(h.Actions) == 0:
		return "", x.c.fault(false, "needs a name, variables and actions in hello.")
	}
	return fmt.Sprintf("hello: %s %s, %d actions, %d variables", h.Name, h.Version, len(h.Actions), len(h.Variables)), nil
}

func (x *checking) start() (h *Hello, err error) {
	if x.p, err = x.c.start(); err != nil {
		return nil, err
	}
	a, err := x.ask(x.hello)
	if err != nil {
		return nil, err
	}
	h = new(Hello)
	if a.OK == nil {
		return nil, x.c.fault(true, "refuses hello: %s.", deref(a.Refused)+deref(a.Failed))
	}
	if err := strict(a.OK, h); err != nil {
		return nil, x.c.fault(false, "answers hello with %.200q: %v.", a.OK, err)
	}
	return h, nil
}

// observe returns the values of all variables as texts.
func (x *checking) observe() (map[string]string, error) {
	a, err := x.ask(Request{Do: DoObserve})
	if err != nil {
		return nil, err
	}
	var o Observed
	if a.OK == nil {
		return nil, x.c.fault(false, "does not observe after reset: %s.", deref(a.Refused)+deref(a.Failed))
	}
	if err := strict(a.OK, &o); err != nil {
		return nil, x.c.fault(false, "answers observe with %.200q: %v.", a.OK, err)
	}
	out := map[string]string{}
	for name, raw := range o.Variables {
		v, err := itf.ReadValue(raw)
		if err != nil {
			return nil, x.c.fault(false, "observes %s = %.200s: %v.", name, raw, err)
		}
		if out[name] = itf.Text(v); !slices.Contains(x.said.Variables, name) {
			return nil, x.c.fault(false, "observes the variable %q, which its hello does not name.", name)
		}
	}
	return out, nil
}

func (x *checking) reset() (map[string]string, error) {
	a, err := x.ask(Request{Do: DoReset, Nodes: 3, Before: map[string]json.RawMessage{}})
	if err != nil {
		return nil, err
	}
	if a.OK == nil {
		return nil, x.c.fault(false, "does not reset: %s.", deref(a.Refused)+deref(a.Failed))
	}
	return x.observe()
}

// resets brings it into the initial state of three nodes, and compares two observations.
func (x *checking) resets() (string, error) {
	var err error
	if x.first, err = x.reset(); err != nil {
		return "", err
	}
	for _, name := range x.said.Variables {
		if _, ok := x.first[name]; !ok {
			return "", x.c.fault(false, "does not observe %s after reset.", name)
		}
	}
	second, err := x.observe()
	if err != nil {
		return "", err
	}
	return "reset and observe: all variables, twice the same", x.same(second, "without a step, two observations differ")
}

// same compares an observation with the first one. A variable that is left out did not change.
func (x *checking) same(now map[string]string, what string) error {
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name] != x.first[name] {
			return x.c.fault(false, "is not a function of its requests: %s in %s, which was %.80s and is %.80s.", what, name, x.first[name], now[name])
		}
	}
	return nil
}

// refuses asks for what no driver can do.
func (x *checking) refuses() (string, error) {
	for _, req := range []Request{
		{Do: DoStep, Action: "multigrain-no-such-action", Params: map[string]json.RawMessage{}}, {Do: "multigrain-no-such-request"},
	} {
		a, err := x.ask(req)
		if err != nil {
			return "", err
		}
		if a.Refused == nil {
			return "", x.c.fault(false, "does not refuse %s, which it cannot know.", req.Do+" "+req.Action)
		}
	}
	return "unknown actions and requests: refused", nil
}

// again resets once more.
func (x *checking) again() (string, error) {
	now, err := x.reset()
	if err != nil {
		return "", err
	}
	return "a second reset: the same initial state", x.same(now, "the initial states of two walks differ")
}

// stops ends the process.
func (x *checking) stops() (string, error) {
	p, began := x.p, host.Now()
	x.p = nil
	p.stop()
	if host.Since(began) >= ending {
		return "", x.c.fault(false, "does not end within %s after stop.", ending)
	}
	return "stop: the process ends", nil
}

// repeats starts a second process.
func (x *checking) repeats() (string, error) {
	h, err := x.start()
	if err != nil {
		return "", err
	}
	if !x.said.same(h) {
		return "", x.c.fault(false, "says something else in hello than the process before it.")
	}
	now, err := x.reset()
	if err != nil {
		return "", err
	}
	return "a second process: the same", x.same(now, "the initial states of two processes differ")
}
