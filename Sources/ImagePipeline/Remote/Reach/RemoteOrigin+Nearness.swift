extension RemoteOrigin {
  /// The number that the host is, where it is one in the usual spelling.
  var ipAddress: IPAddress? {
    IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
  }

  /// Whether the name says that the server is this machine or near it.
  ///
  /// That is a number of a near network, a number in an unusual spelling, which programs do not read alike, a name without a
  /// dot, which only the network around knows, or one of those that such networks use. Where a name that says nothing leads is
  /// judged when it is connected to.
  /// - Complexity: O(bytes).
  var isPrivate: Bool {
    if let ipAddress { return ipAddress.isPrivate }
    if host.hasPrefix("[") { return true }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let name = labels.last?.isEmpty ?? true ? labels.dropLast() : labels[...]
    guard name.count > 1, let last = name.last, !last.isEmpty else { return true }
    if last.allSatisfy(\.isNumber) || last.hasPrefix("0x") { return true }
    return RemoteOrigin.privateNames.contains(String(last)) || name.suffix(2).elementsEqual(["home", "arpa"])
  }

  private static let privateNames: Set<String> = [
    "localhost", "local", "localdomain", "lan", "home", "corp", "intranet", "private", "internal",
  ]
}
