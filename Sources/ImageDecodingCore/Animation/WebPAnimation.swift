import VitrineGeometry

/// The frames of an animated WebP (RFC 9649, section 2.7.1).
final class WebPAnimation: AnimationSource {
  private let file: UnsafeRawBufferPointer
  private let canvasSize: PixelSize
  private let canvas: AnimationCanvas
  private var frames: WebPFrames

  /// Opens a file, which must outlive the animation, or returns nil if it has a single frame.
  init?(_ file: UnsafeRawBufferPointer, canvas: PixelSize, backdrop: Backdrop) throws(DecodingError) {
    guard var frames = WebPFrames(file) else { return nil }
    self.frames = frames
    guard frames.next() != nil, frames.next() != nil else { return nil }
    self.file = file
    canvasSize = canvas
    self.canvas = try AnimationCanvas(size: canvas, backdrop: backdrop, colors: EmbeddedProfile.ofWebP(file))
  }

  func advance() throws(DecodingError) -> Int? {
    guard let frame = frames.next(), let size = frame.size, !frame.bytes.isEmpty,
      frame.left + frame.width <= canvasSize.width, frame.top + frame.height <= canvasSize.height
    else { return nil }
    let bytes = UnsafeRawBufferPointer(rebasing: file[frame.bytes])
    let pixels = try ScratchMemory<UInt8>(count: size.bytesAtFourPerPixel)
    let target = LibWebP.Canvas(
      start: pixels.elements, bytesPerRow: size.width * 4, size: size, isReduced: false)
    do {
      guard try LibWebP.size(of: bytes) == size else { return nil }
      try LibWebP.decode(bytes, into: target)
    } catch .damaged {
      // The last frame of a truncated file.
      return nil
    }
    var part = AnimationPart(left: frame.left, top: frame.top, size: size)
    part.replaces = frame.replaces
    part.disposal = frame.isCleared ? .clear : .keep
    part.milliseconds = frame.milliseconds
    try canvas.draw(part, pixels.elements)
    return part.milliseconds
  }

  func picture(
    for placement: Placement, _ interruption: DecodingInterruption
  ) throws(DecodingError) -> ReducedPicture {
    try canvas.picture(for: placement)
  }
}

/// The frames that a WebP file declares, in order.
struct WebPFrames: IteratorProtocol {
  /// A frame.
  struct Frame: Hashable {
    /// The bytes to decode, within the file.
    var bytes: Range<Int>
    /// The position on the canvas, in pixels.
    var left: Int
    var top: Int
    var width: Int
    var height: Int
    /// How long the frame is shown, in milliseconds.
    var milliseconds: Int
    /// Whether the pixels replace those of the canvas, instead of being blended over them.
    var replaces: Bool
    /// Whether the frame's part of the canvas is cleared before the next frame.
    var isCleared: Bool

    /// The size in pixels, or nil if it is larger than any picture.
    var size: PixelSize? { PixelSize(width: width, height: height) }
  }

  private let file: FileReader
  private var position = 12
  private var chunkCount = 0

  /// The maximum number of chunks before a frame that are not frames.
  private static let maximumOtherChunks = 4096
  private static let headerBytes = 16

  /// Creates the frames of a file, or returns nil if the file does not declare an animation.
  init?(_ file: UnsafeRawBufferPointer) {
    let animationFlag: UInt8 = 0x02
    guard file.count > 20, file[12..<16].elementsEqual("VP8X".utf8), file[20] & animationFlag != 0 else { return nil }
    self.file = FileReader(file)
  }

  /// Returns the next frame, possibly with fewer bytes than it should have, or nil after the last one.
  mutating func next() -> Frame? {
    for _ in 0..<WebPFrames.maximumOtherChunks {
      let content = position + 8
      guard let length = file.littleEndian(position + 4, bytes: 4), content + WebPFrames.headerBytes <= file.count
      else { return nil }
      let isFrame = file.matches("ANMF", at: position)
      position = content + length + length % 2
      guard isFrame else { continue }
      func number(_ offset: Int) -> Int { file.littleEndian(content + offset, bytes: 3) ?? 0 }
      let flags = file.byte(content + 15) ?? 0
      let start = content + WebPFrames.headerBytes
      return Frame(
        bytes: start..<max(start, min(file.count, content + length)), left: number(0) * 2, top: number(3) * 2,
        width: number(6) + 1, height: number(9) + 1, milliseconds: number(12), replaces: flags & 2 != 0,
        isCleared: flags & 1 != 0)
    }
    return nil
  }
}
