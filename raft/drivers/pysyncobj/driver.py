"""Unmodified PySyncObj nodes in one process, with clocks and a transport of the driver.

Each clock stands still but for the steps in which time passes: Timeout, Beat and Fallback. The
journals are files in a temporary folder, so that a restart finds what was kept.
"""

import itertools
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "checker/conform/drivers/python"))

from multigrain_driver import Driver, Network, Refused, serve
import pysyncobj.syncobj as library
from pysyncobj import SyncObj, SyncObjConf, replicated
from pysyncobj.node import Node
from pysyncobj.transport import Transport
from pysyncobj.version import VERSION

# Seconds. All of a walk is below a second, so that the timer of a second does not run.
ELECTION, FALLBACK, PERIOD, MOMENT = 1e-3, 1e-4, 1e-9, 1e-12
KINDS = {"request_vote": "RequestVote", "response_vote": "ResponseVote", "append_entries": "AppendEntries",
         "next_node_idx": "NextNodeIdx", "timeout_now": "TimeoutNow"}
ROLES = ["Follower", "Candidate", "Leader"]
NOW = 0.0  # the clock of the node that runs


class Least:
    """The random numbers of the library."""

    def random(self):
        return 0.0


library.monotonicTime = lambda: NOW
library.random = Least()


class Wire(Transport):
    """Sends over the network of the driver."""

    def __init__(self, driver, me):
        super().__init__(None, None, [])
        self.driver, self.me = driver, me

    def send(self, node, message):
        self.driver.network.send(self.me, int(node.id), message)
        return (self.me, int(node.id)) not in self.driver.network.broken

    def nothing(self, *_):
        pass

    waitReady = addNode = dropNode = destroy = nothing


class Machine(SyncObj):
    """The replicated object: a list of the commands."""

    def __init__(self, me, others, conf, wire):
        super().__init__(me, others, conf, transport=wire)
        self.done = []

    @replicated
    def put(self, value):
        self.done.append(value)


class PySyncObj(Driver):
    name = "pysyncobj"
    version = VERSION
    variables = ["Log", "Term", "Vote", "Role", "Lead", "Commit", "Applied", "Done", "Votes", "Next", "Match", "Net"]
    needs = ["Proposed"]
    folder = None
    folders = itertools.count()

    def begin(self, settings, version, actions):
        self.batch = settings.get("batch", "true") == "true"
        self.ticks = "Tick" in actions
        self.root = tempfile.mkdtemp(prefix="pysyncobj-")

    def reset(self, nodes, before):
        for node in getattr(self, "nodes", []):
            node.destroy()
        shutil.rmtree(self.folder or "", ignore_errors=True)
        self.folder = os.path.join(self.root, str(next(self.folders)))
        os.mkdir(self.folder)
        self.network = Network(nodes)
        self.ids = [Node(str(i)) for i in range(nodes)]
        self.clocks = [0.0] * nodes
        self.nodes = [None] * nodes
        for i in range(nodes):
            self.start(i)

    def start(self, i):
        global NOW
        NOW = self.clocks[i]
        conf = SyncObjConf(
            autoTick=False, appendEntriesUseBatch=self.batch, raftMinTimeout=ELECTION, raftMaxTimeout=ELECTION * 1.001,
            leaderFallbackTimeout=FALLBACK, appendEntriesPeriod=PERIOD, connectionTimeout=1e9,
            journalFile=os.path.join(self.folder, str(i)))
        self.nodes[i] = Machine(self.ids[i], self.ids[:i] + self.ids[i + 1:], conf, Wire(self, i))
        for j, node in enumerate(self.ids):
            if j != i and (i, j) not in self.network.broken:
                self.get(i, "transport")._onNodeConnected(node)
        self.tick(i, MOMENT)

    def get(self, i, name):
        return getattr(self.nodes[i], "_SyncObj__" + name)

    def tick(self, i, passes=0.0):
        """Let time pass at node i, and let it tick."""
        global NOW
        self.clocks[i] += passes
        NOW = self.clocks[i]
        self.nodes[i].doTick(0.0)

    def deliver(self, I, J, tick=False):
        global NOW
        NOW = self.clocks[I]
        self.get(I, "transport")._onMessageReceived(self.ids[J], self.network.receive(J, I))
        if tick or not self.ticks:
            self.tick(I)

    do_HandleVote = do_HandleVoteReply = do_HandleAppend = do_HandleAck = deliver

    def do_HandleTransfer(self, I, J):
        self.deliver(I, J, tick=True)

    def do_Timeout(self, I):
        self.tick(I, max(self.get(I, "raftElectionDeadline") - self.clocks[I], 0.0) + MOMENT)

    def do_Beat(self, I):
        self.tick(I, PERIOD * 1.1)

    def do_Tick(self, I):
        self.tick(I)

    def do_Fallback(self, I):
        self.tick(I, FALLBACK * 1.1)

    def do_Propose(self, I):
        self.nodes[I].put(self.after["Proposed"])
        self.tick(I)

    def do_Transfer(self, I, J):
        self.nodes[I].transferLeadership(self.ids[J])

    def do_Cut(self, I, J):
        for i, j in ((I, J), (J, I)):
            self.network.cut(i, j)
            self.get(i, "transport")._onNodeDisconnected(self.ids[j])

    def do_Heal(self, I, J):
        for i, j in ((I, J), (J, I)):
            self.network.heal(i, j)
            self.get(i, "transport")._onNodeConnected(self.ids[j])

    def do_Restart(self, I):
        self.nodes[I].destroy()
        for j in range(len(self.nodes)):
            self.network.channels[I, j].clear()
            self.network.channels[j, I].clear()
        self.start(I)

    def entries(self, log):  # a NO_OP has the value 0
        return [{"Term": term, "Value": library.pickle.loads(c[1:])[1][0] if c[:1] == b"\0" else 0} for c, _, term in log]

    def shown(self, m):
        return {
            "Kind": KINDS[m["type"]], "Term": m.get("term", 0),
            "Index": m.get("last_log_index") or m.get("prevLogIdx") or m.get("next_node_idx") or 0,
            "LogTerm": m.get("last_log_term") or m.get("prevLogTerm") or 0, "Commit": m.get("commit_index", 0),
            "Reset": m.get("reset", False), "Success": m.get("success", False), "Entries": self.entries(m.get("entries", []))}

    def observe(self):
        every = range(len(self.nodes))
        role = [self.get(i, "raftState") for i in every]
        vote = [self.get(i, "votedForNodeId") for i in every]
        lead = [self.get(i, "raftLeader") for i in every]

        def peers(name):
            return [[self.get(i, name).get(self.ids[j], 0) if role[i] == 2 and i != j else 0 for j in every] for i in every]

        return {
            "Log": [self.entries(self.get(i, "raftLog")[:]) for i in every], "Term": [self.get(i, "raftCurrentTerm") for i in every],
            "Vote": ["None" if v is None else int(v) for v in vote], "Role": [ROLES[r] for r in role],
            "Lead": ["None" if x is None else int(x.id) for x in lead], "Commit": [self.get(i, "raftCommitIndex") for i in every],
            "Applied": [self.get(i, "raftLastApplied") for i in every], "Done": [self.nodes[i].done for i in every],
            "Votes": [self.get(i, "votesCount") if role[i] == 1 else 0 for i in every],
            "Next": peers("raftNextIndex"), "Match": peers("raftMatchIndex"), "Net": self.network.observed(self.shown)}


driver = PySyncObj()
try:
    serve(driver)
finally:
    shutil.rmtree(driver.root, ignore_errors=True)
