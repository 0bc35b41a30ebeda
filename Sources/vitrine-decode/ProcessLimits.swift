import CPlatform
import DecodingProtocol
import Glibc

/// What the process takes away from itself before it looks at a file.
enum ProcessLimits {
  /// Address space beside the slots, in bytes: a picture that wants more is refused, not swapped.
  private static let addressSpace: UInt64 = 512 << 20
  private static let descriptors: UInt64 = 16

  /// Ties the process to the one that started it; false when that one is gone already.
  static func followParent() -> Bool {
    let parent = getppid()
    return platform_die_with_parent() == 0 && getppid() == parent
  }

  /// Gives up memory, files and privileges; false when the system refuses.
  static func apply(_ launch: DecodingLaunch) -> Bool {
    platform_limit_resources(addressSpace + UInt64(launch.sharedBytes), descriptors) == 0
      && platform_forbid_new_privileges() == 0
  }
}
