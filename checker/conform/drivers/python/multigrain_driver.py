"""The protocol of multigrain's drivers, and a network of controlled channels.

A driver is a class with a method for each action of the specification:

    class Counter(Driver):
        name = "counter"
        variables = ["Count"]

        def reset(self, nodes, before):
            self.count = 0

        def do_Add(self, I):
            self.count += 1

        def observe(self):
            return {"Count": self.count}

    serve(Counter())

The parameters of an action are keyword arguments. An exception of the implementation ends the
process, which is a difference if it happens again. Standard output belongs to the protocol, so what
the implementation prints goes to standard error.

Import this module before the library. `multigrain change` runs changed code of the library, which
then takes its place.
"""

import contextlib
import json
import os
import sys

import multigrain_code

PROTOCOL = 1
multigrain_code.take()


class Refused(Exception):
    """The driver cannot do what is asked: the result is undecided."""


class Failed(Exception):
    """The implementation shows what no value of the specification stands for: a difference."""


class Driver:
    name = "implementation"
    version = ""  # of the implementation that runs
    variables = []  # of the specification, those that observe returns
    needs = []  # variables whose values before and after a step the driver reads
    leaves_out = []  # steps that it cannot do: {"action": ..., "params": {...}, "reason": ...}
    borrowed = []  # parts of variables that are taken from the values that it needs
    patience = 10  # seconds for an answer
    symptoms = []  # words that look understands
    before = after = {}  # the needed values around the step that is done
    covered = None  # what notes the lines of changed code

    def begin(self, settings, version, actions):
        """Called once, with the settings of the implementation block. Raise Refused if the driver
        cannot follow a composition with these actions."""

    def reset(self, nodes, before):
        """Bring the implementation into its initial state."""
        raise NotImplementedError

    def observe(self):
        """Return the values of the variables. Those that did not change may be left out, but not
        after reset."""
        raise NotImplementedError

    def log(self):
        """Return the lines that the implementation has logged since the last call."""
        return []

    def beside(self):
        """Return what the implementation has in addition, and no variable stands for."""
        return ""

    def check(self, action, **params):
        """The implementation must report a failed assertion in this step. Define it to offer that."""
        raise Refused("this driver follows no assertions")

    def evidence(self):
        """What else was read of the last step, as a dictionary. Define it to offer that."""
        return {}

    def look(self, word, settings):
        """Return whether a symptom is seen, and a text."""
        raise Refused("this driver looks for no symptoms")


def read(value):
    """Return a value of ITF as one of Python."""
    if isinstance(value, list):
        return [read(x) for x in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((key, inner),) = value.items()
        if key == "#bigint":
            return int(inner)
        if key == "#set":
            return {read(x) for x in inner}
        if key == "#map":
            pairs = [(read(k), read(v)) for k, v in inner]
            if [k for k, _ in pairs] == list(range(len(pairs))):
                return [v for _, v in pairs]
            return dict(pairs)
    return {key: read(x) for key, x in value.items()}


def write(value):
    """Return a value of Python as one of ITF. A dictionary whose keys are texts is a record, and
    another one is a map."""
    if isinstance(value, (set, frozenset)):
        return {"#set": [write(x) for x in sorted(value)]}
    if isinstance(value, (list, tuple)):
        return [write(x) for x in value]
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: write(x) for key, x in value.items()}
        return {"#map": [[key, write(x)] for key, x in sorted(value.items())]}
    return value


class Network:
    """Channels from each node to each other one. Nothing moves by itself. Positions count from 1."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.channels = {(i, j): [] for i in range(nodes) for j in range(nodes)}
        self.broken = set()

    def send(self, i, j, message):
        if (i, j) not in self.broken:
            self.channels[i, j].append(message)

    def receive(self, i, j, k=1):
        """Take the k-th message from i to j."""
        return self.channels[i, j].pop(k - 1)

    def peek(self, i, j, k=1):
        return self.channels[i, j][k - 1]

    lose = receive

    def find(self, i, j, message, show=lambda message: message):
        """The position of a message from i to j that show makes equal to what the specification has
        in its Bag, whose positions are not those of the channel."""
        for k, m in enumerate(self.channels[i, j], 1):
            if show(m) == message:
                return k
        raise Refused("no message from %d to %d is %s" % (i, j, message))

    def duplicate(self, i, j, k=1):
        self.channels[i, j].append(self.channels[i, j][k - 1])

    def cut(self, i, j):
        """Break the connection from i to j, and lose what is in flight."""
        self.channels[i, j].clear()
        self.broken.add((i, j))

    def heal(self, i, j):
        self.broken.discard((i, j))

    def observed(self, show=lambda message: message):
        """The channels as a Net or a Bag of the specification has them."""

        def channel(i, j):
            messages = [show(m) for m in self.channels[i, j]]
            return {"cut": True, "messages": messages} if (i, j) in self.broken else messages

        return [[channel(i, j) for j in range(self.nodes)] for i in range(self.nodes)]


def defines(driver, name):
    return getattr(type(driver), name) is not getattr(Driver, name)


def hello(driver, request):
    if request.get("code"):
        for module, path in multigrain_code.strangers():
            raise Refused("the module %s was imported from %s, not from the changed code: import multigrain_driver before the library" % (module, path))
    driver.begin(request.get("settings", {}), request.get("version", ""), request.get("actions", []))
    return {
        "protocol": PROTOCOL,
        "name": driver.name,
        "version": driver.version or request.get("version", ""),
        "actions": [name[len("do_"):] for name in dir(driver) if name.startswith("do_")],
        "variables": driver.variables,
        "needs": driver.needs,
        "leaves_out": [{**out, "params": write(out.get("params", {}))} for out in driver.leaves_out],
        "borrowed": driver.borrowed,
        "patience": driver.patience,
        "symptoms": driver.symptoms,
        "asserts": defines(driver, "check"),
        "evidence": defines(driver, "evidence"),
        "coverage": multigrain_code.KNOWS,
        "same": multigrain_code.KNOWS,
    }


def answer(driver, request):
    """Do what a request asks, and return the value of ok."""
    what = request["do"]
    driver.before, driver.after = read(request.get("before", {})), read(request.get("after", {}))
    if what == "hello":
        return hello(driver, request)
    if what == "reset":
        if driver.covered:
            driver.covered.reset()
        with driver.covered or contextlib.nullcontext():
            driver.reset(request.get("nodes", 0), driver.before)
    elif what in ("step", "assert"):
        action, params = request["action"], read(request.get("params", {}))
        do = getattr(driver, "do_" + action, None)
        if do is None:
            raise Refused("this driver has no action " + action)
        with driver.covered or contextlib.nullcontext():
            if what == "step":
                do(**params)
            else:
                driver.check(action, **params)
    elif what == "observe":
        return {"variables": write(driver.observe()), "beside": driver.beside()}
    elif what == "log":
        return {"lines": driver.log()}
    elif what == "evidence":
        return {"evidence": write(driver.evidence())}
    elif what == "coverage":
        if driver.covered is None:
            driver.covered = multigrain_code.Coverage(request.get("lines", []))
        return driver.covered.answer()
    elif what == "same":
        return multigrain_code.same(request["sides"], request.get("lines", []))
    elif what == "watch":
        driver.watched = request["symptoms"]
    elif what == "symptom":
        return {"sightings": [sighting(driver, s) for s in driver.watched]}
    elif what != "stop":
        raise Refused("this driver does not know the request " + what)
    return {}


def sighting(driver, symptom):
    seen, text = driver.look(symptom["word"], symptom.get("settings", {}))
    return {"word": symptom["word"], "seen": seen, "judged": True, "text": text}


def serve(driver):
    """Answer requests until standard input ends."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for line in sys.stdin:
        request = json.loads(line)
        try:
            result = {"ok": answer(driver, request)}
        except Refused as e:
            result = {"refused": str(e)}
        except Failed as e:
            result = {"failed": str(e)}
        out.write(json.dumps({"id": request["id"], **result}) + "\n")
        if request["do"] == "stop":
            return
