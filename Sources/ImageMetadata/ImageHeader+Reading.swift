extension ImageHeader {
  /// Reads a file's header through a closure that fetches bytes, most often one `pread` of 4 KiB.
  ///
  /// - Parameters:
  ///   - fileBytes: how long the file is.
  ///   - read: fetches `count` bytes from `offset`; fewer where the file ends before.
  /// - Returns: the header, or nothing when the file is no picture.
  /// - Throws: what the closure throws.
  public static func read<Failure: Error>(
    fileBytes: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> ImageHeader? {
    var parser = ImageHeaderParser(fileBytes: fileBytes)
    while true {
      switch parser.step {
      case .needsBytes(let range): parser.supplyBytes(try read(range.lowerBound, range.count))
      case .finished(let header): return header
      }
    }
  }

  /// Reads the header of a file whose bytes are all at hand.
  public static func read(_ bytes: UnsafeRawBufferPointer) -> ImageHeader? {
    read(fileBytes: bytes.count) { offset, count in Array(bytes[offset..<offset + count]) }
  }

  /// Reads the header of a file whose bytes are all at hand.
  public static func read(_ bytes: [UInt8]) -> ImageHeader? {
    bytes.withUnsafeBytes { read($0) }
  }
}
