import DataStructures
import ImageMetadata

/// A file read as a thread that scans folders reads it: what the parser asks for, and nothing else.
struct Reading {
  private let file: UnsafeRawBufferPointer
  private var bytes = 0

  init(of file: UnsafeRawBufferPointer) {
    self.file = file
  }

  /// Answers the parser until it has done; complains where it asks for more than it may.
  mutating func header() -> ImageHeader? {
    var parser = ImageHeaderParser(fileBytes: file.count)
    while true {
      switch parser.step {
      case .finished(let header): return header
      case .needs(let range):
        bytes += range.count
        demand(bytes <= ImageHeaderParser.mostBytes, "a parser must not ask for more bytes than it says")
        demand(range.lowerBound >= 0 && range.upperBound <= file.count, "a parser must ask for bytes of the file")
        parser.supply(Array(file[range]))
      }
    }
  }
}
