/// Where a photograph is, for other programs.
nonisolated enum PictureLocation: Hashable, Sendable {
  /// A file, by the bytes of its absolute path.
  case file([UInt8])
  /// On the web.
  case url(String)
}
