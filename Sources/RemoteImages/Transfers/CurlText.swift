import CVitrineCurl

/// A URL parsed by libcurl, with the host in lowercase.
struct CurlURL: ~Copyable {
  /// Whether libcurl is installed; it is loaded if it is.
  static var isAvailable: Bool { ccurl_load() == 1 }

  /// A part of a URL.
  enum Part {
    case scheme
    case host
    /// The port, which is the scheme's if the URL contains none.
    case port
    /// The URL without a default port.
    case url
    case urlWithoutCredentials
  }

  private let handle: OpaquePointer

  /// Parses a URL, or a reference relative to a base URL, or returns nil if it is invalid.
  ///
  /// Returns nil too if libcurl is not installed. Spaces and non-ASCII characters are escaped, and dot segments are
  /// removed. The C functions are `curl_url` and `curl_url_set`.
  init?(_ text: String, base: String?) {
    guard CurlURL.isAvailable, let handle = ccurl_url() else { return nil }
    let flags = UInt32(CURLU_URLENCODE)
    for url in [base, text].compactMap({ $0 }) {
      guard ccurl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK else {
        ccurl_url_cleanup(handle)
        return nil
      }
    }
    self.handle = handle
    if let host = part(.host), host != host.lowercased() { ccurl_url_set(handle, CURLUPART_HOST, host.lowercased(), 0) }
  }

  deinit { ccurl_url_cleanup(handle) }

  /// Returns a part, or nil if the URL does not have it.
  ///
  /// The C function is `curl_url_get`.
  func part(_ part: Part) -> String? {
    switch part {
    case .scheme: read(CURLUPART_SCHEME)
    case .host: read(CURLUPART_HOST)
    case .port: read(CURLUPART_PORT, CURLU_DEFAULT_PORT)
    case .url: read(CURLUPART_URL, CURLU_NO_DEFAULT_PORT)
    case .urlWithoutCredentials: readWithoutCredentials()
    }
  }

  private func readWithoutCredentials() -> String? {
    guard let copy = ccurl_url_dup(handle) else { return nil }
    defer { ccurl_url_cleanup(copy) }
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS] { ccurl_url_set(copy, part, nil, 0) }
    return CurlURL.read(copy, CURLUPART_URL, CURLU_NO_DEFAULT_PORT)
  }

  private func read(_ part: CURLUPart, _ flags: Int32 = 0) -> String? { CurlURL.read(handle, part, flags) }

  private static func read(_ handle: OpaquePointer, _ part: CURLUPart, _ flags: Int32) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard ccurl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}

/// HTTP dates, for example "Sun, 06 Nov 1994 08:49:37 GMT", parsed by libcurl.
enum HTTPDate {
  /// Returns the seconds since 1970, or nil if the text is not a date.
  ///
  /// Obsolete formats are accepted. The C function is `curl_getdate`.
  static func seconds(_ text: String) -> Int? {
    guard CurlURL.isAvailable else { return nil }
    let seconds = ccurl_getdate(text)
    return seconds < 0 ? nil : seconds
  }
}
