system "zab" {
  source = "../zab"
}

system "raft" { # ERROR: MG008 A manifest composes one system, and system "zab" is declared already
  source = "../raft"
}

system "zab" { # ERROR: MG008 declared a second time
  source = "../raft"
}
