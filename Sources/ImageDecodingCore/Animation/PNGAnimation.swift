import VitrineGeometry

/// The frames of an animated PNG (PNG, third edition, section 11.3.6).
///
/// libspng does not read animations. A frame has the form of the pixels of a file, so each is decoded as a file of its
/// own, which has the header, the palette and the transparency of the whole.
final class PNGAnimation: AnimationSource {
  private let canvas: AnimationCanvas
  private var frames: PNGFrames
  private var isFirst = true

  /// Opens a file, which must outlive the animation, or returns nil if it has a single frame.
  init?(_ file: UnsafeRawBufferPointer, canvas: PixelSize, backdrop: Backdrop) throws(DecodingError) {
    guard var frames = PNGFrames(file) else { return nil }
    self.frames = frames
    guard frames.next() != nil, frames.next() != nil else { return nil }
    self.canvas = try AnimationCanvas(size: canvas, backdrop: backdrop, colors: PNGAnimation.colors(of: file))
  }

  private static func colors(of file: UnsafeRawBufferPointer) -> PictureColors {
    guard let decoder = try? SPNG.open(file, withProfile: true, pixels: nil), (try? decoder.frame()) != nil else {
      return .standard
    }
    return decoder.colors
  }

  func advance() throws(DecodingError) -> Int? {
    guard let frame = frames.next(), let size = frame.size, frame.left + frame.width <= canvas.size.width,
      frame.top + frame.height <= canvas.size.height
    else { return nil }
    let pixels = try ScratchMemory<UInt8>(count: size.bytesAtFourPerPixel)
    do {
      try read(frame, size, into: pixels.elements)
    } catch .damaged(let detail) {
      guard !isFirst else { throw .damaged(detail: detail) }
      return nil
    }
    var part = AnimationPart(left: frame.left, top: frame.top, size: size)
    part.replaces = frame.replaces
    part.disposal = frame.disposal
    if isFirst, part.disposal == .restore { part.disposal = .clear }
    part.milliseconds = frame.milliseconds
    isFirst = false
    try canvas.draw(part, pixels.elements)
    return part.milliseconds
  }

  func picture(
    for placement: Placement, _ interruption: DecodingInterruption
  ) throws(DecodingError) -> ReducedPicture {
    try canvas.picture(for: placement)
  }

  /// Decodes a frame as a file of its own.
  private func read(
    _ frame: PNGFrames.Frame, _ size: PixelSize, into pixels: UnsafeMutablePointer<UInt8>
  ) throws(DecodingError) {
    let count = frames.head.count + frame.data.reduce(0) { $0 + $1.count + PNGFrames.chunkBytes } + PNGFrames.chunkBytes
    let memory = try ScratchMemory<UInt8>(uninitialized: count)
    let bytes = UnsafeMutableRawBufferPointer(start: memory.elements, count: count)
    frames.write(frame, into: bytes)
    let decoder = try SPNG.open(UnsafeRawBufferPointer(bytes), withProfile: false, pixels: nil)
    try decoder.begin()
    let info = try decoder.frame()
    guard info.size == size else { throw .damaged(detail: "two sizes of a frame") }
    let row = try ScratchMemory<UInt8>(count: size.width * 4)
    var isLast = false
    while !isLast {
      let place = try decoder.nextRow(into: row.elements, byteCount: size.width * info.bytesPerPixel)
      isLast = place.isLast
      let pass =
        info.isInterlaced ? Adam7.passes[min(place.pass, 6)] : Adam7(startX: 0, startY: 0, stepX: 1, stepY: 1)
      guard place.y < size.height else { continue }
      let target = pixels + place.y * size.width * 4
      for (index, x) in stride(from: pass.startX, to: size.width, by: pass.stepX).enumerated() {
        let pixel = row.elements + index * info.bytesPerPixel
        (target[4 * x], target[4 * x + 1], target[4 * x + 2]) = (pixel[0], pixel[1], pixel[2])
        target[4 * x + 3] = info.bytesPerPixel == 4 ? pixel[3] : 255
      }
    }
  }
}

/// The frames that a PNG file declares, in order.
struct PNGFrames: IteratorProtocol {
  /// A frame.
  struct Frame: Hashable {
    /// The position on the canvas, in pixels.
    var left: Int
    var top: Int
    var width: Int
    var height: Int
    /// How long the frame is shown, in milliseconds.
    var milliseconds: Int
    /// What happens to the frame's part of the canvas before the next frame.
    var disposal: AnimationPart.Disposal
    /// Whether the pixels replace those of the canvas, instead of being blended over them.
    var replaces: Bool
    /// The places of the compressed pixels in the file.
    var data: [Range<Int>] = []

    /// The size in pixels, or nil if it is larger than any picture.
    var size: PixelSize? { PixelSize(width: width, height: height) }
  }

  /// The bytes of a chunk in addition to its content.
  static let chunkBytes = PNGChunk.headerBytes + PNGChunk.checksumBytes
  private static let controlBytes = 26
  /// The maximum number of chunks of a frame.
  private static let maximumChunks = 1 << 16
  private static let sequenceBytes = 4
  private static let sizeOffset = PNGChunk.signatureBytes + PNGChunk.headerBytes

  /// The bytes before the pixels, with the size of the canvas: the signature, the header, the palette and the
  /// transparency.
  let head: [UInt8]
  private let file: UnsafeRawBufferPointer
  private var position: Int

  /// Creates the frames of a file, or returns nil if the file does not declare an animation.
  init?(_ file: UnsafeRawBufferPointer) {
    guard file.count > PNGFrames.sizeOffset + 13 else { return nil }
    var head = Array(file[0..<PNGChunk.signatureBytes])
    var place = PNGChunk.signatureBytes
    var isAnimated = false
    var control: Int?
    var names: Set<[UInt8]> = []
    while let chunk = PNGChunk(file, at: place), !chunk.isNamed("IDAT") {
      if chunk.isNamed("acTL") { isAnimated = true }
      if chunk.isNamed("fcTL"), control == nil { control = chunk.start }
      if ["IHDR", "PLTE", "tRNS"].contains(where: { chunk.isNamed($0) }) {
        // A palette has 256 colors at most, and there is one of each of these chunks.
        guard chunk.content.count <= 768, names.insert(Array(file[chunk.start + 4..<chunk.start + 8])).inserted else {
          return nil
        }
        head += file[chunk.start..<chunk.end]
      }
      place = chunk.end
    }
    guard isAnimated, head.count >= PNGFrames.sizeOffset + 13 else { return nil }
    self.head = head
    self.file = file
    position = control ?? place
  }

  /// Returns the next frame, or nil after the last one.
  ///
  /// - Complexity: O(chunks of the frame).
  mutating func next() -> Frame? {
    var frame: Frame?
    while let chunk = PNGChunk(file, at: position), !chunk.isNamed("IEND"),
      frame.map({ $0.data.count < PNGFrames.maximumChunks }) ?? true
    {
      if chunk.isNamed("fcTL") {
        if let frame { return frame }
        guard let control = PNGFrames.frame(chunk.content) else { return nil }
        frame = control
      } else if chunk.isNamed("IDAT") {
        // Before the first control chunk, they are a picture for programs that show no animations.
        frame?.data.append(range(chunk, skipping: 0))
      } else if chunk.isNamed("fdAT"), chunk.content.count >= PNGFrames.sequenceBytes {
        frame?.data.append(range(chunk, skipping: PNGFrames.sequenceBytes))
      }
      position = chunk.end
    }
    return frame.flatMap { $0.data.isEmpty ? nil : $0 }
  }

  private func range(_ chunk: PNGChunk, skipping count: Int) -> Range<Int> {
    chunk.start + PNGChunk.headerBytes + count..<chunk.end - PNGChunk.checksumBytes
  }

  private static func frame(_ content: UnsafeRawBufferPointer) -> Frame? {
    let fields = FileReader(content)
    guard content.count == controlBytes, let width = fields.bigEndian(4, bytes: 4),
      let height = fields.bigEndian(8, bytes: 4), let left = fields.bigEndian(12, bytes: 4),
      let top = fields.bigEndian(16, bytes: 4), let numerator = fields.bigEndian(20, bytes: 2),
      let denominator = fields.bigEndian(22, bytes: 2)
    else { return nil }
    let disposals: [AnimationPart.Disposal] = [.keep, .clear, .restore]
    guard let disposal = disposals.indices.contains(Int(content[24])) ? disposals[Int(content[24])] : nil else {
      return nil
    }
    return Frame(
      left: left, top: top, width: width, height: height,
      milliseconds: numerator * 1000 / (denominator == 0 ? 100 : denominator), disposal: disposal,
      replaces: content[25] == 0)
  }

  /// Writes a file that contains one frame.
  ///
  /// - Parameters:
  ///   - frame: The frame.
  ///   - target: Memory for ``head``, and the data of the frame and ``chunkBytes`` for each of its ranges and for the
  ///     end.
  func write(_ frame: Frame, into target: UnsafeMutableRawBufferPointer) {
    target.copyBytes(from: head)
    PNGFrames.store(frame.width, in: target, at: PNGFrames.sizeOffset)
    PNGFrames.store(frame.height, in: target, at: PNGFrames.sizeOffset + 4)
    PNGFrames.seal(target, at: PNGChunk.signatureBytes, contentBytes: 13)
    var place = head.count
    for range in frame.data {
      place = PNGFrames.append("IDAT", UnsafeRawBufferPointer(rebasing: file[range]), to: target, at: place)
    }
    _ = PNGFrames.append("IEND", UnsafeRawBufferPointer(start: nil, count: 0), to: target, at: place)
  }

  private static func append(
    _ name: StaticString, _ content: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, at place: Int
  ) -> Int {
    store(content.count, in: target, at: place)
    name.withUTF8Buffer { UnsafeMutableRawBufferPointer(rebasing: target[(place + 4)...]).copyBytes(from: $0) }
    UnsafeMutableRawBufferPointer(rebasing: target[(place + PNGChunk.headerBytes)...]).copyBytes(from: content)
    seal(target, at: place, contentBytes: content.count)
    return place + chunkBytes + content.count
  }

  /// Writes the checksum of a chunk.
  private static func seal(_ target: UnsafeMutableRawBufferPointer, at place: Int, contentBytes: Int) {
    let end = place + PNGChunk.headerBytes + contentBytes
    let sum = LibDeflate.checksum(UnsafeRawBufferPointer(rebasing: target[place + 4..<end]))
    store(Int(sum), in: target, at: end)
  }

  private static func store(_ number: Int, in target: UnsafeMutableRawBufferPointer, at place: Int) {
    target.storeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, toByteOffset: place, as: UInt32.self)
  }
}
