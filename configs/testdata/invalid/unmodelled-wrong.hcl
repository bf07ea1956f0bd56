system "zab" {
  source = "../../zab"
}

implementation "zookeeper" {
  adapter = "../../zab/zookeeper"

  unmodelled "docs/**" { # ERROR: MG006 "policy": ignore, report or fail
  }

  unmodelled "a/*.java" {
    policy = "ignored" # ERROR: MG017 Did you mean "ignore"
  }

  unmodelled "twice" {
    policy = "report"
  }

  unmodelled "twice" { # ERROR: MG008 declared a second time
    policy = "fail"
  }

  unmodelled { # ERROR: MG009 needs a pattern of functions or files
    policy = "fail"
  }
}
