import CVitrineHEIF
import VitrineGeometry
import VitrineImageDecodingCore
import VitrineImageMetadata

/// A wrapper around libheif's decoder, with libde265 in one thread.
///
/// No other file calls the library.
struct LibHEIF: ~Copyable {
  private let context: OpaquePointer
  private let handle: OpaquePointer
  private let thumbnail: (handle: OpaquePointer, item: Int)?

  /// Whether the single-threaded decoder is registered, once for the process, because libheif's registry is global.
  private static let hasRegisteredDecoder = cheif_decode_in_one_thread() == 0
  private static let maximumThumbnails = 16

  /// Opens a file, which must outlive the returned value.
  ///
  /// The C functions are `heif_context_alloc`, `heif_context_read_from_memory_without_copy` and
  /// `heif_context_get_primary_image_handle`.
  static func open(_ file: UnsafeRawBufferPointer) throws(DecodingError) -> LibHEIF {
    guard hasRegisteredDecoder, let context = heif_context_alloc() else { throw .outOfMemory }
    heif_context_set_max_decoding_threads(context, 0)
    var handle: OpaquePointer?
    do {
      try check(heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil))
      try check(heif_context_get_primary_image_handle(context, &handle))
    } catch {
      heif_context_free(context)
      throw error
    }
    guard let handle else {
      heif_context_free(context)
      throw .damaged(detail: "no picture")
    }
    return LibHEIF(context: context, handle: handle, thumbnail: largestThumbnail(handle))
  }

  private init(context: OpaquePointer, handle: OpaquePointer, thumbnail: (handle: OpaquePointer, item: Int)?) {
    self.context = context
    self.handle = handle
    self.thumbnail = thumbnail
  }

  deinit {
    if let thumbnail { heif_image_handle_release(thumbnail.handle) }
    heif_image_handle_release(handle)
    heif_context_free(context)
  }

  /// The C functions are `heif_image_handle_get_list_of_thumbnail_IDs` and `heif_image_handle_get_thumbnail`.
  private static func largestThumbnail(_ handle: OpaquePointer) -> (handle: OpaquePointer, item: Int)? {
    let count = min(maximumThumbnails, Int(heif_image_handle_get_number_of_thumbnails(handle)))
    guard count > 0 else { return nil }
    var identifiers = [heif_item_id](repeating: 0, count: count)
    let found = heif_image_handle_get_list_of_thumbnail_IDs(handle, &identifiers, Int32(count))
    var largest: (handle: OpaquePointer, item: Int)?
    for identifier in identifiers.prefix(Int(max(0, found))) {
      var candidate: OpaquePointer?
      guard heif_image_handle_get_thumbnail(handle, identifier, &candidate).code == heif_error_Ok, let candidate
      else { continue }
      if let other = largest?.handle, size(of: other)?.area ?? 0 >= size(of: candidate)?.area ?? 0 {
        heif_image_handle_release(candidate)
      } else {
        if let largest { heif_image_handle_release(largest.handle) }
        largest = (candidate, Int(identifier))
      }
    }
    return largest
  }

  private static func size(of handle: OpaquePointer) -> PixelSize? {
    PixelSize(
      width: Int(heif_image_handle_get_ispe_width(handle)), height: Int(heif_image_handle_get_ispe_height(handle)))
  }

  /// The size of the image's planes in pixels.
  var size: PixelSize? { LibHEIF.size(of: handle) }

  /// The item identifier of the largest preview, or nil if there is none.
  var thumbnailItem: Int? { thumbnail?.item }

  /// The size of the largest preview's planes in pixels, or nil if there is none.
  var thumbnailSize: PixelSize? { thumbnail.flatMap { LibHEIF.size(of: $0.handle) } }

  /// Decodes the image or its preview as stored, and passes its planes to a closure.
  ///
  /// The C functions are `heif_decoding_options_alloc` and `heif_decode_image`.
  func withPicture<Result: ~Copyable>(
    isThumbnail: Bool, _ body: (PlanarPicture) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    guard let options = heif_decoding_options_alloc() else { throw .outOfMemory }
    defer { heif_decoding_options_free(options) }
    // The resampler applies rotation and cropping.
    options.pointee.ignore_transformations = 1
    var image: OpaquePointer?
    try LibHEIF.check(
      heif_decode_image(
        isThumbnail ? thumbnail?.handle ?? handle : handle, &image, heif_colorspace_undefined, heif_chroma_undefined,
        options))
    guard let image else { throw .damaged(detail: "no picture") }
    defer { heif_image_release(image) }
    guard let picture = planes(image) else { throw .unsupported(.heic, detail: "planes of several sizes") }
    return try body(picture)
  }

  /// The colour space of the samples: a profile, or code points of ITU-T H.273.
  ///
  /// The C functions are `heif_image_handle_get_raw_color_profile` and `heif_image_handle_get_nclx_color_profile`.
  var colors: PictureColors {
    let count = heif_image_handle_get_raw_color_profile_size(handle)
    if count > 0, count <= ICCProfile.maximumBytes {
      var bytes = [UInt8](repeating: 0, count: count)
      if heif_image_handle_get_raw_color_profile(handle, &bytes).code == heif_error_Ok { return .profile(bytes) }
    }
    guard let described = coded(nil) else { return .standard }
    return PictureColors(primaries: described.primaries, transfer: described.transfer)
  }

  private typealias Coded = (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)

  /// Returns the code points of ITU-T H.273 of a decoded image, or of the file.
  private func coded(_ image: OpaquePointer?) -> Coded? {
    var colors: UnsafeMutablePointer<heif_color_profile_nclx>?
    let error =
      image.map { heif_image_get_nclx_color_profile($0, &colors) }
      ?? heif_image_handle_get_nclx_color_profile(handle, &colors)
    guard error.code == heif_error_Ok, let colors else { return nil }
    defer { heif_nclx_color_profile_free(colors) }
    let values = colors.pointee
    return (
      Int(values.color_primaries.rawValue), Int(values.transfer_characteristics.rawValue),
      Int(values.matrix_coefficients.rawValue), values.full_range_flag != 0
    )
  }

  private func planes(_ image: OpaquePointer) -> PlanarPicture? {
    // Some files contain RGB; the green plane then takes the role of luma.
    let isRGB = heif_image_get_colorspace(image) == heif_colorspace_RGB
    let first = isRGB ? heif_channel_G : heif_channel_Y
    guard heif_image_has_channel(image, first) != 0 else { return nil }
    let bits = Int(heif_image_get_bits_per_pixel_range(image, first))
    func plane(_ channel: heif_channel) -> PlanarPicture.Plane? {
      var rowBytes: Int32 = 0
      guard heif_image_has_channel(image, channel) != 0,
        Int(heif_image_get_bits_per_pixel_range(image, channel)) == bits,
        let start = heif_image_get_plane_readonly(image, channel, &rowBytes)
      else { return nil }
      return PlanarPicture.Plane(
        start: start, bytesPerRow: Int(rowBytes), width: Int(heif_image_get_width(image, channel)),
        height: Int(heif_image_get_height(image, channel)))
    }
    guard let luma = plane(first), let size = PixelSize(width: luma.width, height: luma.height) else { return nil }
    let format = heif_image_get_chroma_format(image)
    var chroma: (blue: PlanarPicture.Plane, red: PlanarPicture.Plane)?
    if format != heif_chroma_monochrome {
      guard let blue = plane(isRGB ? heif_channel_B : heif_channel_Cb),
        let red = plane(isRGB ? heif_channel_R : heif_channel_Cr)
      else { return nil }
      chroma = (blue, red)
    }
    let described = coded(image) ?? coded(nil)
    return PlanarPicture(
      size: size, luma: luma, chroma: chroma,
      horizontalSubsampling: format == heif_chroma_420 || format == heif_chroma_422 ? 2 : 1,
      verticalSubsampling: format == heif_chroma_420 ? 2 : 1, alpha: plane(heif_channel_Alpha),
      isPremultiplied: heif_image_is_premultiplied_alpha(image) != 0, bits: bits,
      matrix: ColorMatrix(
        coefficients: isRGB ? 0 : described?.matrix ?? 2, primaries: described?.primaries ?? 2,
        isFullRange: isRGB || described?.isFullRange ?? true, bits: bits))
  }

  private static func check(_ error: heif_error) throws(DecodingError) {
    switch error.code {
    case heif_error_Ok: return
    case heif_error_Memory_allocation_error: throw .outOfMemory
    case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
      throw .unsupported(.heic, detail: String(cString: error.message))
    default: throw .damaged(detail: String(cString: error.message))
    }
  }
}
