import VitrineDataStructures
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineReadingProtocol
import VitrineReadingService
import VitrineRemoteImages

/// Reads the bytes as a list of pictures, in parts whose length the last byte determines.
func readManifest(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
  let whole = readList(bytes, parts: .max)
  let parts = readList(bytes, parts: 1 + Int(bytes.last ?? 0))
  checkPrecondition(whole.entries == parts.entries && whole.end == parts.end, "parts must make no difference")
  var manifest = ManifestReader(base: RemoteURL("https://example.org/lists/a.json"))
  var names: Set<String> = []
  for item in manifest.pictures(of: ListBatch(whole.entries)) {
    checkPrecondition(names.insert(item.id).inserted, "identifiers must be unique")
    checkPrecondition(item.url?.text == item.address, "an accepted address must be a URL")
  }
  checkPrecondition(manifest.flaws.values.allSatisfy { $0 > 0 }, "only flaws that occur are counted")
}

private func readList(_ bytes: [UInt8], parts: Int) -> (entries: [ListEntry], end: ListEnd) {
  var reader = ListReader(maximumEntries: 1_000)
  var entries: [ListEntry] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let part = Array(rest.prefix(parts))
    rest = rest.dropFirst(part.count)
    part.withUnsafeBytes { reader.read($0) { add($0, to: &entries) } }
  }
  let end = reader.finish { add($0, to: &entries) }
  return (entries, end)
}

private func add(_ batch: ListBatch, to entries: inout [ListEntry]) {
  let packet = batch.bytes(id: 5)
  checkPrecondition(packet.count <= ReadingLaunch.maximumPacketBytes, "a batch must fit a packet")
  checkPrecondition(
    packet.withUnsafeBytes { ListBatch($0, id: 5) } == batch, "a batch must be the same after the transfer")
  entries += batch.entries
}
