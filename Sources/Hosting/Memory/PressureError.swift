import Glibc

/// The kernel gives no notices of memory pressure through a file.
nonisolated struct PressureError: Error, CustomStringConvertible {
  /// The file.
  let path: String
  /// The C function that failed.
  let call: String
  /// Its error number.
  let code: Int32

  /// What happened.
  var description: String { "\(path): \(call): \(String(cString: strerror(code)))" }
}
