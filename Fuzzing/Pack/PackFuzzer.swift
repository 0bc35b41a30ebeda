import DataStructures
import ImagePipeline
import ImageStore

/// Reads the bytes as the list of a thumbnail segment.
///
/// The first two bytes determine the size of the segment's pixels. libFuzzer calls this function as
/// `LLVMFuzzerTestOneInput`.
@c(LLVMFuzzerTestOneInput)
public func readList(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  guard bytes.count >= 2 else { return 0 }
  let pixelBytes = Int(bytes[0]) << 16 | Int(bytes[1]) << 4
  let payload = UnsafeRawBufferPointer(rebasing: bytes[2...])
  let records = PackList.records(in: payload, ofSegment: 7, pixelBytes: pixelBytes)
  checkPrecondition(records.count <= payload.count / PackList.recordBytes, "more thumbnails than records in the list")
  for record in records {
    let entry = record.entry
    checkPrecondition(entry.segment == 7, "an entry must belong to the segment of its list")
    checkPrecondition(entry.size != nil && entry.byteCount > 0, "a thumbnail must have pixels")
    checkPrecondition(entry.byteCount <= pixelBytes && entry.end <= pixelBytes, "the pixels must be within the segment")
  }
  return 0
}
