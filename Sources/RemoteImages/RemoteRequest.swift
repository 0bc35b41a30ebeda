public import VitrineImagePipeline

/// A request for a file on the web.
///
/// Equal requests share one transfer.
public struct RemoteRequest: Hashable, Sendable {
  /// The URL.
  public let url: RemoteURL
  /// The expected kind of content.
  public let kind: RemoteKind
  /// The servers that the request may reach.
  let scope: RemoteScope

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - kind: The expected kind of content. Default: `.picture`.
  ///   - isFromPublicServer: Whether the URL comes from a public server instead of the user. If so, the request
  ///     never reaches this machine or its network. Default: false.
  public init(_ url: RemoteURL, kind: RemoteKind = .picture, isFromPublicServer: Bool = false) {
    self.url = url
    self.kind = kind
    scope = isFromPublicServer ? .publicOnly : .anyServer
  }

  /// Creates a request for an image, or returns nil if its address is not a web URL.
  init?(_ image: RemoteImage) {
    guard let url = RemoteURL(image.address) else { return nil }
    self.init(url, isFromPublicServer: image.isFromPublicServer)
  }

  /// The image at the URL, for a pipeline that downloads it when it is requested.
  public var image: RemoteImage { RemoteImage(address: url.text, isFromPublicServer: scope == .publicOnly) }
}

/// The kind of content that a request expects.
public enum RemoteKind: UInt8, CaseIterable, Hashable, Sendable {
  /// An image.
  case picture
  /// A manifest, which is a list of images in JSON.
  case manifest

  /// The name in error messages.
  var name: String {
    switch self {
    case .picture: "picture"
    case .manifest: "list of pictures"
    }
  }
}

/// A downloaded file, stored on this machine as it was received.
public struct RemoteContent: Hashable, Sendable {
  /// The requested URL.
  public let url: RemoteURL
  /// The location of the bytes.
  public let source: ImageSource
  /// The number of bytes.
  public let byteCount: Int
  /// A number that changes when the content at the URL changes.
  public let version: UInt64
  /// Whether the content comes from a public server.
  ///
  /// URLs in it are then not the user's.
  public private(set) var isFromPublicServer: Bool

  /// Returns the content after a server has confirmed that it is current.
  func markedPublic(byPublicServer isPublic: Bool) -> RemoteContent {
    var content = self
    if isPublic { content.isFromPublicServer = true }
    return content
  }

  /// Opens the bytes for a process that reads them.
  ///
  /// - Throws: ``RemoteFailure/cannotStore(_:)`` if the bytes are no longer available.
  package func open() throws(RemoteFailure) -> OwnedDescriptor { try DownloadFileSystem.open(source) }

  /// Reads all bytes.
  ///
  /// Blocks on the disk, so do not call it on the render thread. The C function is `pread`.
  /// - Parameter count: The maximum number of bytes.
  /// - Throws: ``RemoteFailure/cannotStore(_:)`` if the bytes are no longer available, or
  ///   ``RemoteFailure/tooLarge(limit:)``.
  public func bytes(atMost count: Int) throws(RemoteFailure) -> [UInt8] {
    let file = try DownloadFileSystem.open(source)
    guard let status = DownloadFileSystem.status(of: file) else { throw .cannotStore(0) }
    guard status.byteCount <= count else { throw .tooLarge(limit: count) }
    return try DownloadFileSystem.read(file.number, count: status.byteCount)
  }
}
