extension FoundPhoto {
  /// Looks at a single file, for libraries that know their files without a scan.
  ///
  /// The C function is `fstatat`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - ordinal: its place in the final order.
  /// - Returns: nothing where no file can be looked at there.
  public init?(statusOf path: PhotoPath, ordinal: UInt32) {
    guard let status = try? SystemCalls.status(of: path) else { return nil }
    self.init(
      ordinal: ordinal, folder: path.parent, name: Array(path.lastComponent), identity: status.identity, failure: nil)
  }
}
