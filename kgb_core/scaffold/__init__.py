"""A new backend's package, written from templates: what `kgb new-backend` makes."""
