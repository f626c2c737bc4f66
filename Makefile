# Two commands do all the set-up:
#   make say TEXT="Hello from a lungfish."     makes .venv, speaks into out.wav
#   make test                                  the whole gate, as CI runs it
# TORCH_INDEX=https://download.pytorch.org/whl/cpu chooses the CPU build of torch (or another build) on any system.

SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
TEXT ?= Hello from a lungfish.
OUT ?= out.wav
TORCH_INDEX ?=
WORKERS ?= 2

BIN := $(VENV)/bin
PIP = $(1)/bin/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt
WHEEL_VENV := build/wheel-venv
SPOKEN := $(value TEXT)
export SPOKEN
export OMP_WAIT_POLICY ?= PASSIVE

.PHONY: help say test lint unit slow wheel clean
.DELETE_ON_ERROR:

help:
	@sed -n '1,/^$$/s/^# \{0,1\}//p' Makefile

# --- environments -------------------------------------------------------------------------------------------------

# torch goes first, in a step of its own, so that its index can be chosen and the rest does not replace it.
define install_torch
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version.split()[0] + "; give another with PYTHON=...")'
	@echo "making $(1) (torch first; a few minutes, once)"
	@rm -rf $(1)
	@$(PYTHON) -m venv $(1)
	@$(call PIP,$(1)) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
endef

$(VENV)/.torch: constraints.txt
	$(call install_torch,$(VENV))
	@touch $@

$(VENV)/.core: $(VENV)/.torch pyproject.toml
	@$(call PIP,$(VENV)) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo "installing what the tests and training need"
	@$(call PIP,$(VENV)) --editable '.[dev,train,eval,av]'
	@touch $@

# --- speak --------------------------------------------------------------------------------------------------------

say: $(VENV)/.core
	@$(BIN)/lungfish say --output "$(OUT)" -- "$$SPOKEN"

# --- check --------------------------------------------------------------------------------------------------------

test: lint unit wheel

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

unit: $(VENV)/.dev
	$(BIN)/pytest -q -n $(WORKERS) -m "not slow"

slow: $(VENV)/.dev
	$(BIN)/pytest -q -n $(WORKERS) -m slow

# The wheel as a stranger gets it: built, installed into a clean environment, spoken from outside the checkout.
wheel: $(VENV)/.dev
	@rm -rf build/dist build/elsewhere $(WHEEL_VENV)
	@mkdir -p build/elsewhere
	$(BIN)/python -m build --wheel --outdir build/dist . >build/wheel.log 2>&1 || { tail -20 build/wheel.log; exit 1; }
	$(call install_torch,$(WHEEL_VENV))
	$(call PIP,$(WHEEL_VENV)) build/dist/lungfish-*.whl
	cd build/elsewhere && ../wheel-venv/bin/lungfish --version && ../wheel-venv/bin/lungfish say "A wheel can speak." --output wheel.wav && test -s wheel.wav

# --- the bundled voice, from scratch --------------------------------------------------------------------------------

# Every step resumes where it stopped. SENTENCES: lines of "id TAB text", the last 200 are kept for evaluation.
SENTENCES ?= ../shared/corpus/sentences.tsv
CACHE := $(or $(LUNGFISH_CACHE),$(HOME)/.cache/lungfish)
TEACH_MINUTES ?= 600
GPU_DATA ?= $(CACHE)/voice-gpu.tar

HUMAN ?= ../shared/speech/librispeech-unlabelled
CLIPS ?= --clips ../shared/speech/ljspeech --clips ../shared/speech/librispeech --limit 15

.PHONY: teach voice voice-export voice-gpu eval eval-codec

teach: $(VENV)/.dev
	PYTHON=$(PYTHON) dev/teacher-setup.sh
	$(CACHE)/teacher-venv/bin/lungfish data teach $(SENTENCES) --minutes $(TEACH_MINUTES)

voice: $(VENV)/.dev
	$(BIN)/lungfish data pack $(wildcard $(CACHE)/teach/pcm/manifest*.tsv)
	$(BIN)/lungfish data pack $(HUMAN) --output $(CACHE)/voice/human
	PYTHON=$(BIN)/python dev/whisper-offline.sh
	$(BIN)/lungfish data features $(CACHE)/voice/human $(CACHE)/voice/pack
	$(BIN)/lungfish train codec configs/voice_codec.yaml
	$(BIN)/lungfish data codes configs/voice_codec.yaml --books 4 --output $(CACHE)/voice/codes2
	$(BIN)/lungfish train lm configs/voice_lm.yaml

voice-export: $(VENV)/.dev
	$(BIN)/lungfish train export configs/voice_lm.yaml configs/voice_codec.yaml --output src/lungfish/voices/bundled

# On a machine with a GPU and no network: GPU_DATA is what `python -m lungfish.training.voice_gpu pack` made elsewhere.
voice-gpu:
	PYTHONPATH=src $(PYTHON) -m lungfish.training.voice_gpu train $(GPU_DATA) $(or $(OUT_DIR),build/voice-gpu) --minutes 7

eval: $(VENV)/.dev
	PYTHON=$(BIN)/python dev/whisper-offline.sh
	$(BIN)/lungfish eval wer --recogniser $(CACHE)/whisper-base --teacher-audio $(CACHE)/teach/held_out

eval-codec: $(VENV)/.dev
	PYTHON=$(BIN)/python dev/whisper-offline.sh
	PYTHON=$(BIN)/python dev/judges.sh
	$(BIN)/lungfish eval codec $(CLIPS) --recogniser $(CACHE)/whisper-base

clean:
	rm -rf build dist out.wav
