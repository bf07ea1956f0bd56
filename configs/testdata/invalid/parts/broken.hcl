system "zab" {
  source = = "../zab"
}
