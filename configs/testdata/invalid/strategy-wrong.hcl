system "zab" {
  source = "../../zab"
}

simulate {
  strategy "rounds" {
    period    = "four" # ERROR: MG016 "period" of strategy "rounds" is wrong
    waypoints = true   # ERROR: MG016 is a list
    roles {
      NodeCrash = [1] # ERROR: MG016 "NodeCrash" of roles is wrong
    }
    extra { # ERROR: MG004 has no block of type
    }
  }

  strategy "guided" { # ERROR: MG008 has a strategy already
    waypoints = [{}] # not looked at
  }
}
