import FramePacing

/// How transfers are made.
struct TransferSettings: Sendable {
  /// Connections to one server.
  var connectionsPerHost = 6
  /// Connections to all.
  var connections = 24
  /// How often something is tried, the first time among them.
  var maximumTries = 5
  /// How long a server may send next to nothing.
  var stallTimeout = FrameDuration.seconds(6)
  /// How often one may be led on.
  var maximumRedirects = 5
  /// The pause after the first failure; each further one is twice as long.
  var firstPause = FrameDuration.seconds(1)
  /// The longest pause of a server, also where it wishes for more.
  var longestPause = FrameDuration.seconds(60)
  /// What all bodies on their way may hold together; no less than the largest.
  var bodyBytes = 128 << 20
  /// By how much the room of a body grows.
  var bodyStep = 256 << 10
  /// Through which proxies servers are asked.
  var proxies = ProxyRules()
  /// Names that are known without being looked up, as libcurl wants them written: `name:port:number`.
  var resolvedHosts: [String] = []
  /// What is taken of a picture's address.
  var picture = RemoteLimits.picture
  /// What is taken of a list's address.
  var manifest = RemoteLimits.manifest

  /// Room for what is on its way.
  var memoryBudget: TransferMemoryBudget {
    TransferMemoryBudget(limit: max(bodyBytes, picture.maximumBytes, manifest.maximumBytes, bodyStep), step: bodyStep)
  }

  /// What is taken of an address at most.
  func limits(of kind: RemoteKind) -> RemoteLimits {
    switch kind {
    case .picture: picture
    case .manifest: manifest
    }
  }
}

extension TransferSettings {
  /// The pause after so many failures in a row.
  ///
  /// - Parameter share: between 0 and 1, which half of the pause is left to.
  func pause(after failures: Int, share: Double) -> FrameDuration {
    min(firstPause * Double(1 << min(max(failures - 1, 0), 16)), longestPause) * (0.5 + share / 2)
  }
}
