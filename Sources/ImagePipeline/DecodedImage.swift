public import VitrineGeometry
public import VitrineRendering

/// An image decoded at the requested size.
public struct DecodedImage: Sendable {
  /// The pixels, in the colors of the display if the pipeline delivered the image.
  public private(set) var bitmap: Bitmap
  /// The image's own size in pixels after orientation, if the file specifies it.
  public let sourceSize: PixelSize?
  /// Whether the file was truncated, damaged, or changed while it was read.
  ///
  /// The bitmap is what could be recovered.
  public let isDamaged: Bool
  /// The quality level; below ``ImageRepresentation/full`` the image is a preview.
  public let representation: ImageRepresentation
  /// Whether the image was read from disk and not decoded.
  ///
  /// It is then the full image, whatever representation was requested.
  let isStored: Bool
  /// The `errno` of opening the file, if the image was made from a stored thumbnail because the file could not be opened.
  ///
  /// It is then a preview, and the request fails.
  let openFailureCode: Int32?
  /// The revision of the display's profile to which the pixels were converted; 0 if they are sRGB.
  private(set) var colorRevision: UInt32 = 0
  /// The decoders that made the pixels; nil for a decoder of the client.
  package private(set) var origin: DecoderOrigin?
  /// Whether the file was another version than the one that was requested.
  ///
  /// The image is shown, but nothing of it is stored as that version's.
  private(set) var isOfOtherVersion = false
  /// The tiny preview to store, if one was requested.
  public private(set) var tinyPreview: TinyPreview?

  /// Creates an image.
  public init(
    bitmap: Bitmap, sourceSize: PixelSize? = nil, isDamaged: Bool = false, representation: ImageRepresentation = .full
  ) {
    self.init(
      bitmap: bitmap, sourceSize: sourceSize, isDamaged: isDamaged, representation: representation, isStored: false,
      origin: nil)
  }

  /// Creates an image from a stored thumbnail.
  init(_ stored: StoredThumbnail) {
    self.init(
      bitmap: stored.bitmap, sourceSize: stored.sourceSize, isDamaged: false, representation: .full, isStored: true,
      origin: stored.origin)
  }

  /// Returns the same image with an origin.
  package func made(by origin: DecoderOrigin?) -> DecodedImage {
    var image = self
    image.origin = origin
    return image
  }

  /// Returns the same image, decoded from a stored thumbnail of the given origin, with the origin of both.
  package func derived(from thumbnail: DecoderOrigin?) -> DecodedImage {
    made(by: origin?.derived(from: thumbnail))
  }

  /// The same image, marked as that of another version of the file than the requested one.
  var markedOtherVersion: DecodedImage {
    var image = self
    image.isOfOtherVersion = true
    return image
  }

  /// Returns the same image, marked as read from an existing thumbnail of its file.
  ///
  /// - Parameter sourceSize: The size of the original; nil if the thumbnail may not show all of it.
  package func markedStored(sourceSize: PixelSize?) -> DecodedImage {
    DecodedImage(
      bitmap: bitmap, sourceSize: sourceSize, isDamaged: false, representation: .full, isStored: true, origin: origin)
  }

  /// The same image, marked as a preview because it was enlarged from a thumbnail.
  package var markedPlaceholder: DecodedImage {
    DecodedImage(
      bitmap: bitmap, sourceSize: nil, isDamaged: false, representation: .embedded, isStored: false, origin: origin)
  }

  /// Returns the same image, marked as the preview of a file that could not be opened.
  func markedPreview(ofFileWithOpenFailure code: Int32) -> DecodedImage {
    DecodedImage(
      bitmap: bitmap, sourceSize: nil, isDamaged: false, representation: .embedded, isStored: false,
      openFailureCode: code, origin: origin)
  }

  /// Returns the same image with pixels that were converted to the colors of the display.
  func converted(_ bitmap: Bitmap, colorRevision: UInt32) -> DecodedImage {
    var image = self
    image.bitmap = bitmap
    image.colorRevision = colorRevision
    return image
  }

  private init(
    bitmap: Bitmap, sourceSize: PixelSize?, isDamaged: Bool, representation: ImageRepresentation, isStored: Bool,
    openFailureCode: Int32? = nil, origin: DecoderOrigin?
  ) {
    self.bitmap = bitmap
    self.sourceSize = sourceSize
    self.isDamaged = isDamaged
    self.representation = representation
    self.isStored = isStored
    self.openFailureCode = openFailureCode
    self.origin = origin
  }
}

/// The result of a decode.
public typealias ImageOutcome = Result<DecodedImage, ImageFailure>

extension ImageOutcome {
  /// Whether the image was read from disk.
  var isStored: Bool {
    if case .success(let image) = self { return image.isStored }
    return false
  }

  /// Whether the decoding process did not answer in time.
  var isTimeout: Bool { if case .failure(.decoderTimedOut) = self { true } else { false } }

  /// The bitmap, if any.
  var bitmap: Bitmap? {
    if case .success(let image) = self { return image.bitmap }
    return nil
  }

  /// The failure to open the file of which the image is a preview.
  var openFailure: ImageFailure? {
    guard case .success(let image) = self, let code = image.openFailureCode else { return nil }
    return .cannotOpen(code)
  }

  /// Returns whether this is an image that was converted for an earlier profile of the display.
  func isOutdated(by colorRevision: UInt32) -> Bool {
    guard case .success(let image) = self else { return false }
    return image.colorRevision < colorRevision
  }

  /// The size of the bitmap in bytes.
  var pixelBytes: Int { bitmap?.byteCount ?? 0 }
}

extension DecodedImage {
  /// Returns the image for a request, with the requested representation and, if requested, a tiny preview.
  ///
  /// An image read from disk remains a full image, and the preview of a file that cannot be opened a preview. Call this
  /// on a worker's thread, as making a preview takes some ten
  /// microseconds.
  /// - Complexity: O(pixels).
  func adapted(to request: ImageRequest) -> DecodedImage {
    var image =
      isStored || openFailureCode != nil
      ? self
      : DecodedImage(
        bitmap: bitmap, sourceSize: sourceSize, isDamaged: isDamaged, representation: request.representation
      ).made(by: origin)
    // Only complete, undamaged images are worth storing: no previews, and no shared thumbnail that may not show all of
    // the image.
    if request.wantsTinyPreview, image.representation == .full, !isDamaged, !isOfOtherVersion,
      !isStored || sourceSize != nil
    {
      image.tinyPreview = TinyPreview(of: bitmap, pictureSize: sourceSize)
    }
    return image
  }

  /// The same image, marked as damaged.
  var markedDamaged: DecodedImage {
    DecodedImage(bitmap: bitmap, sourceSize: sourceSize, isDamaged: true, representation: representation)
      .made(by: origin)
  }
}

/// The end of all requests for a key, or before that an embedded preview.
public struct ImageArrival: Sendable {
  /// The key of the requests.
  public let key: ImageKey
  /// The tickets of the requests, in the order in which they were made.
  public let tickets: [ImageTicket]
  /// The quality level; below ``ImageRepresentation/full`` the requests continue.
  public let representation: ImageRepresentation
  /// The image or the failure.
  public let outcome: ImageOutcome

  /// Creates an arrival.
  public init(
    key: ImageKey, tickets: [ImageTicket] = [], representation: ImageRepresentation = .full, outcome: ImageOutcome
  ) {
    self.key = key
    self.tickets = tickets
    self.representation = representation
    self.outcome = outcome
  }

  /// Whether the requests have ended.
  public var isFinal: Bool { representation == .full }
}
