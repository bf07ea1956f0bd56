system "zab" {
  source = "../zab"
}

check {
  invariants  = [["I-1"]]        # ERROR: MG016 Write a list of texts
  except      = ["I-1", "", "*"] # ERROR: MG017 An element of "except" of check is empty
  stop        = "sometimes"      # ERROR: MG017 Use "first", "never" or a number
  constraints = 3                # ERROR: MG016 Write a list of texts
  properties  = [1, ""]          # ERROR: MG017 An element of "properties" of check is empty
  deadlock    = "maybe"          # ERROR: MG016 a bool is required
  symmetry    = 1                # ERROR: MG016 takes true, false or names of roles
}
