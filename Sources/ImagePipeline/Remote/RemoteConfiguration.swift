public import FramePacing

/// How downloads are set up.
public struct RemoteConfiguration: Sendable {
  /// The folder that they are kept in, by the bytes of its path; nothing where they are to be kept in memory alone.
  ///
  /// It and the one around it are made where they are not there.
  public var folder: [UInt8]?
  /// What they may take there, in bytes.
  public var diskBytes: Int
  /// What those may take that are kept in memory, in bytes.
  public var memoryBytes: Int
  /// What all that is on its way may take together, in bytes, wherever it is to be kept; the largest is always let in.
  public var inFlightBytes: Int
  /// What is taken of the address of a picture at most.
  public var picture: RemoteLimits
  /// What is taken of the address of a list at most.
  public var manifest: RemoteLimits
  /// How long a picture is taken for what it was without asking its server, in seconds; a list is always asked for.
  public var freshnessSeconds: Int
  /// Decides by how much pauses differ, so that many programs do not come back to a server at once, and what files are called
  /// that are being written: another number for each instance.
  public var seed: UInt64

  /// How often a download is tried, the first time among them, while its time lasts; at least once.
  public var maximumTries = 5

  /// How long a server may send next to nothing, 64 bytes a second, before a try is given up: in whole seconds, at least
  /// one.
  ///
  /// More than it takes to answer, where it is known to take long.
  public var stallTimeout = FrameDuration.seconds(6)

  /// Whether servers are asked through the proxies that the environment names; set to false for a server of the program's own.
  public var usesProxies = true

  /// Through which proxies servers are asked: those of the environment.
  var proxies = ProxyRules.environment
  /// Names that are known without being looked up.
  var resolvedHosts: [String] = []

  /// Makes a configuration.
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

  /// How transfers are made.
  var transferSettings: TransferSettings {
    var settings = TransferSettings()
    settings.bodyBytes = inFlightBytes
    settings.maximumTries = max(1, maximumTries)
    settings.stallTimeout = stallTimeout
    settings.proxies = usesProxies ? proxies : ProxyRules()
    settings.resolvedHosts = resolvedHosts
    settings.picture = picture
    settings.manifest = manifest
    return settings
  }
}
