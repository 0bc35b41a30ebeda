import DataStructures
import ImagePipeline
import PhotoLibrary

/// Reads the bytes as a list of pictures; libFuzzer calls it (`LLVMFuzzerTestOneInput`).
@c(LLVMFuzzerTestOneInput)
public func readManifest(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let manifest = try? ManifestReader.read(bytes, base: RemoteURL("https://example.org/lists/a.json")) else {
    return 0
  }
  var names: Set<String> = []
  for item in manifest.items {
    demand(names.insert(item.id).inserted, "a list must name each picture once")
    demand(item.url?.text == item.address, "an address that was read must be one")
  }
  demand(manifest.flaws.values.allSatisfy { $0 > 0 }, "flaws that nobody has must not be counted")
  return 0
}
