import VitrineGeometry

/// The frames of an animated GIF (GIF89a, sections 20 and 23).
final class GIFAnimation: AnimationSource {
  private let decoder: GIFLib
  private let canvasSize: PixelSize
  private let backdrop: Backdrop
  private var canvas: AnimationCanvas?
  private var isAtEnd = false

  /// Opens a file, which must outlive the animation, or returns nil if it has a single frame.
  init?(_ file: UnsafeRawBufferPointer, canvas: PixelSize, backdrop: Backdrop) throws(DecodingError) {
    guard GIFFrameCounter(file).hasSeveralFrames else { return nil }
    decoder = try GIFLib.open(file)
    canvasSize = canvas
    self.backdrop = backdrop
  }

  func advance() throws(DecodingError) -> Int? {
    guard !isAtEnd else { return nil }
    let isFirst = canvas == nil
    do {
      guard let frame = try decoder.nextFrame() else { return end() }
      if canvas == nil { canvas = try AnimationCanvas(size: canvasSize, color: frame.background, backdrop: backdrop) }
      guard let size = PixelSize(width: frame.width, height: frame.height),
        size.area <= AnimationCanvas.maximumPixels
      else { return end() }
      var part = AnimationPart(left: frame.left, top: frame.top, size: size)
      part.disposal = frame.disposal
      part.milliseconds = frame.centiseconds * 10
      let pixels = try ScratchMemory<UInt8>(count: size.bytesAtFourPerPixel)
      let isWhole = try read(frame, size, into: pixels.elements)
      try canvas?.draw(part, pixels.elements)
      isAtEnd = !isWhole
      return part.milliseconds
    } catch .damaged(let detail) {
      guard !isFirst else { throw .damaged(detail: detail) }
      return end()
    }
  }

  func picture(
    for placement: Placement, _ interruption: DecodingInterruption
  ) throws(DecodingError) -> ReducedPicture {
    guard let canvas else { throw .damaged(detail: "no frame") }
    return try canvas.picture(for: placement)
  }

  private func end() -> Int? {
    isAtEnd = true
    return nil
  }

  /// Reads the pixels of a frame, and returns false if the file ends before the last.
  private func read(
    _ frame: GIFLib.Frame, _ size: PixelSize, into pixels: UnsafeMutablePointer<UInt8>
  ) throws(DecodingError) -> Bool {
    let numbers = try ScratchMemory<UInt8>(count: size.width)
    let rows =
      frame.isInterlaced
      ? GIFDecoder.passes.flatMap { stride(from: $0.start, to: size.height, by: $0.step) } : Array(0..<size.height)
    return frame.palette.withUnsafeBufferPointer { palette in
      for y in rows {
        guard decoder.nextRow(into: numbers.elements, count: size.width) else { return false }
        let row = UnsafeMutableRawPointer(pixels + y * size.width * 4)
        for x in 0..<size.width {
          row.storeBytes(of: palette[Int(numbers.elements[x])], toByteOffset: x * 4, as: SIMD4<UInt8>.self)
        }
      }
      return true
    }
  }
}

/// A walk over the blocks of a GIF that finds out whether there is a second frame, without decoding any pixels.
private struct GIFFrameCounter {
  private let file: FileReader

  init(_ bytes: UnsafeRawBufferPointer) { file = FileReader(bytes) }

  /// Whether the file has at least two frames.
  ///
  /// - Complexity: O(blocks up to the second frame).
  var hasSeveralFrames: Bool {
    guard let flags = file.byte(10) else { return false }
    var place = 13 + GIFFrameCounter.tableBytes(flags)
    var frames = 0
    while let kind = file.byte(place) {
      switch kind {
      case UInt8(ascii: "!"): place = end(ofBlocksAt: place + 2)
      case UInt8(ascii: ","):
        frames += 1
        guard frames < 2, let flags = file.byte(place + 9) else { return frames >= 2 }
        // The byte after the colors is the size of the codes.
        place = end(ofBlocksAt: place + 10 + GIFFrameCounter.tableBytes(flags) + 1)
      default: return false
      }
    }
    return false
  }

  private static func tableBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

  /// Returns the offset after a series of blocks, which an empty one ends.
  private func end(ofBlocksAt start: Int) -> Int {
    var place = start
    while let count = file.byte(place), count > 0 { place += 1 + Int(count) }
    return place + 1
  }
}
