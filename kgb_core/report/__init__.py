"""What a person reads of a bundle: summaries as data, and their rendering in a terminal."""
