public import Geometry
public import ImagePipeline

/// A picture of a list: what is known of it before anything of it was downloaded.
public struct ManifestItem: Hashable, Sendable {
  /// Names it within its list, for as long as the list has it.
  public let id: String
  /// Where it is: an address of the web that was checked.
  public let address: String
  /// A number for the address.
  let addressDigest: UInt64
  /// What it is called.
  public let title: String
  /// Its extent in pixels as it is looked at, where the list tells.
  public let size: PixelSize?
  /// When it was taken, in seconds since 1970 by the camera's own clock, where the list tells.
  public let captureTime: Int64?
  /// How many like it, where the list tells.
  public let likes: Int?

  /// Makes a picture of a list.
  public init(
    id: String, url: RemoteURL, title: String, size: PixelSize? = nil, captureTime: Int64? = nil, likes: Int? = nil
  ) {
    self.id = id
    address = url.text
    addressDigest = url.digest
    self.title = title
    self.size = size
    self.captureTime = captureTime
    self.likes = likes
  }

  /// Where it is.
  ///
  /// - Complexity: O(bytes of the address): it is kept as text, as a list may have a million.
  public var url: RemoteURL? { RemoteURL(address) }
}
