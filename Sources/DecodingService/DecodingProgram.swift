import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol
package import VitrineImageDecodingCore

/// The program of decoding processes.
///
/// The process that is started reads no picture. It maps the shared memory, initializes the decoders, activates the
/// sandbox and forks a process for each picture, which so finds everything loaded and touched, and nothing of an earlier
/// picture.
package enum DecodingProgram {
  /// The exit statuses.
  private enum ExitStatus {
    static let done: Int32 = 0
    static let usage: Int32 = 64
    static let protocolFault: Int32 = 65
    static let setUp: Int32 = 71
  }

  /// Runs the program until the client closes the socket.
  ///
  /// It returns in the parent and in each picture process, which end then.
  ///
  /// - Parameters:
  ///   - arguments: Those of ``DecodingLaunch``.
  ///   - decoders: The decoders of the program.
  /// - Returns: The exit status.
  package static func run(arguments: [String], decoders: FormatDecoders) -> Int32 {
    let clock = RequestTimer()
    // A client that has gone is noticed by an error.
    signal(SIGPIPE, SIG_IGN)
    guard let launch = DecodingLaunch(arguments: arguments) else { return ExitStatus.usage }
    var layers: SandboxLayers = []
    guard ProcessSandbox.exitWithParent(&layers), let slots = SharedSlots(launch) else { return ExitStatus.setUp }
    if let slot = slots[0] {
      DecoderWarmUp.run(DecodingService(slots: slots, layers: .all, decoders: decoders), slot: slot)
    }
    platform_prepare_heap()
    layers.formUnion(ProcessSandbox.activate(launch))
    let service = DecodingService(slots: slots, layers: layers, decoders: decoders)
    let client = RequestSocket(descriptor: WireFormat.socketDescriptor)
    let greeting = DecodingReply(
      id: 0, status: .ok, workMicroseconds: clock.microseconds, layers: layers, formatBits: service.formatBits)
    guard client.send(greeting) else { return ExitStatus.done }
    while let packet = client.receive() {
      guard packet.isComplete, packet.descriptor >= 0, let request = PictureProcessRequest(words: packet.words) else {
        return ExitStatus.protocolFault
      }
      let number = platform_fork_picture_process()
      guard number != 0 else {
        close(client.descriptor)
        return runPictureProcess(service, RequestSocket(descriptor: packet.descriptor), layers, launch)
      }
      let reply = PictureProcessReply(id: request.id, process: max(number, 0), error: number < 0 ? errno : 0)
      close(packet.descriptor)
      guard client.send(reply.words) else { return ExitStatus.done }
    }
    return ExitStatus.done
  }

  /// Serves one picture.
  ///
  /// - Returns: The exit status.
  private static func runPictureProcess(
    _ service: DecodingService, _ socket: RequestSocket, _ layers: SandboxLayers, _ launch: DecodingLaunch
  ) -> Int32 {
    let isFatal: Int32 = launch.forbiddenCalls == .kill ? 1 : 0
    guard platform_confine_picture_process(layers.rawValue, isFatal) == 0 else { return ExitStatus.setUp }
    return service.serve(socket) ? ExitStatus.done : ExitStatus.protocolFault
  }
}

/// The sandbox that the parent of picture processes activates before it forks the first.
private enum ProcessSandbox {
  /// The limit of the address space in addition to the shared memory, in bytes.
  ///
  /// An image that needs more fails instead of swapping.
  private static let addressSpace: UInt64 = 768 << 20
  private static let descriptors: UInt64 = 16

  /// Ends the process with its parent.
  ///
  /// - Returns: False if the parent has already exited.
  static func exitWithParent(_ layers: inout SandboxLayers) -> Bool {
    let parent = getppid()
    if platform_die_with_parent() == 0 { layers.insert(.parent) }
    return getppid() == parent
  }

  /// Activates the sandbox, irreversibly.
  ///
  /// The C function is `platform_confine`.
  ///
  /// - Returns: The active layers.
  static func activate(_ launch: DecodingLaunch) -> SandboxLayers {
    SandboxLayers(
      rawValue: platform_confine(
        UInt32(PLATFORM_LAYERS_OF_ONESELF), addressSpace + UInt64(launch.sharedBytes), descriptors,
        launch.forbiddenCalls == .kill ? 1 : 0))
  }
}
