//! The protocol of multigrain's drivers, and a network of controlled channels.
//!
//! A driver is a type with the trait Driver, and main calls serve:
//!
//! ```
//! mod multigrain;
//! fn main() {
//!     multigrain::serve(Counter::default());
//! }
//! ```
//!
//! A panic of the implementation ends the process, which is a difference if it happens again.
//! Standard output belongs to the protocol: print to standard error.
#![allow(dead_code)]

use serde_json::{json, Map, Value};
use std::collections::BTreeSet;
use std::io::{BufRead, Write};

pub const PROTOCOL: u64 = 1;

/// Why something was not done.
pub enum Fault {
    /// The driver cannot do what is asked: the result is undecided.
    Refused(String),
    /// The implementation shows what no value of the specification stands for: a difference.
    Failed(String),
}

pub type Done = Result<(), Fault>;

/// A step of the specification: an action, its parameters, and the values that the driver needs
/// before and after it.
pub struct Step {
    pub action: String,
    pub params: Value,
    pub before: Value,
    pub after: Value,
}

impl Step {
    /// A parameter that is a number. It panics if there is none.
    pub fn number(&self, name: &str) -> usize {
        self.params[name].as_i64().unwrap_or_else(|| panic!("{} has no number {}", self.action, name)) as usize
    }
}

pub trait Driver {
    /// The name of the implementation.
    fn name(&self) -> String;
    /// The version of the implementation that runs; empty: not known.
    fn version(&self) -> String {
        String::new()
    }
    /// The actions that step can do.
    fn actions(&self) -> Vec<&'static str>;
    /// The variables of the specification that observe returns.
    fn variables(&self) -> Vec<&'static str>;
    /// Variables whose values before and after a step the driver reads.
    fn needs(&self) -> Vec<&'static str> {
        vec![]
    }
    /// Parts of variables that are taken from the values that it needs, such as "Reads.Floor".
    fn borrowed(&self) -> Vec<&'static str> {
        vec![]
    }
    /// Steps that it cannot do: {"action": ..., "params": {...}, "reason": ...}.
    fn leaves_out(&self) -> Vec<Value> {
        vec![]
    }
    /// Called once, with the settings of the implementation block. Refuse a composition with actions
    /// that the driver cannot follow.
    fn begin(&mut self, _settings: &Value, _version: &str, _actions: &[String]) -> Done {
        Ok(())
    }
    /// Bring the implementation into its initial state.
    fn reset(&mut self, nodes: usize, before: &Value) -> Done;
    fn step(&mut self, step: &Step) -> Done;
    /// The values of the variables. Those that did not change may be left out, but not after reset.
    fn observe(&mut self) -> Result<Value, Fault>;
    /// The lines that the implementation has logged since the last call.
    fn log(&mut self) -> Vec<String> {
        vec![]
    }
}

/// Reads a value of ITF: numbers are numbers, sets are lists, and so are maps from 0, 1, 2, ...
pub fn read(value: &Value) -> Value {
    match value {
        Value::Array(all) => all.iter().map(read).collect(),
        Value::Object(fields) if fields.len() == 1 => {
            if let Some(Value::String(n)) = fields.get("#bigint") {
                return n.parse::<i64>().map_or(Value::Null, Value::from);
            }
            if let Some(set) = fields.get("#set") {
                return read(set);
            }
            if let Some(Value::Array(pairs)) = fields.get("#map") {
                let pairs: Vec<(Value, Value)> = pairs.iter().map(|p| (read(&p[0]), read(&p[1]))).collect();
                if pairs.iter().enumerate().all(|(k, p)| p.0 == json!(k)) {
                    return pairs.into_iter().map(|p| p.1).collect();
                }
                return pairs.into_iter().map(|p| json!([p.0, p.1])).collect();
            }
            record(fields)
        }
        Value::Object(fields) => record(fields),
        _ => value.clone(),
    }
}

fn record(fields: &Map<String, Value>) -> Value {
    Value::Object(fields.iter().map(|(k, v)| (k.clone(), read(v))).collect())
}

/// Channels from each node to each other one. Nothing moves by itself. Positions count from 1.
pub struct Network<M> {
    channels: Vec<Vec<Vec<M>>>,
    broken: BTreeSet<(usize, usize)>,
}

impl<M: Clone> Network<M> {
    pub fn new(nodes: usize) -> Self {
        Network { channels: vec![vec![vec![]; nodes]; nodes], broken: BTreeSet::new() }
    }

    /// Puts a message in flight, unless the connection is broken.
    pub fn send(&mut self, i: usize, j: usize, message: M) {
        if !self.broken.contains(&(i, j)) {
            self.channels[i][j].push(message);
        }
    }

    /// Takes the k-th message from i to j, or loses it.
    pub fn receive(&mut self, i: usize, j: usize, k: usize) -> M {
        self.channels[i][j].remove(k - 1)
    }

    pub fn peek(&self, i: usize, j: usize, k: usize) -> &M {
        &self.channels[i][j][k - 1]
    }

    pub fn duplicate(&mut self, i: usize, j: usize, k: usize) {
        let message = self.channels[i][j][k - 1].clone();
        self.channels[i][j].insert(k, message);
    }

    /// Loses what is in flight from i to j.
    pub fn clear(&mut self, i: usize, j: usize) {
        self.channels[i][j].clear();
    }

    /// Breaks the connection from i to j. What is in flight stays: see clear.
    pub fn cut(&mut self, i: usize, j: usize) {
        self.broken.insert((i, j));
    }

    pub fn heal(&mut self, i: usize, j: usize) {
        self.broken.remove(&(i, j));
    }

    /// Puts the messages from i to j in an order, as a Bag of the specification has them.
    pub fn sort_by_key<K: Ord>(&mut self, i: usize, j: usize, key: impl Fn(&M) -> K) {
        self.channels[i][j].sort_by_key(key);
    }

    /// The channels as a Net or a Bag of the specification has them.
    pub fn observed(&self, show: impl Fn(&M) -> Value) -> Value {
        let channel = |i: usize, j: usize| {
            let messages: Value = self.channels[i][j].iter().map(&show).collect();
            match self.broken.contains(&(i, j)) {
                true => json!({"cut": true, "messages": messages}),
                false => messages,
            }
        };
        let nodes = 0..self.channels.len();
        nodes.clone().map(|i| nodes.clone().map(|j| channel(i, j)).collect::<Value>()).collect()
    }
}

/// Answers requests until standard input ends.
pub fn serve(mut driver: impl Driver) {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("standard input")).expect("a request");
        let mut result = match answer(&mut driver, &request) {
            Ok(ok) => json!({ "ok": ok }),
            Err(Fault::Refused(why)) => json!({ "refused": why }),
            Err(Fault::Failed(why)) => json!({ "failed": why }),
        };
        result["id"] = request["id"].clone();
        writeln!(out, "{}", result).and_then(|_| out.flush()).expect("standard output");
        if request["do"] == "stop" {
            return;
        }
    }
}

fn answer(driver: &mut impl Driver, request: &Value) -> Result<Value, Fault> {
    let part = |name: &str| read(request.get(name).unwrap_or(&json!({})));
    match request["do"].as_str().unwrap_or("") {
        "hello" => {
            let texts = |v: &Value| v.as_array().into_iter().flatten().filter_map(|x| x.as_str().map(String::from)).collect::<Vec<_>>();
            let version = request["version"].as_str().unwrap_or("");
            driver.begin(&part("settings"), version, &texts(&request["actions"]))?;
            let mut runs = driver.version();
            if runs.is_empty() {
                runs = version.to_string();
            }
            Ok(json!({"protocol": PROTOCOL, "name": driver.name(), "version": runs, "actions": driver.actions(), "variables": driver.variables(),
                "needs": driver.needs(), "borrowed": driver.borrowed(), "leaves_out": driver.leaves_out()}))
        }
        "reset" => driver.reset(request["nodes"].as_u64().unwrap_or(0) as usize, &part("before")).map(|_| json!({})),
        "step" => {
            let step = Step { action: request["action"].as_str().unwrap_or("").to_string(), params: part("params"), before: part("before"), after: part("after") };
            if !driver.actions().contains(&step.action.as_str()) {
                return Err(Fault::Refused(format!("this driver has no action {}", step.action)));
            }
            driver.step(&step).map(|_| json!({}))
        }
        "observe" => Ok(json!({ "variables": driver.observe()? })),
        "log" => Ok(json!({ "lines": driver.log() })),
        "stop" => Ok(json!({})),
        other => Err(Fault::Refused(format!("this driver does not know the request {other}"))),
    }
}
