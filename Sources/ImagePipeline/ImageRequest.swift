public import VitrineGeometry
public import VitrineImageMetadata

/// A description of a bitmap for a worker to make.
public struct ImageRequest: Hashable, Sendable {
  /// The bitmap's key; requests with equal keys are coalesced.
  public var key: ImageKey
  /// The source of the pixels.
  public var source: ImageSource
  /// The background colour of transparent pixels: red in the lowest byte, then green, then blue.
  public var background: UInt32
  /// The colour of every other square of a checkerboard behind transparent pixels, or nil for a plain background.
  public var secondBackground: UInt32?
  /// The file's size in bytes as the catalogue knows it, or 0.
  ///
  /// Determines the cost of a modelled decode.
  public var fileBytes: Int
  /// The limits on images to decode; a view for a single image may allow more than a grid.
  public var limits: ImageLimits

  /// The part of the image to decode, in pixels of the upright image, or nil for all of it.
  ///
  /// It is scaled to the size of the key, which it must not exceed. The key's source has to be another one for each
  /// part. Parts are not stored on disk.
  public var region: PixelRect?

  /// Whether the file contains an embedded preview, as its header says.
  ///
  /// The preview is shown first if the image itself would be late.
  public var hasPreview: Bool

  /// Whether a preview is enough for the time being, because the image is passed quickly.
  ///
  /// If the file has a preview, it is delivered, and the request then waits until another one for the same key, without
  /// this flag, has the image itself made. Default: false.
  public var stopsAtPreview = false

  /// Whether the worker also makes the image's ``TinyPreview``.
  public var wantsTinyPreview: Bool

  /// The version of the file as the catalogue knows it, or nil.
  ///
  /// If the file cannot be opened, a stored thumbnail of this version is delivered as a preview before the failure.
  public var fingerprint: FileFingerprint?

  /// Whether a thumbnail of the file may be stored, which can serve as a preview.
  var mayHaveStoredThumbnail = false

  /// Whether a preview may be available before the image itself.
  var mayHavePreview: Bool { hasPreview || mayHaveStoredThumbnail }

  /// The representation to make; chosen by the scheduler.
  public internal(set) var representation = ImageRepresentation.full

  /// The same request for the full image.
  package var ofFullImage: ImageRequest {
    var request = self
    request.representation = .full
    return request
  }

  /// Creates a request.
  public init(
    key: ImageKey, source: ImageSource, background: UInt32 = 0, secondBackground: UInt32? = nil,
    fileBytes: Int = 0, limits: ImageLimits = .standard,
    region: PixelRect? = nil,
    hasPreview: Bool = false, wantsTinyPreview: Bool = false, fingerprint: FileFingerprint? = nil
  ) {
    self.key = key
    self.source = source
    self.background = background
    self.secondBackground = secondBackground
    self.fileBytes = fileBytes
    self.limits = limits
    self.region = region
    self.hasPreview = hasPreview
    self.wantsTinyPreview = wantsTinyPreview
    self.fingerprint = fingerprint
  }
}

/// The identity of a bitmap: an image in one version at one size.
public struct ImageKey: Hashable, Sendable {
  /// The item and its version.
  ///
  /// The caller uses another number when the file of the item changes.
  public var source: UInt64
  /// The size in pixels.
  public var size: PixelSize
  /// How the image fits the size.
  public var fit: ImageFit

  /// Creates a key.
  public init(source: UInt64, size: PixelSize, fit: ImageFit = .fill) {
    self.source = source
    self.size = size
    self.fit = fit
  }
}

/// How an image fits the requested size.
public enum ImageFit: UInt8, Hashable, Sendable {
  /// The image covers the size and is cropped around its centre. The bitmap has exactly the requested size.
  case fill
  /// The image fits inside the size and is never enlarged. The bitmap may be smaller.
  case fit
  /// The image is cropped as for ``fill`` but never enlarged. The bitmap of a smaller image has the requested aspect
  /// ratio and the image's own pixels; a view that enlarges it looks the same.
  case fillWithoutEnlarging
}

/// The source of an image's pixels.
public enum ImageSource: Hashable, Sendable {
  /// A file, given as the bytes of its path without a zero byte. A worker opens it for reading, never the main thread.
  case file(path: [UInt8])
  /// Memory that holds the bytes of a file, for downloads that must not be written to disk.
  case memory(MemoryFile)
  /// An image elsewhere, downloaded first by the pipeline's ``ImagePipelineConfiguration/downloader``.
  case remote(RemoteImage)
  /// A number from which a custom ``PipelineImageDecoder`` generates the image.
  case generated(UInt64)
}

/// The quality levels of an image, from the first to the requested one.
public enum ImageRepresentation: UInt8, Hashable, Sendable, Comparable {
  /// A small preview embedded in the file, such as a camera's, enlarged to the requested size: quickly available, but
  /// not sharp.
  case embedded = 1
  /// The image itself at the requested size.
  case full = 2

  /// Orders representations by quality.
  public static func < (left: ImageRepresentation, right: ImageRepresentation) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// A handle of a request, used to change its deadline or to cancel it.
///
/// Several tickets may wait for one image. A ticket is never reused.
public struct ImageTicket: Hashable, Sendable {
  /// The number, increasing in order of the requests.
  package let number: UInt64

  /// Creates a ticket.
  package init(number: UInt64) { self.number = number }
}
