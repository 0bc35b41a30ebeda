/// Why something could not be had from the web: a state of its item, not an error of the program.
public enum RemoteFailure: Error, Hashable, Sendable {
  /// The text is no address of the web.
  case badAddress
  /// No server of that name is known.
  case unknownHost
  /// The server could not be connected to.
  case unreachable
  /// The server did not show that it is who it says; in libcurl's words.
  case untrusted(String)
  /// It did not end within its time.
  case timedOut
  /// Hardly a byte came for seconds.
  case stalled
  /// The connection ended before the answer did.
  case connectionLost
  /// What came was no answer.
  case malformedResponse
  /// The server knows nothing there.
  case notFound
  /// The server wants somebody it knows.
  case forbidden
  /// The server is busy, and says in how many seconds to ask again, where it does.
  case busy(retrySeconds: Int?)
  /// The server answered something else, by number.
  case refused(status: Int)
  /// More bytes than are taken.
  case tooLarge(limit: Int)
  /// Something else came.
  case unexpected(ResponseBodyKind, wanted: RemoteKind)
  /// It leads on and on.
  case tooManyRedirects
  /// It leads to something that is no address of the web, a file for instance.
  case redirectOutside
  /// It leads from a secure address to an open one.
  case redirectUnsecured
  /// A server of the internet names an address on this machine or its network.
  case privateAddress
  /// The bytes could not be kept on this machine; the number is `errno`'s.
  case cannotStore(Int32)
  /// libcurl gave up, with its number.
  case transport(Int32)
  /// The program ends.
  case shutDown

  /// A few words for a caption.
  public var caption: String {
    switch self {
    case .badAddress: "not a web address"
    case .unknownHost: "server not found"
    case .unreachable: "server out of reach"
    case .untrusted: "server not trusted"
    case .timedOut: "took too long"
    case .stalled: "download stalled"
    case .connectionLost: "download cut short"
    case .malformedResponse: "answer makes no sense"
    case .notFound: "not on the server"
    case .forbidden: "not allowed"
    case .busy: "server is busy"
    case .refused(let status): "server says \(status)"
    case .tooLarge: "download too large"
    case .unexpected(let kind, let wanted): "\(kind.name), not a \(wanted.name)"
    case .tooManyRedirects: "leads nowhere"
    case .redirectOutside: "leads out of the web"
    case .redirectUnsecured: "leads to an open address"
    case .privateAddress: "leads to a private address"
    case .cannotStore: "no room to download"
    case .transport: "download failed"
    case .shutDown: "interrupted"
    }
  }

  /// Whether asking again later may end otherwise.
  public var isTransient: Bool {
    switch self {
    case .unknownHost, .unreachable, .timedOut, .stalled, .connectionLost, .malformedResponse, .busy, .cannotStore,
      .transport,
      .shutDown:
      true
    case .refused(let status): status >= 500
    case .badAddress, .untrusted, .notFound, .forbidden, .tooLarge, .unexpected, .tooManyRedirects, .redirectOutside,
      .redirectUnsecured, .privateAddress:
      false
    }
  }

  /// Whether the same transfer is tried again by itself.
  var isRetryable: Bool {
    switch self {
    case .unknownHost, .unreachable, .stalled, .connectionLost, .malformedResponse, .busy, .transport: true
    case .refused(let status): [408, 425, 500, 502, 504].contains(status)
    default: false
    }
  }

  /// Whether it is said of the server rather than of one address: then nothing is asked of it for a while.
  var affectsHost: Bool {
    switch self {
    case .unknownHost, .unreachable, .busy: true
    default: false
    }
  }
}

extension RemoteFailure {
  /// What a status says that is not what was wanted.
  init(status: Int, retrySeconds: Int?) {
    switch status {
    case 404, 410: self = .notFound
    case 401, 403, 407, 451: self = .forbidden
    case 429, 503: self = .busy(retrySeconds: retrySeconds)
    default: self = .refused(status: status)
    }
  }

  /// Whether it is a server's answer, which shows that there is one.
  var isServerResponse: Bool {
    switch self {
    case .notFound, .forbidden, .refused, .tooLarge, .unexpected: true
    default: false
    }
  }
}

extension RemoteFailure: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .badAddress: "this is no address of the web; it must begin with http:// or https://"
    case .unknownHost: "no server of this name is known; check the address and the network"
    case .unreachable: "the server does not answer; check the network, or try again later"
    case .untrusted(let words):
      "the server does not prove who it is (\(words)); nothing was taken from it; have its certificate mended"
    case .timedOut: "the server did not finish in time; try again when the network is faster"
    case .stalled: "the server stopped sending; try again later"
    case .connectionLost: "the connection ended before all was there; try again"
    case .malformedResponse: "the server's answer makes no sense; try again, or tell who runs it"
    case .notFound: "the server has nothing at this address; check the address"
    case .forbidden: "the server gives this only to those it knows; ask who runs it"
    case .busy(let seconds?): "the server is busy and asks to come back in \(seconds) s"
    case .busy(nil): "the server is busy; try again later"
    case .refused(let status): "the server answered \(status); tell who runs it"
    case .tooLarge(let limit): "more than \(limit >> 20) MB came, the most that is taken of one address"
    case .unexpected(let kind, let wanted):
      "\(kind.name) came where a \(wanted.name) should be; open the address in a browser to see what it says"
    case .tooManyRedirects: "the address leads on and on; ask who runs the server"
    case .redirectOutside: "the address leads to something that is not of the web, and was not followed"
    case .redirectUnsecured: "a secure address leads to an open one, and was not followed"
    case .privateAddress: "a public server names an address on this network, which was not asked"
    case .cannotStore(let code): "there is no room to keep what is downloaded (error \(code)); make room"
    case .transport(let code): "the transfer failed (libcurl: \(code)); try again"
    case .shutDown: "the program ended first"
    }
  }
}
