/// Where a photograph is, for other programs.
nonisolated enum PicturePlace: Hashable, Sendable {
  /// A file, by the bytes of its absolute path.
  case file([UInt8])
  /// On the web.
  case address(String)
}
