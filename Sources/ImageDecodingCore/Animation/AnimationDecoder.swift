import VitrineGeometry
public import VitrineImageMetadata

/// A decoder of an animation, which returns its frames in order: upright, opaque and in sRGB.
///
/// It supports GIF, WebP, PNG (APNG) and, with the decoders of the module `VitrineImageDecoding`, AVIF. It holds the canvas of the animation in memory, and one frame. To begin
/// again, create another decoder.
public final class AnimationDecoder {
  /// A frame.
  public struct Frame: Hashable, Sendable {
    /// The description of the decoded pixels.
    public var image: DecodedImage
    /// How long the frame is shown, in milliseconds, as the file states it.
    ///
    /// Many files state 0.
    public var milliseconds: Int
  }

  private let decoder: ImageDecoder
  private let header: ImageHeader
  private let fileBytes: Int
  private let target: DecodingTarget
  private let source: any AnimationSource
  /// Whether no frame follows.
  private var isAtEnd = false

  /// Creates a decoder of an animation, positioned before its first frame.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file, which must outlive the decoder.
  ///   - header: The header read from these bytes.
  ///   - target: The requested result. It fits the whole canvas or a part of it.
  ///   - decoder: The decoder whose limits and formats apply.
  /// - Returns: Nil if the file is no animation, has a single frame, or its canvas is too large to be animated.
  /// - Throws: ``DecodingError`` if the file cannot be decoded.
  public init?(
    _ file: UnsafeRawBufferPointer, header: ImageHeader?, target: DecodingTarget, decoder: ImageDecoder
  ) throws(DecodingError) {
    let placement = try decoder.placement(header, fileBytes: file.count, target: target)
    guard let header, let canvas = header.storedSize, canvas.area <= AnimationCanvas.maximumPixels else { return nil }
    guard let open = decoder.decoders.animation(of: header.format) else { return nil }
    let input = DecoderInput(
      file: file, header: header, representation: .full, limits: decoder.limits,
      backdrop: Backdrop(target, placement), interruption: .none)
    guard let source = try open(input, canvas) else { return nil }
    self.decoder = decoder
    self.header = header
    self.target = target
    self.source = source
    fileBytes = file.count
  }

  /// The number of bytes from which ``mayBeAnimation(head:of:)`` decides.
  public static let headBytes = 1 << 16

  /// Returns whether a file may be an animation, by its first bytes alone.
  ///
  /// - Parameters:
  ///   - head: The first ``headBytes`` bytes, or the whole file if it is shorter.
  ///   - format: The format of the file.
  /// - Returns: False only if the file is no animation.
  public static func mayBeAnimation(head: UnsafeRawBufferPointer, of format: ImageFormat) -> Bool {
    switch format {
    case .gif: return true
    case .webp: return WebPFrames(head) != nil
    case .png:
      var place = PNGChunk.signatureBytes
      while let chunk = PNGChunk(head, at: place) {
        if chunk.isNamed("acTL") { return true }
        if chunk.isNamed("IDAT") { return false }
        place = chunk.end
      }
      // The pixels begin beyond the head, or their first chunk ends there.
      let name = FileReader(head).slice(place + 4, 4)
      return name.map { !$0.elementsEqual("IDAT".utf8) } ?? true
    case .avif:
      // The brands of a file that has a sequence (ISO/IEC 23000-22).
      guard let count = FileReader(head).bigEndian(0, bytes: 4), count >= 16, count <= head.count else { return true }
      let brands = [8] + stride(from: 16, to: count - 3, by: 4)
      return brands.contains { FileReader(head).matches("avis", at: $0) }
    default: return false
    }
  }

  /// Decodes the next frame into the caller's memory.
  ///
  /// A frame that is broken ends the animation like its last one, unless it is the first.
  ///
  /// - Parameters:
  ///   - output: The buffer for the pixels, as for ``ImageDecoder/decode(_:header:target:representation:interruption:into:)``.
  ///   - interruption: The check that can cancel the decoding.
  /// - Returns: The frame, or nil after the last one.
  /// - Throws: ``DecodingError``.
  /// - Complexity: O(pixels of the canvas), and that of the format's decoder.
  public func nextFrame(
    into output: UnsafeMutableRawBufferPointer, interruption: DecodingInterruption = .none
  ) throws(DecodingError) -> Frame? {
    guard !isAtEnd else { return nil }
    guard let milliseconds = try source.advance() else {
      isAtEnd = true
      return nil
    }
    let image = try decoder.draw(header, fileBytes: fileBytes, target, interruption, into: output) {
      _, placement throws(DecodingError) in
      try source.picture(for: placement, interruption)
    }
    return Frame(image: image, milliseconds: milliseconds)
  }
}

/// A reader of one format's animations.
package protocol AnimationSource: AnyObject {
  /// Decodes the next frame.
  ///
  /// - Returns: How long it is shown, in milliseconds, or nil after the last frame.
  func advance() throws(DecodingError) -> Int?

  /// Returns the pixels of the frame, of which the placement needs a part.
  func picture(
    for placement: Placement, _ interruption: DecodingInterruption
  ) throws(DecodingError) -> ReducedPicture
}
