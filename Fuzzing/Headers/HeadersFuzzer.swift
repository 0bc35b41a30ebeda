import DataStructures
import Geometry
import ImageMetadata

/// Reads the bytes as a picture's header; libFuzzer calls it (`LLVMFuzzerTestOneInput`).
@c(LLVMFuzzerTestOneInput)
public func readHeader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = UnsafeRawBufferPointer(start: start, count: count)
  var reading = Reading(of: file)
  guard let header = reading.header() else { return 0 }
  if let thumbnail = header.embeddedThumbnail {
    demand(thumbnail.lowerBound >= 0 && thumbnail.upperBound <= count, "an embedded thumbnail must lie within its file")
  }
  if let size = header.storedSize {
    demand(size.width > 0 && size.height > 0, "a size that is known must not be empty")
    _ = ImageLimits.standard.allow(size, format: header.format, fileBytes: count)
  }
  return 0
}
