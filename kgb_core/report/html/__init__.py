"""One self-contained HTML file of what bundles say, for people who install nothing.

`build_report` turns runs into records of what the page shows, and reads nothing but them. `write_page` turns
these into a file, and knows nothing of bundles.
"""
