public import ImageMetadata

/// What a worker needs to make a bitmap.
public struct ImageRequest: Hashable, Sendable {
  /// The bitmap's name; requests of equal names are one.
  public var key: ImageKey
  /// Where the pixels come from.
  public var source: ImageSource
  /// The colour behind transparent pixels: red in the lowest byte, then green, then blue.
  public var background: UInt32
  /// The file's size in bytes as the catalogue knows it, 0 where it does not: what a modelled decode's cost depends on.
  public var fileBytes: Int
  /// How large a picture may be to be decoded at all; a view for one picture may ask for more than a grid.
  public var limits: ImageLimits

  /// Whether the file has a small picture of itself, as its header says: it is shown first where the picture itself would
  /// come too late.
  public var hasPreview: Bool

  /// Whether the worker is to make the picture's ``TinyPreview`` as well.
  public var wantsTinyPreview: Bool

  /// Whether programs may share a small picture of it, which is as good to begin with as the file's own.
  var mayHaveSharedThumbnail = false

  /// Whether something small may be had of it before the picture itself.
  var mayHavePreview: Bool { hasPreview || mayHaveSharedThumbnail }

  /// How good a picture the worker is to make; the scheduler decides.
  public internal(set) var representation = ImageRepresentation.full

  /// Makes a request.
  public init(
    key: ImageKey, source: ImageSource, background: UInt32 = 0, fileBytes: Int = 0, limits: ImageLimits = .standard,
    hasPreview: Bool = false, wantsTinyPreview: Bool = false
  ) {
    self.key = key
    self.source = source
    self.background = background
    self.fileBytes = fileBytes
    self.limits = limits
    self.hasPreview = hasPreview
    self.wantsTinyPreview = wantsTinyPreview
  }
}
