"""Unmodified RaftOS nodes in one process, with an event loop and a transport of the driver.

The loop never lets time pass: a step of a timer runs its callback. Messages go through UDPProtocol
and a serializer of the library. The files of the nodes are in a temporary folder.
"""

import asyncio
import itertools
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "checker/conform/drivers/python"))

from multigrain_driver import Driver, Failed, Network, serve
import raftos.server as library
from raftos.conf import config
from raftos.network import UDPProtocol
from raftos.serializers import JSONSerializer, MessagePackSerializer
from raftos.state import Candidate, Follower, Leader, State

ROLES = {Follower: "Follower", Candidate: "Candidate", Leader: "Leader"}
KINDS = {"request_vote": "RequestVote", "request_vote_response": "RequestVoteResponse",
         "append_entries": "AppendEntries", "append_entries_response": "AppendEntriesResponse"}
RAISED = {"NoRequestID": KeyError, "CommitBeyondLog": IndexError, "NextBeyondLog": IndexError}


class Loop(asyncio.SelectorEventLoop):
    """An event loop in which no time passes. It keeps its tasks, for what they raise."""

    def __init__(self):
        super().__init__()
        self.tasks = []
        self.set_task_factory(self.task)

    def task(self, loop, coroutine):
        self.tasks.append(asyncio.Task(coroutine, loop=loop))
        return self.tasks[-1]

    def call_later(self, delay, callback, *args):
        return asyncio.TimerHandle(0, callback, args, self)

    def settle(self):
        """Run what can run. Raise what a task raised."""
        while self._ready:
            self.stop()
            self.run_forever()
        ended = [t for t in self.tasks if t.done()]
        self.tasks = [t for t in self.tasks if not t.done()]
        for error in [t.exception() for t in ended if not t.cancelled()]:
            if error:
                raise error


class Wire:
    """The transport of a node: what it sends is in the network of the driver."""

    def __init__(self, driver, me):
        self.driver, self.me = driver, me

    def sendto(self, data, address):
        self.driver.network.send(self.me, address[1], data)

    is_closing = close = lambda self: None


class RaftOS(Driver):
    name = "raftos"
    version = "0.2.6"
    variables = ["Term", "Vote", "Log", "Role", "Lead", "Commit", "Applied", "Votes", "Next", "Match", "Net"]
    needs = ["Net", "Proposed", "Raised"]
    loop, folder = None, None
    folders = itertools.count()

    def begin(self, settings, version, actions):
        self.root = tempfile.mkdtemp(prefix="raftos-")
        config.configure({"serializer": MessagePackSerializer if settings.get("serializer") == "msgpack" else JSONSerializer})

    def reset(self, nodes, before):
        if self.loop:
            for task in self.loop.tasks:
                task.cancel()
            self.loop.settle()
            self.loop.close()
        shutil.rmtree(self.folder or "", ignore_errors=True)
        self.folder = os.path.join(self.root, str(next(self.folders)))
        config.configure({"log_path": self.folder})
        self.loop = Loop()
        asyncio.set_event_loop(self.loop)
        library.Node.nodes.clear()
        self.network = Network(nodes)
        self.nodes, self.protocols = [None] * nodes, [None] * nodes
        for i in range(nodes):
            self.start(i)

    def start(self, i):
        """Start a node, as register and Node.start do. A real node is a process of its own, so each
        has a class of its own, in which the library keeps who leads."""
        library.State = type("State", (State,), {})
        self.nodes[i] = node = library.Node(("node", i), self.loop)
        for j in set(range(len(self.nodes))) - {i}:
            node.update_cluster(("node", j))
        node.transport = Wire(self, i)
        self.protocols[i] = UDPProtocol(node.requests, node.request_handler, self.loop)
        self.protocols[i].connection_made(node.transport)
        node.state.start()
        self.loop.settle()

    def run(self, what, *args):
        try:
            what(*args)
            self.loop.settle()
        except Exception as e:
            raise Failed("the library raises %s: %s" % (type(e).__name__, e)) from e

    def check(self, action, **params):
        expected = tuple(RAISED[name] for name in self.after["Raised"])
        try:
            getattr(self, "do_" + action)(**params)
        except Failed as e:
            if isinstance(e.__cause__, expected):
                return
            raise
        raise Failed("the library raises nothing")

    def role(self, i):
        return self.nodes[i].state.state


    def do_Timeout(self, I):
        self.run(self.role(I).election_timer._run)

    do_GiveUp = do_Timeout

    def do_Beat(self, I):
        self.run(self.role(I).heartbeat_timer._run)

    def do_StepDown(self, I):
        self.run(self.role(I).step_down_timer._run)

    def do_Propose(self, I):
        self.run(self.loop.create_task, self.role(I).execute_command({"x": self.after["Proposed"]}))

    def find(self, I, J, K):
        return self.network.find(J, I, self.before["Net"][J][I][K - 1], self.shown)

    def deliver(self, I, J, K):
        message = self.network.receive(J, I, self.find(I, J, K))
        self.run(self.protocols[I].datagram_received, message, ("node", J))

    do_HandleVote = do_HandleVoteResponse = do_HandleAppend = do_HandleAppendResponse = deliver

    def do_Lose(self, **p):
        self.network.lose(p["J"], p["I"], self.find(**p))

    def do_Duplicate(self, **p):
        self.network.duplicate(p["J"], p["I"], self.find(**p))

    def do_Restart(self, I):
        self.run(self.nodes[I].stop)
        self.start(I)

    def entry(self, e):
        return {"Term": e["term"], "Value": e["command"]["x"]}

    def shown(self, data):
        m = config.serializer.unpack(config.cryptor.decrypt(data))
        stale = "success" in m and "request_id" not in m
        return {
            "Kind": KINDS[m["type"]], "Term": m["term"], "Index": m.get("last_log_index", m.get("prev_log_index", 0)),
            "LogTerm": m.get("last_log_term", m.get("prev_log_term", 0)), "Commit": m.get("commit_index", 0), "Success": m.get("vote_granted", m.get("success", False)),
            "Stale": stale, "Entry": self.entry(m["entries"][0]) if m.get("entries") else {"Term": 0, "Value": 0}}

    def number(self, node):
        node = node.id if isinstance(node, Leader) else node
        return "None" if node is None else int(node.split(":")[1])

    def observe(self):
        every = range(len(self.nodes))
        states = [node.state for node in self.nodes]

        def peers(name):
            return [[getattr(s.log, name).get("node:%d" % j, 0) if type(s.state) is Leader else 0 for j in every] for s in states]

        return {
            "Term": [s.storage.term for s in states], "Vote": [self.number(s.storage.voted_for) for s in states],
            "Log": [[self.entry(e) for e in s.log.cache] for s in states], "Role": [ROLES[type(s.state)] for s in states],
            "Lead": [self.number(s.leader) for s in states], "Commit": [s.log.commit_index for s in states],
            "Applied": [s.log.last_applied for s in states],
            "Votes": [s.state.vote_count if type(s.state) is Candidate else 0 for s in states],
            "Next": peers("next_index"), "Match": peers("match_index"), "Net": self.network.observed(self.shown)}


driver = RaftOS()
try:
    serve(driver)
finally:
    shutil.rmtree(driver.root, ignore_errors=True)
