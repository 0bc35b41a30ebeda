public import Geometry
public import Rendering

/// A picture at the size it was asked for.
public struct DecodedImage: Sendable {
  /// The pixels.
  public let bitmap: Bitmap
  /// The picture's own size in pixels after orientation, where the file told it.
  public let sourceSize: PixelSize?
  /// Whether the file was cut off or damaged, or changed while it was read: the bitmap is what could be saved of it.
  public let isDamaged: Bool
  /// How good it is: below ``ImageRung/full`` it stands in for the picture itself.
  public let representation: ImageRepresentation
  /// Whether it was read from disk as it is, and not decoded: then it is the picture itself, whatever was asked for.
  let isStored: Bool
  /// What may be kept of it, where that was asked for.
  public private(set) var tinyPreview: TinyPreview?

  /// Makes an image.
  public init(
    bitmap: Bitmap, sourceSize: PixelSize? = nil, isDamaged: Bool = false, representation: ImageRepresentation = .full
  ) {
    self.init(
      bitmap: bitmap, sourceSize: sourceSize, isDamaged: isDamaged, representation: representation, isStored: false)
  }

  /// Makes an image of what was kept on disk.
  init(_ stored: StoredThumbnail) {
    self.init(
      bitmap: stored.bitmap, sourceSize: stored.sourceSize, isDamaged: false, representation: .full, isStored: true)
  }

  /// The same image, taken from a thumbnail of its file that was there already.
  ///
  /// - Parameter picture: the size of the picture that it is of; nothing where it is not known to show all of that.
  func markedStored(of picture: PixelSize?) -> DecodedImage {
    DecodedImage(bitmap: bitmap, sourceSize: picture, isDamaged: false, representation: .full, isStored: true)
  }

  /// The same image, enlarged from a thumbnail: it only stands in for the picture.
  var markedPlaceholder: DecodedImage {
    DecodedImage(bitmap: bitmap, sourceSize: nil, isDamaged: false, representation: .embedded, isStored: false)
  }

  private init(
    bitmap: Bitmap, sourceSize: PixelSize?, isDamaged: Bool, representation: ImageRepresentation, isStored: Bool
  ) {
    self.bitmap = bitmap
    self.sourceSize = sourceSize
    self.isDamaged = isDamaged
    self.representation = representation
    self.isStored = isStored
  }
}

/// How a decode ended.
public typealias ImageOutcome = Result<DecodedImage, ImageFailure>

extension ImageOutcome {
  /// Whether it is the picture itself, read from disk.
  var isStored: Bool {
    if case .success(let image) = self { return image.isStored }
    return false
  }

  /// The pixels that came of it.
  var bitmap: Bitmap? {
    if case .success(let image) = self { return image.bitmap }
    return nil
  }

  /// The bytes of pixels that the outcome holds.
  var pixelBytes: Int { bitmap?.byteCount ?? 0 }
}

extension DecodedImage {
  /// What a request asked for: said to be as good as that, unless it is what is kept of the picture itself, and with its
  /// preview where that is wanted.
  ///
  /// Called on a worker's thread, as a preview takes some ten microseconds.
  /// - Complexity: O(pixels).
  func adapted(to request: ImageRequest) -> DecodedImage {
    var image =
      isStored
      ? self
      : DecodedImage(
        bitmap: bitmap, sourceSize: sourceSize, isDamaged: isDamaged, representation: request.representation)
    // What could be saved of a damaged file, or stands in for a picture, is not what is to be remembered.
    // Nor is a thumbnail of another program's that is not known to show all of the picture.
    if request.wantsTinyPreview, image.representation == .full, !isDamaged, !isStored || sourceSize != nil {
      image.tinyPreview = TinyPreview(of: bitmap, pictureSize: sourceSize)
    }
    return image
  }

  /// The same image, said to be damaged.
  var markedDamaged: DecodedImage {
    DecodedImage(bitmap: bitmap, sourceSize: sourceSize, isDamaged: true, representation: representation)
  }
}
