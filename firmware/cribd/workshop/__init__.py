"""The workshop: what a builder and an owner need, made from the same board files as everything else."""
