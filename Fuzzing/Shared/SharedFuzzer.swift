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
  // Read anew from no more than is read of a file, it says the same or less.
  let part = SharedThumbnailFacts(Array(bytes.prefix(SharedThumbnailFacts.mostBytes)))
  demand(part?.size == facts.size || bytes.count > SharedThumbnailFacts.mostBytes, "the same bytes say another thing")
  return 0
}
