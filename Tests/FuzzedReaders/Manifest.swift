import VitrineDataStructures
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRemoteImages

/// Reads the bytes as a manifest of pictures.
func readManifest(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  guard let manifest = try? ManifestReader.read(bytes, base: RemoteURL("https://example.org/lists/a.json")) else {
    return
  }
  var names: Set<String> = []
  for item in manifest.items {
    checkPrecondition(names.insert(item.id).inserted, "identifiers must be unique")
    checkPrecondition(item.url?.text == item.address, "an accepted address must be a URL")
  }
  checkPrecondition(manifest.flaws.values.allSatisfy { $0 > 0 }, "only flaws that occur are counted")
}
