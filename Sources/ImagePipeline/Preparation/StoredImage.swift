public import Geometry
public import ImageMetadata
public import Rendering

/// A picture as it is stored, encoded: a value that names it, holds none of its bytes, and can be prepared.
///
/// What UIKit's `UIImage` is before it is decoded. The file is opened by a worker alone, so making one costs nothing and
/// cannot fail: a file that is not there, or is none, is the outcome of preparing it.
public struct StoredImage: Hashable, Sendable {
  /// The picture and its version in one number: the ``ImageKey/source`` of everything prepared from it.
  public let name: UInt64
  /// Where the pixels come from.
  public let source: ImageSource
  /// The bytes that it takes as it is stored, 0 where that is not known: tells how long preparing takes.
  public var byteCount: Int
  /// Its extent in pixels after orientation, where its header was read.
  public var size: PixelSize?
  /// Whether it carries a small picture of itself, as its header says.
  public var hasPreview: Bool
  /// How large it may be to be decoded at all.
  public var limits: ImageLimits
  /// The colour behind transparent pixels; its own alpha does not count.
  public let background: Color

  /// Names a picture in a file.
  ///
  /// - Parameters:
  ///   - path: the bytes of the file's path, without a zero byte.
  ///   - version: another number whenever the file changes, its time of change for instance; else what was prepared from
  ///     its former content is taken for this one's.
  ///   - byteCount: the file's size in bytes, 0 where it is not known.
  ///   - size: the picture's extent in pixels after orientation, where it is known.
  ///   - hasPreview: whether the file carries a small picture of itself, as its header says.
  ///   - background: the colour behind transparent pixels.
  ///   - limits: how large it may be to be decoded at all.
  public init(
    path: [UInt8], version: UInt64 = 0, byteCount: Int = 0, size: PixelSize? = nil, hasPreview: Bool = false,
    background: Color = .black, limits: ImageLimits = .standard
  ) {
    self.init(
      source: .file(path: path), version: version, byteCount: byteCount, size: size, hasPreview: hasPreview,
      background: background, limits: limits)
  }

  /// Names a picture wherever its pixels come from, a number that the caller's own ``PictureDecoder`` paints among others.
  ///
  /// - Parameters:
  ///   - source: where the pixels come from.
  ///   - version: another number whenever they change.
  ///   - byteCount: the bytes that it takes as it is stored, 0 where that is not known.
  ///   - size: its extent in pixels after orientation, where it is known.
  ///   - hasPreview: whether it carries a small picture of itself.
  ///   - background: the colour behind transparent pixels.
  ///   - limits: how large it may be to be decoded at all.
  /// - Complexity: O(bytes of the path).
  public init(
    source: ImageSource, version: UInt64 = 0, byteCount: Int = 0, size: PixelSize? = nil, hasPreview: Bool = false,
    background: Color = .black, limits: ImageLimits = .standard
  ) {
    var digest = ContentDigest()
    switch source {
    case .file(let path):
      digest.combine(1)
      path.withUnsafeBytes { digest.combine(bytes: $0) }
    case .generated(let number):
      digest.combine(2)
      digest.combine(number)
    case .memory(let file):
      digest.combine(3)
      digest.combine(file.name)
    case .remote(let request):
      digest.combine(4)
      digest.combine(request.url.digest)
    }
    digest.combine(version)
    // Over another colour they are other pixels.
    digest.combine(UInt64(background.packed))
    name = digest.value
    self.source = source
    self.byteCount = byteCount
    self.size = size
    self.hasPreview = hasPreview
    self.background = background
    self.limits = limits
  }

  /// The name of its pixels for a form.
  ///
  /// - Parameter mostPixels: the pixels that a bitmap may have.
  func key(for form: PreparedForm, mostPixels: Int) -> ImageKey {
    switch form {
    case .thumbnail(let size): ImageKey(source: name, size: size, fit: .fillWithoutEnlarging)
    case .display:
      ImageKey(source: name, size: (size ?? .maximum).scaled(toMaximumArea: mostPixels), fit: .fit)
    }
  }

  /// What a worker needs to prepare it in a form.
  ///
  /// - Parameter mostPixels: the pixels that a bitmap may have.
  func request(for form: PreparedForm, mostPixels: Int) -> ImageRequest {
    ImageRequest(
      key: key(for: form, mostPixels: mostPixels), source: source, background: background.packed, fileBytes: byteCount,
      limits: limits, hasPreview: hasPreview)
  }
}
