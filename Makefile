# make score HAND='...' [RULES=...]   the traced score of a hand
# make test                           all checks, the same that .ci/run runs
# make bench                          the numbers that the README quotes
# make docs                           the pages that are taken from the encodings
# make clean                          removes what the commands above made
#
# The tests of a file stay in one process: what it has compiled serves all of them.
#
# The environment in .venv is made when first needed, and again when pyproject.toml changes.

PYTHON ?= $(shell for python in python3.11 python3; do \
	"$$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
	echo "$$python" && break; done)
BIN := .venv/bin
RUN := .venv/run.stamp
TEST := .venv/test.stamp

# The hand reaches the program through the environment: no shell reads its brackets and quotes.
HAND ?= (1111c) 555b E [GGG] [234d] +E wall seat:E round:E
RULES ?=
export HAND RULES

.PHONY: score test bench docs clean

score: $(RUN)
	@$(BIN)/mjasp score $${RULES:+--rules "$$RULES"} -- "$$HAND"

test: $(TEST)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=auto --maxprocesses=4 --dist=loadfile

bench: $(TEST)
	$(BIN)/python -m bench

docs: $(RUN)
	$(BIN)/python docs/generate.py

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN): pyproject.toml
	@echo "Setting up .venv ..." >&2
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --editable .
	@touch $@

$(TEST): pyproject.toml
	@echo "Setting up .venv with what the tests need ..." >&2
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --editable '.[test]'
	@touch $(RUN) $@
