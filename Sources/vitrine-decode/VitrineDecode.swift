import DecodingProtocol
import Glibc
import ImageDecoding

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
    let clock = RequestTimer()
    guard let launch = DecodingLaunch(arguments: CommandLine.arguments) else { _exit(ExitStatus.usage) }
    var layers: SandboxLayers = []
    guard ProcessSandbox.exitWithParent(&layers), let slots = SharedSlots(launch) else { _exit(ExitStatus.setUp) }
    DecoderWarmUp.run(ImageDecoder())
    layers.formUnion(ProcessSandbox.activate(launch))
    let service = DecodingService(
      socket: RequestSocket(descriptor: WireFormat.socketDescriptor), slots: slots, layers: layers)
    _exit(service.run(readyAfter: clock.microseconds) ? ExitStatus.done : ExitStatus.protocolFault)
  }
}
