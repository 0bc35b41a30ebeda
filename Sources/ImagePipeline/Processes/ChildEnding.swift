import Glibc

/// How a decoding process ended.
enum ProcessTermination: Hashable, Sendable {
  /// By leaving, with this status.
  case status(Int32)
  /// By a signal.
  case signal(Int32)

  /// Makes an ending of what `platform_reap_process` tells.
  init(_ number: Int32) { self = number < 0 ? .signal(-number) : .status(number) }

  /// Whether somebody ended it who is neither the file nor the decoder: a user, another program, or the kernel when memory
  /// was short.
  var isExternal: Bool { self == .signal(SIGKILL) || self == .signal(SIGTERM) }
}
