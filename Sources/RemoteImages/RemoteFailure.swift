/// The failure of a download.
public enum RemoteFailure: Error, Hashable, Sendable {
  /// The text is not a web URL.
  case badAddress
  /// The server's name could not be resolved.
  case unknownHost
  /// The connection to the server failed.
  case unreachable
  /// The server's certificate could not be verified. The value is libcurl's message.
  case untrusted(String)
  /// The download did not finish within its total time.
  case timedOut
  /// The server sent almost no bytes for several seconds.
  case stalled
  /// The connection was closed before the response was complete.
  case connectionLost
  /// The response is not valid HTTP.
  case malformedResponse
  /// There is no file at the URL.
  case notFound
  /// The server denies access.
  case forbidden
  /// The server is busy. The value is the retry delay that it requests, in seconds, or nil if it requests none.
  case busy(retrySeconds: Int?)
  /// The server responded with another error status.
  case refused(status: Int)
  /// The response exceeds the size limit, in bytes.
  case tooLarge(limit: Int)
  /// The response has an unexpected kind of content.
  case unexpected(ResponseBodyKind, expected: RemoteKind)
  /// The number of redirects exceeds the limit.
  case tooManyRedirects
  /// A redirect leads to a URL that is not http or https, for instance a file.
  case redirectOutside
  /// A redirect leads from https to http.
  case redirectUnsecured
  /// A URL from a public server leads to this machine or its network.
  case privateAddress
  /// The bytes could not be stored on this machine. The value is `errno`.
  case cannotStore(Int32)
  /// libcurl failed with the given code.
  case transport(Int32)
  /// The transfers were shut down.
  case shutDown
  /// libcurl is not installed.
  case libraryMissing

  /// A short description for a caption.
  public var caption: String {
    switch self {
    case .badAddress: "not a web address"
    case .unknownHost: "server not found"
    case .unreachable: "server not reachable"
    case .untrusted: "server not trusted"
    case .timedOut: "took too long"
    case .stalled: "download stalled"
    case .connectionLost: "connection lost"
    case .malformedResponse: "invalid response"
    case .notFound: "not on the server"
    case .forbidden: "not allowed"
    case .busy: "server is busy"
    case .refused(let status): "server error \(status)"
    case .tooLarge: "download too large"
    case .unexpected(let kind, let expected): "\(kind.name), not a \(expected.name)"
    case .tooManyRedirects: "too many redirects"
    case .redirectOutside: "unsupported redirect"
    case .redirectUnsecured: "insecure redirect"
    case .privateAddress: "private address"
    case .cannotStore: "no space to download"
    case .transport: "download failed"
    case .shutDown: "interrupted"
    case .libraryMissing: "libcurl is missing"
    }
  }

  /// Whether a later request may succeed.
  public var isTransient: Bool {
    switch self {
    case .unknownHost, .unreachable, .timedOut, .stalled, .connectionLost, .malformedResponse, .busy, .cannotStore,
      .transport,
      .shutDown, .libraryMissing:
      true
    case .refused(let status): status >= 500
    case .badAddress, .untrusted, .notFound, .forbidden, .tooLarge, .unexpected, .tooManyRedirects, .redirectOutside,
      .redirectUnsecured, .privateAddress:
      false
    }
  }

  /// Whether the scheduler retries the transfer.
  var isRetryable: Bool {
    switch self {
    case .unknownHost, .unreachable, .stalled, .connectionLost, .malformedResponse, .busy, .transport: true
    case .refused(let status): [408, 425, 500, 502, 504].contains(status)
    default: false
    }
  }

  /// Whether the failure concerns the server instead of a single URL.
  ///
  /// If so, the server is not contacted for a while.
  var affectsHost: Bool {
    switch self {
    case .unknownHost, .unreachable, .busy: true
    default: false
    }
  }
}

extension RemoteFailure {
  /// Creates the failure for an HTTP error status.
  init(status: Int, retrySeconds: Int?) {
    switch status {
    case 404, 410: self = .notFound
    case 401, 403, 407, 451: self = .forbidden
    case 429, 503: self = .busy(retrySeconds: retrySeconds)
    default: self = .refused(status: status)
    }
  }

  /// Whether the failure is a server's response, which proves that the server is reachable.
  var isServerResponse: Bool {
    switch self {
    case .notFound, .forbidden, .refused, .tooLarge, .unexpected: true
    default: false
    }
  }
}

extension RemoteFailure: CustomStringConvertible {
  /// A description of the failure and a suggestion.
  public var description: String {
    switch self {
    case .badAddress: "the address is not valid; it must begin with http:// or https://"
    case .unknownHost: "the server was not found; check the address and the network"
    case .unreachable: "the server does not answer; check the network, or try again later"
    case .untrusted(let words):
      "the certificate of the server is not valid (\(words)), so nothing was downloaded; contact its administrator"
    case .timedOut: "the server did not finish in time; try again when the network is faster"
    case .stalled: "the server stopped sending; try again later"
    case .connectionLost: "the connection was lost; try again"
    case .malformedResponse: "the server sent an invalid response; try again, or contact its administrator"
    case .notFound: "the server has no document at this address; check the address"
    case .forbidden: "access is denied; contact the administrator of the server"
    case .busy(let seconds?): "the server is busy; try again in \(seconds) s"
    case .busy(nil): "the server is busy; try again later"
    case .refused(let status): "the server answered with the error \(status); contact its administrator"
    case .tooLarge(let limit): "the download is larger than the maximum of \(limit >> 20) MB"
    case .unexpected(let kind, let expected):
      "the server sent \(kind.name) instead of a \(expected.name); open the address in a browser to see it"
    case .tooManyRedirects: "the server redirects too often; contact its administrator"
    case .redirectOutside: "the address redirects to an unsupported scheme, which was not followed"
    case .redirectUnsecured: "the address redirects from HTTPS to HTTP, which was not followed"
    case .privateAddress: "a public server named an address on the local network, which was not requested"
    case .cannotStore(let code): "the download could not be stored (error \(code)); free some disk space"
    case .transport(let code): "the transfer failed (libcurl: \(code)); try again"
    case .shutDown: "the program ended first"
    case .libraryMissing: "libcurl, which downloads, is not installed or too old (Debian: libcurl4)"
    }
  }
}
