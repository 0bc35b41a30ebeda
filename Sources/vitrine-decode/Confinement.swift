import CPlatform
import DecodingProtocol
import Glibc

/// The box that the process closes around itself before it looks at a file.
enum ProcessSandbox {
  /// Address space beside the shared memory, in bytes: a picture that wants more is refused, not swapped.
  private static let addressSpace: UInt64 = 768 << 20
  private static let descriptors: UInt64 = 16

  /// Ties the process to the one that started it; false when that one is gone already.
  static func exitWithParent(_ layers: inout SandboxLayers) -> Bool {
    let parent = getppid()
    if platform_die_with_parent() == 0 { layers.insert(.parent) }
    return getppid() == parent
  }

  /// Closes the box, for good.
  ///
  /// The C function is `platform_confine`.
  ///
  /// - Returns: the layers that are up.
  static func activate(_ launch: DecodingLaunch) -> SandboxLayers {
    SandboxLayers(
      rawValue: platform_confine(
        UInt32(PLATFORM_LAYERS_OF_ONESELF), addressSpace + UInt64(launch.sharedBytes), descriptors,
        launch.forbiddenCalls == .kill ? 1 : 0))
  }
}
