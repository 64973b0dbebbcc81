# Canasta Lab. `make` alone lists what there is.
PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
CANASTA := $(BIN)/canasta
RUN     ?= data/runs/demo
PORT    ?= 8501
CACHE   := $(or $(CANASTA_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/canasta-lab)

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow dashboard check format bench sample docs golden readme-chart clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: $(READY)  ## make the environment (.venv) from the pinned versions

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Canasta Lab needs Python 3.11 or newer; try: make PYTHON=python3.12 " + "setup")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing the pinned packages into $(VENV): about a minute …"
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dash,export,test,dev]'
	@touch $@

demo: $(READY)  ## simulate 20,000 games and more, print the headline tables
	$(CANASTA) simulate data/plans/demo.toml --out $(RUN) $(if $(filter data/runs/demo,$(RUN)),--replace)
	$(CANASTA) query game_length $(RUN)
	$(CANASTA) query freeze_rate $(RUN)
	$(CANASTA) query canasta_frequency $(RUN) --set split=type --lineup safe
	$(CANASTA) query canasta_frequency $(RUN) --set split=rank --variant classic4 --lineup safe
	@echo
	@echo "The run is in $(RUN). Look at it in the browser:   make dashboard"

test: $(READY)  ## the fast tests, browser included
	$(BIN)/python -m pytest -m "not slow" -n 2 --dist loadfile

test-slow: $(READY)  ## the slow tests: kernel against referee on many deals
	$(BIN)/python -m pytest -m slow

dashboard: $(READY)  ## open the dashboard (PORT=8501)
	$(CANASTA) dashboard --port $(PORT)

check: $(READY)  ## ruff, mypy and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_layers.py

format: $(READY)  ## put the sources in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)  ## measured figures beside their bounds
	$(CANASTA) bench

sample: $(READY)  ## make data/sample anew
	rm -rf data/sample
	$(CANASTA) simulate data/plans/sample.toml --out data/sample

docs: $(READY)  ## write the generated pages anew
	$(BIN)/python -m engine.rules > docs/parameters.md
	$(BIN)/python -m pipeline.dictionary > data/README.md

golden: $(READY)  ## write the golden deals of the tests anew
	$(BIN)/python -m tests.golden_deal

readme-chart: $(READY)  ## draw the README's chart from RUN
	$(BIN)/python -m dashboards.export $(RUN) docs/img

clean:  ## remove the environment and every cache, compiled kernels too; runs stay
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/browser/shots
	find . -type d -name __pycache__ -prune -exec rm -rf {} +
	rm -rf $(CACHE)/kernel-* $(CACHE)/strateg*
