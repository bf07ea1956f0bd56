system "zab" {
  source = "../../zab"
}

implementation "zookeeper" {
  adapter = "../../zab/zookeeper"

  walks {
    number = 0 # ERROR: MG018 It must be at least 1
  }

  difference "without-reason" { # ERROR: MG006 needs either "ticket"
    action   = "NodeStart"
    variable = "History"
    when     = I == 1
  }

  difference "two-reasons" { # ERROR: MG006 needs either "ticket"
    ticket    = "ZOOKEEPER-1"
    deviation = "loadDatabase"
    action    = "NodeStart"
    variable  = "History"
    when      = {} # ERROR: MG013 A formula
  }

  difference "empty" { # ERROR: MG006 "action": the step # ERROR: MG006 "variable": the variable # ERROR: MG006 "when": a condition
    ticket = "ZOOKEEPER-1"
  }
}
