import Glibc

/// Whether this machine seems to have graphics hardware that this user may use, read from the system in microseconds.
package nonisolated enum GraphicsHardware: Hashable {
  /// OpenGL would be software, for the reason given.
  case none(String)
  /// OpenGL may well be hardware, for the reason given.
  case likely(String)

  /// Reads the signs: Mesa's switches in the environment, then the kernel's device files.
  ///
  /// The C functions are `getenv`, `opendir` and `access`.
  /// - Parameter folder: where the kernel shows its devices.
  package static func probe(devices folder: String = "/dev") -> GraphicsHardware {
    if isOn("LIBGL_ALWAYS_SOFTWARE") { return .none("LIBGL_ALWAYS_SOFTWARE is set") }
    var refused: String?
    for node in renderNodes(in: "\(folder)/dri").map({ "\(folder)/dri/\($0)" }) {
      if access(node, R_OK | W_OK) == 0 { return .likely(node) }
      refused = refused ?? node
    }
    for node in ["\(folder)/nvidiactl", "\(folder)/dxg"] where access(node, R_OK | W_OK) == 0 { return .likely(node) }
    return .none(refused.map { "\($0) may not be used" } ?? "no render node in \(folder)/dri")
  }

  private static func isOn(_ variable: String) -> Bool {
    guard let value = getenv(variable) else { return false }
    return !["", "0", "false", "no", "n"].contains(String(cString: value).lowercased())
  }

  private static func renderNodes(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix("renderD") { names.append(name) }
    }
    return names.sorted()
  }
}
