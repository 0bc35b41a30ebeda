public import Geometry

extension TinyPreview {
  /// Takes what was kept.
  public init(_ payload: PreviewPayload) {
    self.init(
      words: withUnsafeBytes(of: payload) { bytes in
        var words = SIMD4<UInt64>.zero
        for place in 0..<4 {
          words[place] = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
        }
        return words
      })
  }

  /// What is kept of it; nothing is left out.
  public var payload: PreviewPayload {
    var payload = PreviewPayload()
    withUnsafeMutableBytes(of: &payload) { bytes in
      for place in 0..<4 {
        bytes.storeBytes(of: words[place].littleEndian, toByteOffset: place * 8, as: UInt64.self)
      }
    }
    return payload
  }

  /// Whether a place of a size shows notably more of the picture than it was made of.
  public func isInsufficient(for place: PixelSize) -> Bool {
    PreviewCrop(viewSize: place, picture: pictureSize).coverage > coverage * 1.1
  }
}
