import CVitrineGIF
import VitrineGeometry

/// A wrapper around giflib's decoder that reads the frames of an animation in order.
///
/// No other file calls the library.
struct GIFLib: ~Copyable {
  /// The description that precedes the pixels of a frame.
  struct Frame: Hashable {
    /// The position on the canvas in pixels, which may lie outside.
    var left: Int
    var top: Int
    var width: Int
    var height: Int
    /// Whether rows are stored in four passes.
    var isInterlaced: Bool
    /// The colours of the palette as R, G, B, 255.
    ///
    /// A transparent entry is all zeros.
    var palette: [SIMD4<UInt8>]
    /// The colour of the canvas outside the frame.
    ///
    /// All zeros if the file declares a transparent colour.
    var background: SIMD4<UInt8>
    /// What happens to the frame's part of the canvas before the next frame.
    var disposal = AnimationPart.Disposal.keep
    /// How long the frame is shown, in hundredths of a second.
    var centiseconds = 0
  }

  /// The block that may precede a frame (GIF89a, section 23).
  private struct Control {
    var transparent = -1
    var disposal = AnimationPart.Disposal.keep
    var centiseconds = 0
  }

  private let handle: UnsafeMutablePointer<GifFileType>
  private let source: UnsafeMutablePointer<Source>

  /// The file, and whether the reader has reached the blocks of pixels.
  private struct Source {
    var stream: ByteStream
    var isInPixels = false

    /// Copies bytes, and shortens a truncated last block to its actual length.
    ///
    /// giflib requires whole blocks and would otherwise reject up to 255 bytes of pixels. Past the end of the file, the
    /// method returns the terminator block, without which giflib does not return the last row.
    mutating func read(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
      let got = stream.read(into: target, count: count)
      if isInPixels, count == 1, got == 0 {
        target[0] = 0
        return 1
      }
      let left = stream.count - stream.offset
      if isInPixels, count == 1, got == 1, left < 255 { target[0] = min(target[0], UInt8(left)) }
      return got
    }
  }

  /// Opens a file, which must outlive the returned value.
  ///
  /// The C function is `DGifOpen`.
  static func open(_ file: UnsafeRawBufferPointer) throws(DecodingError) -> GIFLib {
    let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
    source.initialize(to: Source(stream: ByteStream(file)))
    var code: Int32 = 0
    let handle = DGifOpen(source, { GIFLib.readSource($0, $1, $2) }, &code)
    guard let handle else {
      source.deinitialize(count: 1)
      source.deallocate()
      throw failure(code)
    }
    return GIFLib(handle: handle, source: source)
  }

  private init(handle: UnsafeMutablePointer<GifFileType>, source: UnsafeMutablePointer<Source>) {
    self.handle = handle
    self.source = source
  }

  deinit {
    DGifCloseFile(handle, nil)
    source.deinitialize(count: 1)
    source.deallocate()
  }

  private static func readSource(
    _ file: UnsafeMutablePointer<GifFileType>?, _ target: UnsafeMutablePointer<GifByteType>?, _ count: Int32
  ) -> Int32 {
    guard let file, let target, let data = file.pointee.UserData else { return 0 }
    let source = data.assumingMemoryBound(to: Source.self)
    return Int32(source.pointee.read(into: target, count: Int(count)))
  }

  /// Reads up to the pixels of the first frame.
  func firstFrame() throws(DecodingError) -> Frame {
    guard let frame = try nextFrame() else { throw .damaged(detail: "no frame") }
    return frame
  }

  /// Reads up to the pixels of the next frame, or returns nil after the last one.
  ///
  /// All rows of the frame before must have been read.
  ///
  /// The C functions are `DGifGetRecordType`, `DGifGetImageDesc`, `DGifGetExtension` and `DGifExtensionToGCB`.
  func nextFrame() throws(DecodingError) -> Frame? {
    source.pointee.isInPixels = false
    var control = Control()
    while true {
      var record = UNDEFINED_RECORD_TYPE
      guard DGifGetRecordType(handle, &record) == GIF_OK else { throw GIFLib.failure(handle.pointee.Error) }
      switch record {
      case IMAGE_DESC_RECORD_TYPE:
        guard DGifGetImageDesc(handle) == GIF_OK else { throw GIFLib.failure(handle.pointee.Error) }
        source.pointee.isInPixels = true
        return frame(control)
      case EXTENSION_RECORD_TYPE:
        try readExtension(&control)
      default:
        return nil
      }
    }
  }

  private func readExtension(_ control: inout Control) throws(DecodingError) {
    var kind: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    guard DGifGetExtension(handle, &kind, &block) == GIF_OK else { throw GIFLib.failure(handle.pointee.Error) }
    while let bytes = block {
      var graphics = GraphicsControlBlock()
      // The first byte of a block is its length.
      if kind == GRAPHICS_EXT_FUNC_CODE, DGifExtensionToGCB(Int(bytes[0]), bytes + 1, &graphics) == GIF_OK {
        control.transparent = Int(graphics.TransparentColor)
        control.centiseconds = Int(graphics.DelayTime)
        control.disposal =
          switch graphics.DisposalMode {
          case DISPOSE_BACKGROUND: .clear
          case DISPOSE_PREVIOUS: .restore
          default: .keep
          }
      }
      guard DGifGetExtensionNext(handle, &block) == GIF_OK else { throw GIFLib.failure(handle.pointee.Error) }
    }
  }

  private func frame(_ control: Control) -> Frame {
    let transparent = control.transparent
    let image = handle.pointee.Image
    var palette: [SIMD4<UInt8>]
    if let map = image.ColorMap ?? handle.pointee.SColorMap, let colors = map.pointee.Colors {
      palette = (0..<Int(map.pointee.ColorCount)).map { SIMD4(colors[$0].Red, colors[$0].Green, colors[$0].Blue, 255) }
    } else {
      // Without a palette: shades of grey, as in most programs.
      palette = (0..<256).map { SIMD4(UInt8($0), UInt8($0), UInt8($0), 255) }
    }
    while palette.count < 256 { palette.append(SIMD4(0, 0, 0, 255)) }
    if palette.indices.contains(transparent) { palette[transparent] = SIMD4() }
    var background = SIMD4<UInt8>()
    let number = Int(handle.pointee.SBackGroundColor)
    if transparent < 0, let map = handle.pointee.SColorMap, number < map.pointee.ColorCount,
      let color = map.pointee.Colors?[number]
    {
      background = SIMD4(color.Red, color.Green, color.Blue, 255)
    }
    return Frame(
      left: Int(image.Left), top: Int(image.Top), width: Int(image.Width), height: Int(image.Height),
      isInterlaced: image.Interlace, palette: palette, background: background, disposal: control.disposal,
      centiseconds: control.centiseconds)
  }

  /// Decodes the next row of palette indices.
  ///
  /// Returns false at the end of the file.
  ///
  /// The C function is `DGifGetLine`.
  func nextRow(into target: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    DGifGetLine(handle, target, Int32(count)) == GIF_OK
  }

  private static func failure(_ code: Int32) -> DecodingError {
    if code == D_GIF_ERR_NOT_ENOUGH_MEM { return .outOfMemory }
    return .damaged(detail: GifErrorString(code).map { String(cString: $0) } ?? "giflib: error \(code)")
  }
}
