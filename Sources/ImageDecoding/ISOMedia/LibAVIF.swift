import CVitrineAVIF
import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata

/// A wrapper around libavif's decoder, with dav1d in one thread.
///
/// No other file calls the library.
struct LibAVIF: ~Copyable {
  /// The description of the image in the boxes.
  struct Frame: Hashable {
    /// The size of the planes in pixels.
    var size: PixelSize
    var bits: Int
    /// Twice the ratio of the samples in all planes to the luma samples.
    var halfPlanes: Int

    /// The bytes of the decoded samples.
    var planeBytes: Int { size.area * (bits > 8 ? 2 : 1) * halfPlanes / 2 }
  }

  private let decoder: UnsafeMutablePointer<avifDecoder>

  /// Opens a file, which must outlive the returned value.
  ///
  /// The C functions are `avifDecoderCreate`, `avifDecoderSetIOMemory` and `avifDecoderParse`.
  static func open(_ file: UnsafeRawBufferPointer, maximumPixels: Int) throws(DecodingError) -> LibAVIF {
    guard let decoder = avifDecoderCreate() else { throw .outOfMemory }
    let wrapper = LibAVIF(decoder: decoder)
    decoder.pointee.codecChoice = AVIF_CODEC_CHOICE_DAV1D
    decoder.pointee.maxThreads = 1
    decoder.pointee.ignoreExif = 1
    decoder.pointee.ignoreXMP = 1
    // libavif rejects a value above its own limit.
    decoder.pointee.imageSizeLimit = UInt32(clamping: max(1, min(maximumPixels, Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT))))
    decoder.pointee.strictFlags = UInt32(AVIF_STRICT_DISABLED.rawValue)
    let bytes = file.bindMemory(to: UInt8.self)
    try check(avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count))
    try check(avifDecoderParse(decoder))
    return wrapper
  }

  private init(decoder: UnsafeMutablePointer<avifDecoder>) {
    self.decoder = decoder
  }

  deinit { avifDecoderDestroy(decoder) }

  /// Returns the description of the image.
  func frame() throws(DecodingError) -> Frame {
    guard let image = decoder.pointee.image?.pointee,
      let size = PixelSize(width: Int(image.width), height: Int(image.height))
    else { throw .damaged(detail: "no size") }
    let colors =
      switch image.yuvFormat {
      case AVIF_PIXEL_FORMAT_YUV400: 2
      case AVIF_PIXEL_FORMAT_YUV420: 3
      case AVIF_PIXEL_FORMAT_YUV422: 4
      default: 6
      }
    return Frame(size: size, bits: Int(image.depth), halfPlanes: colors + (decoder.pointee.alphaPresent != 0 ? 2 : 0))
  }

  /// Decodes the image, or the first frame of an animation, and passes its planes to a closure.
  ///
  /// The C function is `avifDecoderNextImage`.
  func withPicture<Result: ~Copyable>(
    _ body: (PlanarPicture) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    try LibAVIF.check(avifDecoderNextImage(decoder))
    return try body(currentPicture())
  }

  /// The number of frames that the file declares, 1 unless it is a sequence.
  var frameCount: Int { Int(decoder.pointee.imageCount) }

  /// How long the decoded frame is shown, in milliseconds.
  var frameMilliseconds: Int {
    let seconds = decoder.pointee.imageTiming.duration
    return seconds.isFinite ? Int(min(max(0, seconds), 3600) * 1000) : 0
  }

  /// Decodes the next frame of a sequence, and returns false after the last one.
  ///
  /// The C function is `avifDecoderNextImage`.
  func nextFrame() throws(DecodingError) -> Bool {
    let result = avifDecoderNextImage(decoder)
    if result == AVIF_RESULT_NO_IMAGES_REMAINING { return false }
    try LibAVIF.check(result)
    return true
  }

  /// Returns the planes of the decoded frame, which are valid until the next one is decoded.
  func currentPicture() throws(DecodingError) -> PlanarPicture {
    guard let image = decoder.pointee.image?.pointee, let picture = LibAVIF.planes(image) else {
      throw .damaged(detail: "planes of several sizes")
    }
    return picture
  }

  /// The colour space of the samples: a profile, or code points of ITU-T H.273.
  var colors: PictureColors {
    guard let image = decoder.pointee.image?.pointee else { return .standard }
    if let profile = image.icc.data, image.icc.size > 0, image.icc.size <= ICCProfile.maximumBytes {
      return .profile(Array(UnsafeBufferPointer(start: profile, count: image.icc.size)))
    }
    return PictureColors(primaries: Int(image.colorPrimaries), transfer: Int(image.transferCharacteristics))
  }

  private static func planes(_ image: avifImage) -> PlanarPicture? {
    guard let size = PixelSize(width: Int(image.width), height: Int(image.height)) else { return nil }
    let isGrey = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400
    let across = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV444 ? 1 : 2
    let down = image.yuvFormat == AVIF_PIXEL_FORMAT_YUV420 ? 2 : 1
    let chromaWidth = (size.width + across - 1) / across
    let chromaHeight = (size.height + down - 1) / down
    func plane(_ start: UnsafeMutablePointer<UInt8>?, _ rowBytes: UInt32, _ width: Int, _ height: Int)
      -> PlanarPicture.Plane?
    {
      start.map { PlanarPicture.Plane(start: $0, bytesPerRow: Int(rowBytes), width: width, height: height) }
    }
    guard let luma = plane(image.yuvPlanes.0, image.yuvRowBytes.0, size.width, size.height) else { return nil }
    var chroma: (blue: PlanarPicture.Plane, red: PlanarPicture.Plane)?
    if !isGrey {
      guard let blue = plane(image.yuvPlanes.1, image.yuvRowBytes.1, chromaWidth, chromaHeight),
        let red = plane(image.yuvPlanes.2, image.yuvRowBytes.2, chromaWidth, chromaHeight)
      else { return nil }
      chroma = (blue, red)
    }
    let bits = Int(image.depth)
    return PlanarPicture(
      size: size, luma: luma, chroma: chroma, horizontalSubsampling: isGrey ? 1 : across,
      verticalSubsampling: isGrey ? 1 : down,
      alpha: plane(image.alphaPlane, image.alphaRowBytes, size.width, size.height),
      isPremultiplied: image.alphaPremultiplied != 0, bits: bits,
      matrix: ColorMatrix(
        coefficients: Int(image.matrixCoefficients), primaries: Int(image.colorPrimaries),
        isFullRange: image.yuvRange == AVIF_RANGE_FULL, bits: bits))
  }

  private static func check(_ result: avifResult) throws(DecodingError) {
    switch result {
    case AVIF_RESULT_OK: return
    case AVIF_RESULT_OUT_OF_MEMORY: throw .outOfMemory
    case AVIF_RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_UNSUPPORTED_DEPTH:
      throw .unsupported(.avif, detail: text(result))
    default: throw .damaged(detail: text(result))
    }
  }

  private static func text(_ result: avifResult) -> String {
    avifResultToString(result).map { String(cString: $0) } ?? "libavif: error \(result.rawValue)"
  }
}
