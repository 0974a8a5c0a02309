# All commands of the repository. They need Python 3.11 or newer, make and a C compiler; the rest goes into .venv.

PYTHON ?= python3
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.complete
EXTRAS := test,demo,train,torch,triton,lint

.DEFAULT_GOAL := help
.PHONY: help setup demo test sanitize lit levels bench docs pages lint types clean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

setup: $(STAMP) ## Create .venv with Stepwell (editable) and everything its tests and the demo need

$(STAMP): pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Stepwell needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@echo "Creating $(VENV) and installing stepwell[$(EXTRAS)]; the first time this takes some minutes ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --editable '.[$(EXTRAS)]' \
		|| { echo "The packages could not be installed. This step needs the network (or a local package index);" \
			"see pip's message above." >&2; exit 1; }
	@touch $@

demo: $(STAMP) ## Compile and run two programs on real images, and show every level
	@$(BIN)/python examples/demo.py

test: $(STAMP) ## Run all tests: unit tests and, from one of them, lit (JOBS=n runs n at once)
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal tests/unit

sanitize: $(STAMP) ## Test the extension module of repeated calls under the C compiler's sanitizers
	@$(BIN)/python -m tests.sanitize

lit: $(STAMP) ## Run the lit tests alone
	@$(BIN)/lit -v -j $(JOBS) tests/lit

levels: $(STAMP) ## Print the example of all levels again, after a pass has changed what becomes of it
	@for level in uop loop scheduled cloop tile; do \
		$(BIN)/stepwell-opt examples/levels/layer.graph.mlir --emit=$$level -o examples/levels/layer.$$level.mlir || exit 1; \
	done

bench: $(STAMP) ## Measure Stepwell beside other libraries, which are installed first; see benchmarks/results
	@$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@$(BIN)/python -m benchmarks

docs: $(STAMP) ## Build the documentation as a site in out/site, warnings as errors; mkdocs-material is installed first
	@$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site is in out/site; to read and search it: $(BIN)/python -m http.server --directory out/site"

pages: $(STAMP) ## Print the generated pages of docs again, after a new file, pass, operation, function or rule
	@for page in passes dialects api; do $(BIN)/stepwell reference $$page --out docs/$$page.md || exit 1; done
	@$(BIN)/stepwell rules --markdown --out docs/rules.md
	@$(BIN)/stepwell coverage --update docs/coverage.md
	@$(BIN)/python -m tests.layout > out/layout.md && mv out/layout.md docs/layout.md

lint: $(STAMP) ## Check style and formatting
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMP) ## Check types
	@$(BIN)/pyright --pythonpath $(BIN)/python

clean: ## Remove .venv and everything that is built
	rm -rf $(VENV) build dist out *.egg-info .pytest_cache .ruff_cache .hypothesis
	rm -f runtime/cpu/*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find tests/lit -name Output -type d -prune -exec rm -rf {} +
