import DataStructures
import Geometry
import ImagePipeline

/// Reads bytes as a thumbnail that programs share; libFuzzer calls it (`LLVMFuzzerTestOneInput`).
@c(LLVMFuzzerTestOneInput)
public func readThumbnail(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let facts = SharedThumbnailFacts(bytes) else { return 0 }
  demand(facts.size.width > 0 && facts.size.height > 0, "a thumbnail without pixels was read")
  demand(facts.showAll(of: facts.size), "a picture shows all of itself")
  _ = facts.showAll(of: PixelSize.largest)
  let (seconds, length) = (facts.modifiedSeconds, facts.byteCount)
  if let uri = facts.uri, let seconds {
    demand(facts.areOf(uri, modifiedSeconds: seconds, byteCount: length ?? 1), "a thumbnail is of what it says")
    demand(!facts.areOf(uri + "x", modifiedSeconds: seconds, byteCount: length ?? 1), "it is of something else too")
    demand(!facts.areOf(uri, modifiedSeconds: seconds &+ 1, byteCount: length ?? 1), "it is of another time too")
  } else {
    demand(!facts.areOf(facts.uri ?? "", modifiedSeconds: seconds ?? 0, byteCount: length ?? 1), "it says too little")
  }
  // What begins the same says the same, or less.
  let cut = bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) } % (bytes.count + 1)
  guard let part = SharedThumbnailFacts(Array(bytes[..<cut])) else { return 0 }
  demand(part.size == facts.size, "a part says another size")
  demand(part.uri == nil || part.uri == facts.uri, "a part says another original")
  demand(part.modifiedSeconds == nil || part.modifiedSeconds == facts.modifiedSeconds, "a part says another time")
  demand(part.byteCount == nil || part.byteCount == facts.byteCount, "a part says another length")
  demand(part.failure == nil || part.failure == facts.failure, "a part says another failure")
  return 0
}
