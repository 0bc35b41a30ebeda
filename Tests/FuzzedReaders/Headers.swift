import VitrineDataStructures
import VitrineGeometry
import VitrineImageMetadata

/// Parses the bytes as the header of an image file, and reads the settings of the camera from it.
func readHeader(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let file = UnsafeRawBufferPointer(start: start, count: count)
  var run = ParserRun(of: file)
  guard let header = run.header() else { return }
  if let thumbnail = header.embeddedThumbnail {
    checkPrecondition(
      thumbnail.lowerBound >= 0 && thumbnail.upperBound <= count, "an embedded thumbnail must be within its file")
  }
  if let size = header.storedSize {
    checkPrecondition(size.width > 0 && size.height > 0, "a size must not be empty")
    _ = ImageLimits.standard.allows(size, format: header.format, fileBytes: count)
  }
  let settings = CaptureSettings.read(of: header, fileBytes: count) { offset, count in
    checkPrecondition(offset >= 0 && offset + count <= file.count, "the reader must request bytes of the file")
    return Array(file[offset..<offset + count])
  }
  for value in [settings?.exposureTime, settings?.aperture, settings?.focalLength].compactMap({ $0 }) {
    checkPrecondition(value > 0 && value.isFinite, "a value must be positive")
  }
}

/// A run of the header parser that reads a file as the folder scanner does: only the requested ranges.
private struct ParserRun {
  private let file: UnsafeRawBufferPointer
  private var bytesRead = 0

  init(of file: UnsafeRawBufferPointer) {
    self.file = file
  }

  /// Supplies bytes to the parser until it finishes, and checks that its requests are within the limits.
  mutating func header() -> ImageHeader? {
    var parser = ImageHeaderParser(fileBytes: file.count)
    while true {
      switch parser.step {
      case .finished(let header): return header
      case .needsBytes(let range):
        bytesRead += range.count
        checkPrecondition(
          bytesRead <= ImageHeaderParser.maximumBytes, "the parser must not request more bytes than its maximum")
        checkPrecondition(
          range.lowerBound >= 0 && range.upperBound <= file.count, "the parser must request bytes of the file")
        parser.supplyBytes(Array(file[range]))
      }
    }
  }
}
