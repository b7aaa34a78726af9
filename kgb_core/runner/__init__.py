"""Turning a request into a bundle: plan, engine, and the one loop that writes records."""
