import DataStructures
import ImagePipeline

/// Reads bytes as a segment's list of thumbnails; libFuzzer calls it (`LLVMFuzzerTestOneInput`).
///
/// The first two bytes say how many pixels the segment has.
@c(LLVMFuzzerTestOneInput)
public func readList(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  guard bytes.count >= 2 else { return 0 }
  let present = Int(bytes[0]) << 16 | Int(bytes[1]) << 4
  let payload = UnsafeRawBufferPointer(rebasing: bytes[2...])
  let records = PackList.records(in: payload, ofSegment: 7, present: present)
  demand(records.count <= payload.count / PackList.recordBytes, "more thumbnails than there is room to list")
  for record in records {
    let entry = record.entry
    demand(entry.segment == 7, "a list tells of its own segment alone")
    demand(entry.size != nil && entry.byteCount > 0, "a thumbnail without pixels was listed")
    demand(entry.byteCount <= present && entry.end <= present, "pixels were listed that are not there")
  }
  return 0
}
