import Glibc

/// The proxy settings of the environment, in libcurl's format.
///
/// They are evaluated here instead of in libcurl, because the address of a proxied connection is the proxy's and must
/// not be checked as the server's.
struct ProxyRules: Sendable {
  private var http: String?
  private var https: String?
  private var exceptions: [Exception] = []

  private enum Exception: Sendable {
    case allHosts
    /// A host name and all of its subdomains.
    case domain(String)
    case network(IPAddress, bits: Int)
  }

  /// Creates rules without proxies.
  init() {}

  /// Reads `http_proxy`, `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, `no_proxy` and `NO_PROXY`.
  ///
  /// `HTTP_PROXY` is ignored, because in CGI programs its value is a client's request header.
  init(_ variable: (String) -> String?) {
    func first(_ names: [String]) -> String? { names.lazy.compactMap(variable).first { !$0.isEmpty } }
    let all = ["all_proxy", "ALL_PROXY"]
    http = first(["http_proxy"] + all)
    https = first(["https_proxy", "HTTPS_PROXY"] + all)
    exceptions = first(["no_proxy", "NO_PROXY"]).map(ProxyRules.exceptions) ?? []
  }

  /// The rules of the process environment.
  ///
  /// The C function is `getenv`.
  static var environment: ProxyRules { ProxyRules { name in getenv(name).map { String(cString: $0) } } }

  /// Returns the URL of a server's proxy as it is written in the environment, or nil for a direct connection.
  func proxy(for url: RemoteURL) -> String? {
    guard let proxy = url.isSecure ? https : http else { return nil }
    return exceptions.contains { ProxyRules.covers($0, url.origin) } ? nil : proxy
  }

  private static func exceptions(_ text: String) -> [Exception] {
    if text == "*" { return [.allHosts] }
    return text.split { $0 == "," || $0.isWhitespace }.compactMap { word in
      let parts = word.split(separator: "/", omittingEmptySubsequences: false)
      let text = parts[0].hasPrefix("[") && parts[0].hasSuffix("]") ? parts[0].dropFirst().dropLast() : parts[0]
      if let address = IPAddress(String(text)) {
        let whole = if case .v4 = address { 32 } else { 128 }
        let bits = parts.count == 1 ? whole : parts.count == 2 ? Int(parts[1]) : nil
        return bits.flatMap { (0...whole).contains($0) ? .network(address, bits: $0) : nil }
      }
      let name = trimmed(word.lowercased())
      return name.isEmpty ? nil : .domain(name)
    }
  }

  /// Removes a leading and a trailing dot.
  private static func trimmed(_ name: String) -> String {
    let rest = name.hasPrefix(".") ? name.dropFirst() : name[...]
    return String(rest.hasSuffix(".") ? rest.dropLast() : rest)
  }

  private static func covers(_ exception: Exception, _ origin: RemoteOrigin) -> Bool {
    switch exception {
    case .allHosts: return true
    case .network(let address, let bits): return origin.ipAddress?.matches(address, bits: bits) ?? false
    case .domain(let name):
      guard origin.ipAddress == nil else { return false }
      let host = origin.host.hasSuffix(".") ? String(origin.host.dropLast()) : origin.host
      return host == name || host.hasSuffix("." + name)
    }
  }
}
