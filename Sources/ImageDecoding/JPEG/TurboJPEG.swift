import CTurboJPEG
import Geometry

/// The door to libjpeg-turbo's decoder.
///
/// Nothing of it leaves this file.
struct TurboJPEG: ~Copyable {
  /// What libjpeg-turbo read from a file's header.
  struct Frame: Hashable {
    var size: PixelSize
    /// Whether the pixels are four inks rather than grey or three colours.
    var isInk: Bool
  }

  private let handle: tjhandle

  /// Makes a decoder.
  ///
  /// The C function is `tjInitDecompress`.
  init() throws(DecodingError) {
    guard let handle = tjInitDecompress() else { throw .outOfMemory }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// Reads the header.
  ///
  /// The C function is `tjDecompressHeader3`.
  func frame(of file: UnsafeRawBufferPointer) throws(DecodingError) -> Frame {
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colorspace: Int32 = -1
    let bytes = file.bindMemory(to: UInt8.self)
    let status = tjDecompressHeader3(
      handle, bytes.baseAddress, UInt(bytes.count), &width, &height, &subsampling, &colorspace)
    // It also fails at chroma grids without a name, which it decodes nonetheless: what counts is what it told.
    guard let size = PixelSize(width: Int(width), height: Int(height)) else { throw failure() }
    if status != 0, colorspace < 0 { throw failure() }
    return Frame(
      size: size, isInk: colorspace == Int32(TJCS_CMYK.rawValue) || colorspace == Int32(TJCS_YCCK.rawValue))
  }

  /// The extent that libjpeg-turbo makes of a size at so many eighths.
  static func scaled(_ size: PixelSize, eighths: Int) -> PixelSize {
    PixelSize(width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8) ?? size
  }

  /// Decodes all pixels at a size that is some eighths of the file's.
  ///
  /// The C function is `tjDecompress2`.
  ///
  /// - Returns: whether libjpeg-turbo warned of faults; then what it could not read is grey.
  func decode(
    _ file: UnsafeRawBufferPointer, isInk: Bool, into pixels: borrowing PixelMemory
  ) throws(DecodingError) -> Bool {
    let bytes = file.bindMemory(to: UInt8.self)
    let format = isInk ? TJPF_CMYK : TJPF_RGBA
    let status = tjDecompress2(
      handle, bytes.baseAddress, UInt(bytes.count), pixels.bytes, Int32(pixels.width), Int32(pixels.bytesPerRow),
      Int32(pixels.height), Int32(format.rawValue), TJFLAG_LIMITSCANS)
    guard status != 0 else { return false }
    guard tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { throw failure() }
    return true
  }

  /// The last failure.
  ///
  /// The C function is `tjGetErrorStr2`.
  private func failure() -> DecodingError {
    guard let text = tjGetErrorStr2(handle) else { return .damaged(detail: "unknown fault") }
    let message = String(cString: text)
    let isMemory = message.contains("Insufficient memory") || message.contains("Memory allocation")
    return isMemory ? .outOfMemory : .damaged(detail: message)
  }
}
