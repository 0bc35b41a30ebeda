#!/bin/bash -eu
# Builds the fuzzers as OSS-Fuzz does: into $OUT, each with its inputs, dictionary and options.
#
# OSS-Fuzz sets SRC, OUT and SANITIZER (address, undefined, thread or coverage). `scripts/fuzz --oss FOLDER` does too.
SANITIZER=${SANITIZER:-address}
cd "${SRC:?}/vitrine"

flags=(--package-path Fuzzing -c release --sanitize fuzzer --scratch-path "${VITRINE_FUZZ_BUILD:-.build/oss-fuzz}"
  -Xlinker -rpath -Xlinker "\$ORIGIN/lib" --explicit-target-dependency-import-check error)
case $SANITIZER in
  # The compiler obeys the last list alone, so it has both.
  address | thread) flags+=(--sanitize "$SANITIZER" -Xswiftc "-sanitize=fuzzer,$SANITIZER") ;;
  # The compiler has no such checks for Swift, whose arithmetic traps in any build. In C, they trap too.
  undefined) flags+=(-Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined -Xcc -fno-sanitize=function) ;;
  coverage) flags+=(-Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping) ;;
  *) echo "build.sh: there is no sanitizer $SANITIZER" >&2 && exit 1 ;;
esac
# The image has a symbolizer that knows Swift's names.
[ ! -e /usr/local/bin/llvm-symbolizer-swift ] || cp /usr/local/bin/llvm-symbolizer-swift "${OUT:?}/llvm-symbolizer"

mkdir -p "${OUT:?}/lib"
swift build "${flags[@]}"
for source in Fuzzing/*/*Fuzzer.swift; do
  name=$(basename "$(dirname "$source")")
  fuzzer=Fuzz$name
  swift build "${flags[@]}" --product "$fuzzer"
  cp "$(swift build "${flags[@]}" --show-bin-path)/$fuzzer" "$OUT/"
  # The machines that run fuzzers have the C library alone.
  ldd "$OUT/$fuzzer" | awk '$3 ~ /^\// { print $3 }' |
    { grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|ld-linux[^/]*)\.so' || true; } |
    while read -r library; do cp -Ln "$library" "$OUT/lib/"; done
  folders=()
  for folder in "Fuzzing/Seeds/$name" "Fuzzing/Corpus/$name"; do [ ! -d "$folder" ] || folders+=("$folder"); done
  rm -f "$OUT/${fuzzer}_seed_corpus.zip"
  [ ${#folders[@]} -eq 0 ] || zip -qrX "$OUT/${fuzzer}_seed_corpus.zip" "${folders[@]}"
  [ ! -e "Fuzzing/Dictionaries/$name.dict" ] || cp "Fuzzing/Dictionaries/$name.dict" "$OUT/$fuzzer.dict"
  cp Fuzzing/oss-fuzz/fuzzer.options "$OUT/$fuzzer.options"
done
