system "toy" {
  source = "example.org/nowhere" # ERROR: MG302 example.org/nowhere
}
