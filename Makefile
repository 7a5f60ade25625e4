# make scan            scan the demo databases
# make scan DB=path    scan your own SQLite file, which is only read; FAIL_ON=medium sets the level that fails (high)
# make test            ruff, mypy and pytest
# make clean           remove what make made
#
# Each sets up .venv by itself, once, and again after a change of pyproject.toml or constraints.txt.
# Python 3.11 or later; another one than python3: make scan PYTHON=/path/to/python3.12

PYTHON ?= python3
FAIL_ON ?= high
VENV := .venv
READY := $(VENV)/.ready

export DB FAIL_ON PYTHON # recipes read them from the environment, so that no name of a file is taken for shell

.PHONY: help scan test demo clean
help:
	@sed -n 's/^# \{0,1\}//p; /^$$/q' Makefile

# An environment knows its own folder: one that was moved, or lost its Python, is made again.
ifneq ($(shell test -x $(VENV)/bin/python && cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

$(READY): pyproject.toml constraints.txt
	@sh .ci/venv $(VENV)

demo: $(READY)
	@test -f demo/shop.db && test -f demo/contacts.db || $(VENV)/bin/python -P -m watchdog.demo demo

ifdef DB
scan: $(READY)
	@$(VENV)/bin/watchdog scan --fail-on "$$FAIL_ON" -- "$$DB"
else
scan: demo
	@$(VENV)/bin/watchdog scan --config config.yaml --fail-on never
endif

test: $(READY)
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/pytest

clean:
	rm -rf $(VENV) demo dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
