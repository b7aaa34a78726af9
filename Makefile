# make demo | test | lint: each sets itself up in .venv, with plain pip, once.
#
#   PYTHON   the interpreter to build .venv from (3.10 or newer)
#   VENV     where the environment lies

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
PROJECTS = pyproject.toml operators/pyproject.toml $(wildcard backends/*/pyproject.toml examples/*/pyproject.toml)
BACKEND_SOURCES = $(wildcard backends/*/src examples/*/src)
VENDORS = $(filter-out backends/cpu,$(patsubst %/pyproject.toml,%,$(wildcard backends/*/pyproject.toml examples/*/pyproject.toml)))

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-stacks lint bench clean

help:
	@echo "make demo   judge the kernels in kernels/ under Triton's interpreter, print the table, write a bundle and a page"
	@echo "make test   run the tests that need no accelerator and take seconds"
	@echo "make test-slow   run those that take longer: whole command lines, environments that are built, a browser"
	@echo "make test-stacks   the same under Triton 3.2 and triton-ascend, and several in one run: 0.2 GB more, minutes"
	@echo "make lint   style, types, import order, Python 3.10"
	@echo "make bench  what merging, checking and summarising large bundles costs: some minutes, 2 GB of scratch"
	@echo "make clean  remove .venv and what the tools cached"

# One command for all, so that pip takes kgb-core from here; the constraint holds for everything it resolves.
$(READY): $(PROJECTS) constraints.txt Makefile
	@echo "Setting up $(VENV): once, some minutes, most of it downloads."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install -qq --upgrade pip
	@$(BIN)/python -m pip install -qq -c constraints.txt \
	    -e ".[test,lint]" -e ./operators -e "./backends/cpu[stack]" $(VENDORS:%=-e ./%)
	@touch $@

demo: $(READY)
	@bundle=runs/$$(date -u +%Y%m%dT%H%M%SZ)-demo; \
	$(BIN)/kgb run --suite smoke --kernels kernels --backend cpu --out $$bundle; code=$$?; \
	if [ -f $$bundle/manifest.json ]; then $(BIN)/kgb report $$bundle --html $$bundle.html; fi; \
	exit $$code

test: $(READY)
	$(BIN)/python -m pytest -q -n auto --dist worksteal

test-slow: $(READY)
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "slow and not long and not device and not stacks"

test-stacks: $(READY)
	$(BIN)/python tests/stacks/build.py
	$(BIN)/python -m pytest -q -m stacks tests/stacks

# kgb_operators lies in operators/ and gets its name from the packaging; mypy must see it under that name.
lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict kgb_core $(BACKEND_SOURCES)
	@mkdir -p $(VENV)/types && ln -sfn "$(CURDIR)/operators" $(VENV)/types/kgb_operators
	MYPYPATH=$(VENV)/types $(BIN)/mypy --strict -p kgb_operators
	$(BIN)/lint-imports
	$(BIN)/vermin --quiet --violations --target=3.10- kgb_core operators backends examples kernels

bench: $(READY)
	$(BIN)/python benchmarks/results_scale.py

clean:
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
