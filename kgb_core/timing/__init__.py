"""The timing contract, the samples' statistics and the roofline floor."""
