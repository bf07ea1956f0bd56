system "zab" {
  source = "" # ERROR: MG017 "source" of system "zab" must not be empty
}
