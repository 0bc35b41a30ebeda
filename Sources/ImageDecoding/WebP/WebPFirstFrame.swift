import Geometry

/// Where a WebP's first picture lies: the file itself, or the first frame of an animation (RFC 9649, section 2.7).
struct WebPFirstFrame: Hashable {
  /// The bytes to decode, within the file.
  let bytes: Range<Int>
  /// The frame's place on the canvas, in pixels; nothing for a picture that is all of it.
  let place: PixelRect?

  private static let mostChunks = 4096
  private static let frameHeaderBytes = 16

  /// Looks for it; nothing when the file says that it is an animation and has no frame.
  init?(_ file: UnsafeRawBufferPointer) {
    let animationFlag: UInt8 = 0x02
    guard file.count > 20, file[12..<16].elementsEqual("VP8X".utf8), file[20] & animationFlag != 0 else {
      bytes = 0..<file.count
      place = nil
      return
    }
    var position = 12
    for _ in 0..<WebPFirstFrame.mostChunks {
      let content = position + 8
      guard content + WebPFirstFrame.frameHeaderBytes <= file.count else { return nil }
      let length = WebPFirstFrame.number(file, position + 4, 4)
      if file[position..<position + 4].elementsEqual("ANMF".utf8) {
        let start = content + WebPFirstFrame.frameHeaderBytes
        bytes = start..<max(start, min(file.count, content + length))
        place = PixelRect(
          x: Int32(WebPFirstFrame.number(file, content, 3) * 2),
          y: Int32(WebPFirstFrame.number(file, content + 3, 3) * 2),
          width: Int32(WebPFirstFrame.number(file, content + 6, 3) + 1),
          height: Int32(WebPFirstFrame.number(file, content + 9, 3) + 1))
        return
      }
      position = content + length + length % 2
    }
    return nil
  }

  private static func number(_ file: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(file[start + $1]) << (8 * $1) }
  }
}
