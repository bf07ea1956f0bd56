"""A peer resets a connection of PySyncObj while it is made, as in pull request 161.

    pip install --no-deps --target lib pysyncobj==0.3.10
    PYTHONPATH=lib python3 reset_while_connecting.py

The node is one of two, with the library's own transport on the loopback interface. The other one
accepts each connection and resets it at once. That is to happen between two lines of the library:
after it has found the connection to be made, and before it sends its address. So a subclass of its
transport waits there for the reset. Nothing of the library is changed or replaced.

With the argument gone there is one such reset, the time between attempts to connect is that of the
library, and then the peer is gone for good. The program prints how long the node still counts it as
connected, and whether it takes the two for a quorum.

With the argument race nothing waits. Then the reset comes when it comes, up to a hundred thousand
connections, and is mostly too early or too late.

The program prints what happens. It ends in 1 if the library raises an exception, and in 0 if it
does not after three such resets.
"""

import os
import select
import signal
import socket
import struct
import sys
import time

from pysyncobj import SyncObj, SyncObjConf
from pysyncobj.tcp_connection import CONNECTION_STATE
from pysyncobj.transport import TCPTransport
from pysyncobj.version import VERSION

RACE = sys.argv[1:] == ["race"]
GONE = sys.argv[1:] == ["gone"]
RESETS = 1 if GONE else 3


def peer(server):
    """Start a process that resets each connection, by a close with SO_LINGER of no time, and return
    its number."""
    child = os.fork()
    while child == 0:
        connection, _ = server.accept()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    return child


class Transport(TCPTransport):
    connections = resets = 0

    def _onOutgoingConnected(self, conn):
        Transport.connections += 1
        if not RACE:
            wait = select.epoll()
            wait.register(conn.fileno(), select.EPOLLHUP)
            wait.poll(5)
        super()._onOutgoingConnected(conn)
        if conn.state == CONNECTION_STATE.DISCONNECTED:
            Transport.resets += 1


def still_connected(node, server, child):
    """End the peer, and print how long the node counts it as connected."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    server.close()
    print("and that it has a quorum: %s;" % getattr(node, "hasQuorum", "unknown"), end=" ")
    begin = time.monotonic()
    while node.isNodeConnected(*node.otherNodes) and time.monotonic() < begin + 60:
        node.doTick(0.001)
    print("%.1f s after the peer is gone it does not" % (time.monotonic() - begin), end=" ")


def main():
    servers = sorted((socket.create_server(("127.0.0.1", 0)) for _ in range(2)), key=lambda s: str(s.getsockname()[1]))
    # The node with the greater address connects.
    other, own = ("127.0.0.1:%d" % s.getsockname()[1] for s in servers)
    servers[1].close()
    child = peer(servers[0])
    retry = {} if GONE else {"connectionRetryTime": 1e-4 if RACE else 0.1}
    conf = SyncObjConf(autoTick=False, **retry, raftMinTimeout=0.05, raftMaxTimeout=0.06, appendEntriesPeriod=0.01)
    node = SyncObj(own, [other], conf, transportClass=Transport)
    end = time.monotonic() + (120 if RACE else 20)
    try:
        while Transport.resets < RESETS and Transport.connections < 100000 and time.monotonic() < end:
            node.doTick(0.001)
    except Exception as e:
        print("pysyncobj %s raises %s: %s" % (VERSION, type(e).__name__, e), end=" ")
        raised = 1
    else:
        print("pysyncobj %s raises nothing, and says that it is connected: %s" % (VERSION, node.isNodeConnected(*node.otherNodes)), end=" ")
        raised = 0 if Transport.resets == RESETS else 2
        if GONE and raised == 0:
            still_connected(node, servers[0], child)
    finally:
        if not GONE or raised:
            os.kill(child, signal.SIGKILL)
    print("(%d connections, %d of them reset while made)" % (Transport.connections, Transport.resets), flush=True)
    return raised


sys.exit(main())
