//! Two-phase commit for stateright, as in package configs/examples/twophase. The network keeps every
//! message: each is a variable. Sets of resource managers are numbers, one bit each.
//!
//! Usage: twophase RMS THREADS. It prints the distinct states and the seconds of the search.

use stateright::{Checker, Model, Property};
use std::time::Instant;

const WORKING: u32 = 0;
const READY: u32 = 1;
const COMMITTED: u32 = 2;
const ABORTED: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decision {
    Undecided,
    Commit,
    Abort,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    phase: u32, // two bits for each resource manager
    known: u16,
    prepared: u16, // messages
    decision: Decision,
    commits: bool, // message
    aborts: bool,  // message
}

impl State {
    fn phase(&self, i: u8) -> u32 {
        self.phase >> (2 * i) & 3
    }

    fn enter(&mut self, i: u8, phase: u32) {
        self.phase = self.phase & !(3 << (2 * i)) | phase << (2 * i);
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Prepare(u8),
    Refuse(u8),
    TakeCommit(u8),
    TakeAbort(u8),
    ReceivePrepared(u8),
    Commit,
    Abort,
}

struct TwoPhase {
    rms: u8, // 1 to 16
}

impl Model for TwoPhase {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            phase: 0,
            known: 0,
            prepared: 0,
            decision: Decision::Undecided,
            commits: false,
            aborts: false,
        }]
    }

    fn actions(&self, s: &State, steps: &mut Vec<Step>) {
        let open = s.decision == Decision::Undecided;
        if open {
            steps.push(Step::Abort);
            if s.known.count_ones() == u32::from(self.rms) {
                steps.push(Step::Commit);
            }
        }
        for i in 0..self.rms {
            if s.phase(i) == WORKING {
                steps.push(Step::Prepare(i));
                steps.push(Step::Refuse(i));
            }
            if s.commits {
                steps.push(Step::TakeCommit(i));
            }
            if s.aborts {
                steps.push(Step::TakeAbort(i));
            }
            if open && s.prepared >> i & 1 == 1 {
                steps.push(Step::ReceivePrepared(i));
            }
        }
    }

    fn next_state(&self, s: &State, step: Step) -> Option<State> {
        let mut n = s.clone();
        match step {
            Step::Prepare(i) => {
                n.enter(i, READY);
                n.prepared |= 1 << i;
            }
            Step::Refuse(i) | Step::TakeAbort(i) => n.enter(i, ABORTED),
            Step::TakeCommit(i) => n.enter(i, COMMITTED),
            Step::ReceivePrepared(i) => n.known |= 1 << i,
            Step::Commit => {
                n.decision = Decision::Commit;
                n.commits = true;
            }
            Step::Abort => {
                n.decision = Decision::Abort;
                n.aborts = true;
            }
        }
        Some(n)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always("consistent", |model: &TwoPhase, s: &State| {
            let any = |phase| (0..model.rms).any(|i| s.phase(i) == phase);
            !(any(COMMITTED) && any(ABORTED))
        })]
    }
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let (rms, threads) = (numbers[0] as u8, numbers[1]);
    let begin = Instant::now();
    let checker = TwoPhase { rms }.checker().threads(threads).spawn_bfs().join();
    let seconds = begin.elapsed().as_secs_f64();
    checker.assert_properties();
    println!("unique={}, sec={}", checker.unique_state_count(), seconds);
}
