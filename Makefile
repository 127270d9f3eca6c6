# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TEST_OPTIONS ?=
MINUTES ?= 10
# Other programs' libraries that the tests let use the vault; LiteLLM stands apart, because it wants other versions.
FRAMEWORKS := $(VENV)/.frameworks
LITELLM := .venv-litellm

.PHONY: run test test-fast check bench soak docs setup browser frameworks clean

run: $(READY)
	$(BIN)/ricordo model fetch --if-needed
	$(BIN)/ricordo app

setup: $(READY)

# Every package at the version and hash of constraints.txt, then the project itself, editable.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The fast part, then what needs the real model: alone, so that it has the machine for itself.
test: $(READY) browser frameworks
	$(BIN)/ricordo model fetch
	$(BIN)/python -m pytest $(TEST_OPTIONS)

test-fast: $(READY) $(FRAMEWORKS)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not real_model and not web and not slow" $(TEST_OPTIONS)

frameworks: $(FRAMEWORKS) $(LITELLM)/.ready

$(FRAMEWORKS): $(READY) constraints-frameworks.txt
	$(BIN)/python -m pip install --quiet --require-hashes -r constraints-frameworks.txt
	touch $@

$(LITELLM)/.ready: constraints-litellm.txt
	test -x $(LITELLM)/bin/python || $(PYTHON) -m venv $(LITELLM)
	$(LITELLM)/bin/python -m pip install --quiet --no-compile --require-hashes -r constraints-litellm.txt
	touch $@

browser:
	command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium fonts-noto-core; }

# All benchmarks, or ONLY="some of them"; what they told is written to docs/benchmarks.md.
bench: $(READY) build/peers/.ready
	$(BIN)/python -m benchmarks $(if $(ONLY),--only $(ONLY))

# What Ricordo is measured beside has an environment of its own; nothing of the project uses it.
build/peers/.ready: constraints.txt benchmarks/peers.txt
	$(PYTHON) -m venv build/peers
	build/peers/bin/python -m pip install --quiet --require-hashes -r constraints.txt
	build/peers/bin/python -m pip install --quiet --no-deps --no-build-isolation -e .
	build/peers/bin/python -m pip install --quiet -r benchmarks/peers.txt
	touch $@

# A scripted person over the real app, for so many minutes; 1 where anything is lost, grows or slows down.
soak: $(READY)
	$(BIN)/python -m benchmarks.soak --minutes $(MINUTES)

# The documentation as a site in build/docs; any link that leads nowhere ends it.
docs: $(READY)
	$(BIN)/properdocs build --strict --clean -f scripts/site/properdocs.yml

clean:
	rm -rf $(VENV) $(LITELLM) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
