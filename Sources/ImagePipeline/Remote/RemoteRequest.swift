/// What is wanted from where; requests for the same are one transfer.
public struct RemoteRequest: Hashable, Sendable {
  /// The address.
  public let url: RemoteURL
  /// What is expected there.
  public let kind: RemoteKind
  /// Which servers it may lead to.
  let scope: RemoteScope

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - url: the address.
  ///   - kind: what is expected there.
  ///   - isGivenByPublicServer: whether a server of the internet named the address, rather than the user: then this
  ///     machine and its neighbours are not asked.
  public init(_ url: RemoteURL, kind: RemoteKind = .picture, isGivenByPublicServer: Bool = false) {
    self.url = url
    self.kind = kind
    scope = isGivenByPublicServer ? .publicOnly : .anyServer
  }
}
