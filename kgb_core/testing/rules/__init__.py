"""The rules of the conformance suite, one module a subject; each test function is one rule."""
