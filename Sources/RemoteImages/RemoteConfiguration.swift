public import VitrineFramePacing

/// The configuration of downloads.
public struct RemoteConfiguration: Sendable {
  /// The path of the folder that stores downloads, as bytes, or nil to cache downloads in memory only.
  ///
  /// The folder and its parent are created if they do not exist.
  public var folder: [UInt8]?
  /// The maximum size of the folder, in bytes.
  ///
  /// Default: 1 GB.
  public var diskBytes: Int
  /// The maximum size of the downloads that are cached in memory, in bytes.
  ///
  /// Default: 256 MB.
  public var memoryBytes: Int
  /// The maximum size of all unfinished downloads, in bytes, whether they are stored on disk or in memory.
  ///
  /// The largest allowed download always fits. Default: 128 MB.
  public var inFlightBytes: Int
  /// The limits of an image download.
  public var picture: RemoteLimits
  /// The limits of a manifest download.
  public var manifest: RemoteLimits
  /// The age up to which a cached image is used without revalidation, in seconds.
  ///
  /// Manifests are always revalidated. Default: 3600.
  public var freshnessSeconds: Int
  /// The seed of the jitter of retry delays and of the names of temporary files.
  ///
  /// It must differ between instances, so that they do not retry simultaneously.
  public var seed: UInt64

  /// The maximum number of attempts of a download, including the first.
  ///
  /// At least one attempt is made, and none after the total time of ``RemoteLimits``. Default: 5.
  public var maximumAttempts = 5

  /// The time after which an attempt fails if the server sends fewer than 64 bytes per second.
  ///
  /// It is rounded up to whole seconds and at least one. It must exceed the response time of slow servers. Default: 6
  /// s.
  public var stallTimeout = FrameDuration.seconds(6)

  /// Whether servers are contacted through the proxies of the environment.
  ///
  /// Set it to false for a server of the program itself. Default: true.
  public var usesProxies = true

  /// The proxy rules, by default those of the environment.
  var proxies = ProxyRules.environment
  /// Host names that are resolved without a lookup, as in `TransferSettings.resolvedHosts`.
  var resolvedHosts: [String] = []

  /// Creates a configuration.
  public init(
    folder: [UInt8]? = nil, diskBytes: Int = 1 << 30, memoryBytes: Int = 256 << 20, inFlightBytes: Int = 128 << 20,
    picture: RemoteLimits = .picture, manifest: RemoteLimits = .manifest, freshnessSeconds: Int = 3_600, seed: UInt64
  ) {
    self.folder = folder
    self.diskBytes = diskBytes
    self.memoryBytes = memoryBytes
    self.inFlightBytes = inFlightBytes
    self.picture = picture
    self.manifest = manifest
    self.freshnessSeconds = freshnessSeconds
    self.seed = seed
  }

  /// The settings of the transfers.
  var transferSettings: TransferSettings {
    var settings = TransferSettings()
    settings.inFlightBytes = inFlightBytes
    settings.maximumAttempts = max(1, maximumAttempts)
    settings.stallTimeout = stallTimeout
    settings.proxies = usesProxies ? proxies : ProxyRules()
    settings.resolvedHosts = resolvedHosts
    settings.picture = picture
    settings.manifest = manifest
    return settings
  }
}

/// The limits of a download.
public struct RemoteLimits: Hashable, Sendable {
  /// The maximum size of the response body, in bytes.
  public var maximumBytes: Int
  /// The maximum time from the first attempt to the end, including retries and their delays.
  public var totalTime: FrameDuration

  /// Creates limits.
  public init(maximumBytes: Int, totalTime: FrameDuration) {
    self.maximumBytes = maximumBytes
    self.totalTime = totalTime
  }

  /// The default limits of an image: 64 MB and 10 s.
  public static let picture = RemoteLimits(maximumBytes: 64 << 20, totalTime: .seconds(10))
  /// The default limits of a manifest: 32 MB and 30 s.
  public static let manifest = RemoteLimits(maximumBytes: 32 << 20, totalTime: .seconds(30))
}

/// The settings of transfers.
struct TransferSettings: Sendable {
  /// The maximum number of connections to one server.
  var connectionsPerHost = 6
  /// The maximum number of connections to all servers.
  var connections = 24
  /// The maximum number of attempts, including the first.
  var maximumAttempts = 5
  /// The time after which an attempt fails if the server sends almost no bytes.
  var stallTimeout = FrameDuration.seconds(6)
  /// The maximum number of redirects of a transfer.
  var maximumRedirects = 5
  /// The pauses before a server is contacted again, which are not exceeded even if the server requests a longer one.
  var retryPolicy = RetryPolicy(firstPause: .seconds(1), maximumPause: .seconds(60))
  /// The maximum size of all unfinished response bodies, in bytes.
  ///
  /// It is raised to the size of the largest allowed body.
  var inFlightBytes = 128 << 20
  /// The step in which a body's byte allowance grows, in bytes.
  var allowanceStep = 256 << 10
  /// The rules that select a server's proxy.
  var proxies = ProxyRules()
  /// Host names that are resolved without a lookup, in libcurl's format: `name:port:address`.
  var resolvedHosts: [String] = []
  /// The limits of an image download.
  var picture = RemoteLimits.picture
  /// The limits of a manifest download.
  var manifest = RemoteLimits.manifest

  /// A memory budget for unfinished bodies.
  var memoryBudget: TransferMemoryBudget {
    TransferMemoryBudget(
      limit: max(inFlightBytes, picture.maximumBytes, manifest.maximumBytes, allowanceStep), step: allowanceStep)
  }

  /// Returns the limits of a download of the given kind.
  func limits(of kind: RemoteKind) -> RemoteLimits {
    switch kind {
    case .picture: picture
    case .manifest: manifest
    }
  }
}
