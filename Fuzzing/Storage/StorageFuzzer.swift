import DataStructures
import Glibc
import ImagePipeline

/// Changes what is kept on disk as the bytes say, and has it read; libFuzzer calls it (`LLVMFuzzerTestOneInput`).
///
/// Bytes that nobody wrote are told by their checksums at once. So a log that was written is changed: each three bytes of the
/// input are a place and what to do there.
@c(LLVMFuzzerTestOneInput)
public func readStorage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let scene = StorageScene()
  var bytes = scene.untouched
  for place in stride(from: 0, to: count - 2, by: 3) {
    guard let start, !bytes.isEmpty else { break }
    let offset = (Int(start[place]) << 8 | Int(start[place + 1])) % bytes.count
    let what = start[place + 2]
    switch what {
    case 0: bytes.removeLast(bytes.count - offset)
    case 1: bytes.insert(contentsOf: bytes[offset...].prefix(64), at: offset)
    case 2: bytes.removeSubrange(offset..<min(offset + 8, bytes.count))
    default: bytes[offset] ^= what
    }
  }
  scene.put(bytes)
  demand(scene.loaded() <= StorageScene.records, "what was not written must not be read")
  scene.append()
  demand(scene.loaded() > 0, "what is added to a damaged file must be read")
  return 0
}
