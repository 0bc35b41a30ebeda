import FramePacing

/// What a decode costs on a modelled time line: a function of the file's bytes alone, equal on every machine.
enum DecodingCost {
  /// Opening the file, asking and answering, and a picture's fixed work: 0.3 ms.
  static let fixedNanoseconds: Int64 = 300_000
  /// Compressed bytes decoded in a second: 120 MB, which a 4 MB photograph takes 33 ms for, as JPEGs of 12 megapixels do.
  static let bytesPerSecond: Int64 = 120_000_000

  /// The cost of one decode.
  static func duration(fileBytes: Int) -> FrameDuration {
    // Whole numbers, so that no machine rounds in another way; the bound keeps the product within 64 bits.
    let bytes = Int64(min(max(fileBytes, 0), 1 << 32))
    return FrameDuration(nanoseconds: fixedNanoseconds + bytes * 1_000 / (bytesPerSecond / 1_000_000))
  }

  /// The cost of a request as good as it is asked for; a small picture that the file carries takes no more than its
  /// opening.
  static func duration(of request: ImageRequest) -> FrameDuration {
    duration(fileBytes: request.representation == .full ? request.fileBytes : 0)
  }
}
