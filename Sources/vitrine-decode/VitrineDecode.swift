import DecodingProtocol
import Glibc

/// The decoding process: file in, pixels out, or pixels in, file out; see `DecodingLaunch` for how it is started.
///
/// It leaves by `_exit`, as nothing that runs at a regular exit is wanted of a process that has read strangers' files.
@main
enum VitrineDecode {
  /// Reasons to leave, as exit statuses.
  private enum ExitStatus {
    static let done: Int32 = 0
    static let usage: Int32 = 64
    static let protocolFault: Int32 = 65
    static let setUp: Int32 = 71
  }

  static func main() {
    guard let launch = DecodingLaunch(arguments: CommandLine.arguments) else { _exit(ExitStatus.usage) }
    guard ProcessLimits.followParent(), let slots = SharedSlots(launch), ProcessLimits.apply(launch) else {
      _exit(ExitStatus.setUp)
    }
    let service = DecodingService(socket: RequestSocket(descriptor: Wire.socketDescriptor), slots: slots)
    _exit(service.run() ? ExitStatus.done : ExitStatus.protocolFault)
  }
}
