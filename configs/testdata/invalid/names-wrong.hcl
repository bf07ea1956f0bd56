system "zab" {
  source = "../../zab"
}

implementation "zookeeper" {
  adapter = "../../zab/zookeeper"

  names { # ERROR: MG017 has no driver
    NodeStart = "start"
  }
}

implementation "other" {
  driver = ["python3", "driver.py"]

  names {
    NodeStart = "start"
    NodeCrash = "start" # ERROR: MG017 as NodeStart is
    Restart   = ""      # ERROR: MG017 must not be empty
  }
}
