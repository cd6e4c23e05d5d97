"""Many hands: chunks of lines, scored here, in worker processes or on a cluster, in order."""
