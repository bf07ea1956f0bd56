system "zab" {
  source = "../zab"
}

bounds {
  servers = 3 ` # ERROR: MG003 Invalid character # ERROR: MG003 Missing newline
}
