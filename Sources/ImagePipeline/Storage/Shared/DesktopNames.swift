import CGLib

/// How desktops name files to each other; the door to GLib, which they do it with.
enum DesktopNames {
  /// The URI of a file: `file://` and the path, with percent signs for what may not stand in one.
  ///
  /// The C function is `g_filename_to_uri`.
  ///
  /// - Parameter path: the path's bytes.
  /// - Returns: nothing for a path that is not absolute.
  static func uri(ofPath path: [UInt8]) -> String? {
    guard !path.contains(0) else { return nil }
    guard let text = g_filename_to_uri(path.map { CChar(bitPattern: $0) } + [0], nil, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// The MD5 digest of a text, in hexadecimal digits.
  ///
  /// The C function is `g_compute_checksum_for_data`. What is digested is no secret, and who makes two files of one digest
  /// shows himself a wrong picture.
  static func digest(_ text: String) -> String? {
    guard let digits = g_compute_checksum_for_data(G_CHECKSUM_MD5, Array(text.utf8), gsize(text.utf8.count)) else {
      return nil
    }
    defer { g_free(digits) }
    return String(cString: digits)
  }
}
