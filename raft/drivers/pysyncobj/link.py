"""Two unmodified transports of PySyncObj in one process, with sockets on the loopback interface.

Node 1 connects to node 0. Each transport has a poller of its own, which looks for events only in a
step. The clock stands still but for Connect, so that no connection is made again by itself.
"""

import os
import select
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "checker/conform/drivers/python"))

from multigrain_driver import Driver, Failed, serve
import pysyncobj.tcp_connection
import pysyncobj.transport
from pysyncobj import SyncObjConf
from pysyncobj.node import TCPNode
from pysyncobj.poller import createPoller
from pysyncobj.tcp_connection import CONNECTION_STATE
from pysyncobj.version import VERSION

NOW = 1e3  # seconds: a transport binds a second after 0 at the earliest
PHASES = {CONNECTION_STATE.DISCONNECTED: "Disconnected", CONNECTION_STATE.CONNECTING: "Connecting", CONNECTION_STATE.CONNECTED: "Connected"}
pysyncobj.tcp_connection.monotonicTime = pysyncobj.transport.monotonicTime = lambda: NOW


class User:
    """What a transport asks of the object that has it, and what it tells that."""

    encryptor = None

    def __init__(self):
        self.conf = SyncObjConf(connectionTimeout=1e9)
        self._poller = createPoller("auto")
        self.tick, self.known, self.got = None, False, 0

    def addOnTickCallback(self, tick):
        self.tick = tick

    def hear(self, node, known):
        self.known = known

    def take(self, node, message):
        self.got += 1


class Link(Driver):
    name = "pysyncobj"
    version = VERSION
    variables = ["Conn", "Socket", "Known", "Got"]
    needs = ["Sent", "Wire"]
    transports = []

    def reset(self, nodes, before):
        for t in self.transports:
            t.destroy()
        ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        names = sorted("127.0.0.1:%d" % p.getsockname()[1] for p in ports)
        for p in ports:
            p.close()
        self.nodes = [TCPNode(name) for name in names]
        self.users = [User(), User()]
        self.transports = []
        for i, user in enumerate(self.users):
            t = pysyncobj.transport.TCPTransport(user, self.nodes[i], {self.nodes[1 - i]})
            t.setOnNodeConnectedCallback(lambda node, user=user: user.hear(node, True))
            t.setOnNodeDisconnectedCallback(lambda node, user=user: user.hear(node, False))
            t.setOnMessageReceivedCallback(user.take)
            self.transports.append(t)
        self.transports[0].tryGetReady()

    def connection(self, i):
        return self.transports[i]._connections.get(self.nodes[1 - i])

    def until(self, i, done):
        """Let node i look for events, until they have arrived over the loopback interface."""
        end = time.monotonic() + 5
        while not done():
            self.users[i]._poller.poll(0.001)
            if time.monotonic() > end:
                raise Failed("node %d notices nothing" % i)

    def do_Connect(self):
        global NOW
        NOW += 1e3
        self.transports[1]._connectIfNecessary()

    def do_Finish(self):
        self.until(1, lambda: self.connection(1).state != CONNECTION_STATE.CONNECTING)

    def do_FinishReset(self):
        made = self.connection(1)
        original = made._TcpConnection__onConnected

        def reset():
            peer, _ = self.transports[0]._server._TcpServer__socket.accept()
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()
            made.setOnConnectedCallback(original)
            original()

        made.setOnConnectedCallback(reset)
        self.do_Finish()

    def do_Accept(self):
        self.receive(0, 1)

    def do_Receive(self, I):
        self.receive(I, 1 - I)

    def receive(self, i, j):
        got = self.users[i].got + self.before["Sent"][j]
        self.until(i, lambda: self.users[i].known and self.users[i].got >= got)

    def do_Send(self, I):
        try:
            self.transports[I].send(self.nodes[1 - I], "a message")
        except Exception as e:
            raise Failed("the library raises %s: %s" % (type(e).__name__, e)) from e

    def check(self, action, **params):
        try:
            getattr(self, "do_" + action)(**params)
        except Failed as e:
            if isinstance(e.__cause__, AttributeError):
                return
            raise
        raise Failed("the library raises nothing")

    def do_Close(self, I):
        self.connection(I).disconnect()

    def do_Notice(self, I):
        """Node 0 may have to accept the connection first."""
        t, listening = self.transports[I], self.transports[0]._server._TcpServer__socket

        def noticed():
            waiting = t._unknownConnections or (I == 0 and select.select([listening], [], [], 0)[0])
            return not waiting and self.phase(I) != "Connected"

        self.until(I, noticed)

    def phase(self, i):
        return PHASES[self.connection(i).state] if self.connection(i) else "Disconnected"

    def has_socket(self, i):
        return self.connection(i) is not None and self.connection(i)._TcpConnection__socket is not None

    def observe(self):
        return {
            "Conn": [self.phase(i) for i in range(2)], "Socket": [self.has_socket(i) for i in range(2)],
            "Known": [user.known for user in self.users], "Got": [user.got for user in self.users]}


serve(Link())
