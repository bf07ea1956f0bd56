system "zab" {
  source = "../zab"
}

module "élection" {
}
