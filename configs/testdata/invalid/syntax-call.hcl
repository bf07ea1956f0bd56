system "zab" {
  source = "../zab"
}

bounds {
  servers = nosuch(3 # ERROR: MG013 There is no function named "nosuch"
} # ERROR: MG003 Missing argument separator
