/// Bytes that are here already.
struct StoredDownload: Sendable {
  /// Where they are.
  let content: RemoteContent
  /// What the server calls this state of them.
  let validator: RemoteValidator
  /// When the server was asked last, in seconds since 1970.
  let lastValidated: Int

  /// Whether they are good without asking the server: it was asked not long ago, by a clock that has not been put back.
  func isFresh(now: Int, trust seconds: Int) -> Bool { lastValidated <= now && now - lastValidated < seconds }
}
