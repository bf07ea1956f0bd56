//! Nodes of raft-rs, each a RawNode with a MemStorage, under the actions of package raft.
//!
//! Whatever Ready asks for is done after each call: entries and the hard state are stored, and
//! messages are sent. Committed entries wait for Apply. Time does not pass by itself.

#[path = "../../../../checker/conform/drivers/rust/src/multigrain.rs"]
mod multigrain;

use multigrain::{Done, Driver, Fault, Network, Step};
use raft::eraftpb::{Entry, HardState, Message, MessageType};
use raft::storage::MemStorage;
use raft::{Config, RawNode};
use serde_json::{json, Value};

/// Actions that take the message at position K from J to I.
const HANDLES: [&str; 9] = [
    "HandleVote", "HandleVoteResp", "HandlePreVote", "HandlePreVoteResp", "HandleTimeoutNow", "HandleApp", "HandleAppResp", "HandleHeartbeat",
    "HandleHeartbeatResp",
];
const OTHERS: [&str; 7] = ["Timeout", "Beat", "Propose", "Apply", "Restart", "Cut", "Heal"];

struct Node {
    raw: RawNode<MemStorage>,
    handed: u64, // the last index that was handed to the application, and that it has applied
    applied: u64,
}

struct Nodes {
    nodes: Vec<Node>,
    network: Network<Message>,
    pre_vote: bool,
    inflight: usize,
}

fn failed<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> Fault + '_ {
    move |e| Fault::Failed(format!("{what}: {e}"))
}

impl Nodes {
    fn start(&self, i: usize, storage: MemStorage) -> Result<Node, Fault> {
        let mut config = Config { id: i as u64 + 1, election_tick: 10, heartbeat_tick: 1, max_size_per_msg: 0, ..Default::default() };
        (config.max_inflight_msgs, config.pre_vote) = (self.inflight, self.pre_vote);
        let quiet = slog::Logger::root(slog::Discard, slog::o!());
        Ok(Node { raw: RawNode::new(&config, storage, &quiet).map_err(failed("a node does not start"))?, handed: 0, applied: 0 })
    }

    fn send(&mut self, i: usize, messages: Vec<Message>) {
        messages.into_iter().for_each(|m| self.network.send(i, m.to as usize - 1, m));
    }

    fn hand(&mut self, i: usize, entries: Vec<Entry>) {
        self.nodes[i].handed = entries.last().map_or(self.nodes[i].handed, |e| e.index);
    }

    /// Does all that Ready asks for.
    fn drain(&mut self, i: usize) -> Done {
        while self.nodes[i].raw.has_ready() {
            let mut ready = self.nodes[i].raw.ready();
            self.send(i, ready.take_messages());
            self.hand(i, ready.take_committed_entries());
            let storage = self.nodes[i].raw.raft.raft_log.store.clone();
            storage.wl().append(ready.entries()).map_err(failed("entries are not stored"))?;
            ready.hs().into_iter().for_each(|hard| storage.wl().set_hardstate(hard.clone()));
            self.send(i, ready.take_persisted_messages());
            let mut light = self.nodes[i].raw.advance(ready);
            if let Some(commit) = light.commit_index() {
                storage.wl().mut_hard_state().set_commit(commit);
            }
            self.send(i, light.take_messages());
            self.hand(i, light.take_committed_entries());
        }
        let (raft, hard) = (&self.nodes[i].raw.raft, self.nodes[i].raw.raft.raft_log.store.rl().hard_state().clone());
        if hard != (HardState { term: raft.term, vote: raft.vote, commit: raft.raft_log.committed, ..Default::default() }) {
            return Err(Fault::Failed(format!("node {i} has other values on its disk: {hard:?}")));
        }
        Ok(())
    }

    fn both_ways(&mut self, step: &Step, mut act: impl FnMut(&mut Network<Message>, usize, usize)) {
        let (i, j) = (step.number("I"), step.number("J"));
        act(&mut self.network, i, j);
        act(&mut self.network, j, i);
    }
}

impl Driver for Nodes {
    fn name(&self) -> String {
        "raft-rs".into()
    }

    fn version(&self) -> String {
        "0.7.0".into()
    }

    fn actions(&self) -> Vec<&'static str> {
        [&HANDLES[..], &OTHERS[..]].concat()
    }

    fn variables(&self) -> Vec<&'static str> {
        vec!["Term", "Vote", "Role", "Lead", "Commit", "Applied", "Log", "Stream"]
    }

    fn needs(&self) -> Vec<&'static str> {
        vec!["Proposed"]
    }

    fn begin(&mut self, settings: &Value, _version: &str, _actions: &[String]) -> Done {
        self.pre_vote = settings["pre_vote"] == "true";
        self.inflight = settings["inflight"].as_str().and_then(|n| n.parse().ok()).unwrap_or(1);
        Ok(())
    }

    fn reset(&mut self, nodes: usize, _before: &Value) -> Done {
        self.network = Network::new(nodes);
        let voters: Vec<u64> = (1..=nodes as u64).collect();
        self.nodes = (0..nodes).map(|i| self.start(i, MemStorage::new_with_conf_state((voters.clone(), vec![])))).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Done {
        let i = step.number("I");
        let raw = &mut self.nodes[i].raw;
        match step.action.as_str() {
            "Timeout" => raw.campaign().map_err(failed("the library refuses it"))?,
            "Beat" => raw.ping(),
            "Apply" => {
                let n = &mut self.nodes[i];
                n.raw.advance_apply_to(n.handed);
                n.applied = n.handed;
            }
            "Propose" => {
                let value = step.after["Proposed"].as_u64().unwrap_or(0) as u8;
                raw.propose(vec![], vec![value]).map_err(failed("the library refuses the command"))?
            }
            "Restart" => {
                for j in 0..self.nodes.len() {
                    self.network.clear(i, j);
                    self.network.clear(j, i);
                }
                let storage = self.nodes[i].raw.raft.raft_log.store.clone();
                self.nodes[i] = self.start(i, storage)?;
            }
            "Cut" => self.both_ways(step, |network, i, j| {
                network.clear(i, j);
                network.cut(i, j)
            }),
            "Heal" => self.both_ways(step, |network, i, j| network.heal(i, j)),
            _ => {
                let m = self.network.receive(step.number("J"), i, step.number("K"));
                raw.step(m).map_err(failed("the library refuses the message"))?
            }
        }
        self.drain(i)
    }

    fn observe(&mut self) -> Result<Value, Fault> {
        let all = |f: &dyn Fn(&Node) -> Value| self.nodes.iter().map(f).collect::<Value>();
        Ok(json!({
            "Term": all(&|n| json!(n.raw.raft.term)), "Vote": all(&|n| server(n.raw.raft.vote)), "Lead": all(&|n| server(n.raw.raft.leader_id)),
            "Role": all(&|n| json!(format!("{:?}", n.raw.raft.state))),
            "Commit": all(&|n| json!(n.raw.raft.raft_log.committed)), "Applied": all(&|n| json!(n.applied)),
            "Log": all(&|n| n.raw.raft.raft_log.all_entries().iter().map(entry).collect()),
            "Stream": self.network.observed(message),
        }))
    }
}

fn server(id: u64) -> Value {
    if id == 0 { json!("None") } else { json!(id - 1) }
}

fn entry(e: &Entry) -> Value {
    json!({"Term": e.term, "Value": e.data.first().copied().unwrap_or(0)})
}

/// A message without what the specification has no field for: the commit index in votes and answers.
fn message(m: &Message) -> Value {
    let kind = match m.get_msg_type() {
        MessageType::MsgRequestVote => "MsgVote",
        MessageType::MsgRequestVoteResponse => "MsgVoteResp",
        MessageType::MsgRequestPreVote => "MsgPreVote",
        MessageType::MsgRequestPreVoteResponse => "MsgPreVoteResp",
        MessageType::MsgAppend => "MsgApp",
        MessageType::MsgAppendResponse => "MsgAppResp",
        MessageType::MsgHeartbeat => "MsgHeartbeat",
        MessageType::MsgHeartbeatResponse => "MsgHeartbeatResp",
        other => return json!({"Kind": format!("{other:?}"), "Term": m.term}),
    };
    let commit = if kind == "MsgApp" || kind == "MsgHeartbeat" { m.commit } else { 0 };
    let mut out = json!({"Kind": kind, "Term": m.term, "Index": m.index, "LogTerm": m.log_term, "Commit": commit, "Reject": m.reject, "RejectHint": m.reject_hint});
    if let Some(first) = m.entries.first() {
        out["Entry"] = entry(first);
    }
    out
}

fn main() {
    multigrain::serve(Nodes { nodes: vec![], network: Network::new(0), pre_vote: false, inflight: 1 });
}
