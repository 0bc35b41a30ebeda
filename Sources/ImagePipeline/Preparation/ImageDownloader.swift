public import VitrineFramePacing
import VitrineRendering

/// The object through which a pipeline downloads images that are not on this machine.
///
/// The module RemoteImages implements it for the web. A client that shows local images only needs no downloader, and
/// links no library for downloads.
public protocol ImageDownloader: AnyObject, Sendable {
  /// Starts a download, or finds the image in a cache.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - deadline: The time at which the image is needed, on the frame clock. It determines the position among all
  ///     downloads.
  ///   - completion: A closure to call once, from any thread, possibly before this method returns, with the encoded
  ///     image on this machine or the failure. After a cancellation it need not be called.
  /// - Returns: An object that changes the deadline of the download or cancels it, or nil if the download has ended.
  @MainActor
  func download(
    _ image: RemoteImage, deadline: FrameInstant,
    completion: @escaping @Sendable (Result<StoredImage, ImageFailure>) -> Void
  ) -> (any Deferrable)?

  /// Lets servers be contacted again that could not be reached, for example because the user asks for it.
  ///
  /// Default: does nothing.
  func endPauses()
}

extension ImageDownloader {
  /// Does nothing: the downloader makes no pauses.
  public func endPauses() {}
}

/// A reference to an image that is not on this machine.
public struct RemoteImage: Hashable, Sendable {
  /// The address in the format of the downloader, for instance a URL with credentials.
  public let address: String
  /// Whether the address comes from a public server instead of the user.
  ///
  /// A downloader must not contact this machine or its network for such an image.
  public let isFromPublicServer: Bool

  /// Creates a reference.
  ///
  /// - Parameters:
  ///   - address: The address in the format of the downloader.
  ///   - isFromPublicServer: Whether the address comes from a public server instead of the user. Default: false.
  public init(address: String, isFromPublicServer: Bool = false) {
    self.address = address
    self.isFromPublicServer = isFromPublicServer
  }

  /// A hash of the address that is equal in every run.
  /// - Complexity: O(bytes of the address).
  package var digest: UInt64 {
    var digest = ContentDigest()
    var address = address
    address.withUTF8 { digest.combine(bytes: UnsafeRawBufferPointer($0)) }
    return digest.value
  }

  /// The duration of the download on a modelled timeline: 20 to 200 ms, derived from the address.
  package var modelledDownloadDuration: FrameDuration { .milliseconds(20 + Double(digest % 180)) }
}

extension RemoteImage: CustomStringConvertible {
  /// The address for logs and messages: without credentials, and with an ellipsis in place of a query, which may contain
  /// a secret.
  public var description: String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    let query = path.endIndex == address.endIndex ? "" : "?…"
    guard let start = path.firstRange(of: "//")?.upperBound else { return path + query }
    let authority = path[start...].prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return path[..<start] + host + path[authority.endIndex...] + query
  }
}
