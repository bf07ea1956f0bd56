system "zab" {
  source = "../zab"
}

trace {
  format = "ndjsn" # ERROR: MG017 Did you mean "ndjson"?

  let {
    a = b     # ERROR: MG015 made of itself
    b = a + 1 # ERROR: MG015 made of itself
  }

  event "x" {
    action = [["A"]] # ERROR: MG016 Write a list of texts
    where  = [1]        # ERROR: MG016 write { I = ..., J = ... }
    check  = event.y    # ERROR: MG016 write [condition, ...]
    whn    = true       # ERROR: MG005 Did you mean "when"?
  }
  event "y" {
    when   = event.z == 1.5          # ERROR: MG018 whole numbers only
    where  = { "I J" = 1 }           # ERROR: MG016 a plain name
    check  = [event.list[*].x == []] # ERROR: MG013 is made of literals
    before = [var.none == 1]         # ERROR: MG014 No variable "none"
  }
  unlogged "Drop" { # ERROR: MG006 how often it may happen
    events = ["x"]
  }
  unlogged "Lose" {
    max = 1000 # ERROR: MG018 It is at most 255
  }
}
