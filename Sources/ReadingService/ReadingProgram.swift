import CVitrinePlatform
import Glibc
import VitrineDecodingProtocol
import VitrineReadingProtocol

/// The program of reading processes.
///
/// It confines itself, and then reads the files whose descriptors it receives. It opens none.
package enum ReadingProgram {
  /// The exit statuses.
  private enum ExitStatus {
    static let done: Int32 = 0
    static let protocolFault: Int32 = 65
    static let notConfined: Int32 = 71
  }

  /// The limit of the address space in bytes: what the program and its libraries map, and 64 MiB for lists.
  private static let addressSpace: UInt64 = 256 << 20
  private static let descriptors: UInt64 = 16

  /// Runs the program until the client closes the socket.
  ///
  /// - Returns: The exit status.
  package static func run() -> Int32 {
    // A client that has gone is noticed by an error.
    signal(SIGPIPE, SIG_IGN)
    warmUp()
    let layers = SandboxLayers(
      rawValue: platform_confine(UInt32(PLATFORM_LAYERS_OF_ONESELF), addressSpace, descriptors, 0))
    // It forks nothing, unlike the process that forks those of pictures.
    guard platform_confine_picture_process(layers.rawValue, 0) == 0 else { return ExitStatus.notConfined }
    return serve(WireFormat.socketDescriptor, layers: layers)
  }

  /// Answers requests until the client closes the socket.
  ///
  /// - Parameters:
  ///   - socket: The socket.
  ///   - layers: The layers that confine the process.
  /// - Returns: The exit status.
  static func serve(_ socket: Int32, layers: SandboxLayers) -> Int32 {
    guard send(ReadingGreeting(layers: layers).bytes, to: socket) else { return ExitStatus.done }
    let service = ReadingService { send($0, to: socket) }
    while let (words, file) = receive(from: socket) {
      guard file >= 0, let request = words.flatMap(ReadingRequest.init(words:)) else {
        close(file)
        return ExitStatus.protocolFault
      }
      guard service.answer(request, file: file) else { return ExitStatus.done }
    }
    return ExitStatus.done
  }

  /// Initializes what the runtime and the libraries initialize at their first use, with system calls that the sandbox
  /// forbids.
  private static func warmUp() {
    _ = Set([0])
    var reader = ListReader()
    let sample =
      #"{"items": [{"id": "a", "url": "b", "width": 1.5, "height": 2, "date": "2021-06-07", "likes": 1}, 3, ]}"#
    var (isRead, text) = (false, sample)
    text.withUTF8 { bytes in reader.read(UnsafeRawBufferPointer(bytes)) { isRead = isRead || !$0.entries.isEmpty } }
    _ = reader.finish { isRead = isRead || !$0.entries.isEmpty }
  }

  /// Waits for the next packet, and returns its record, or nil if it has none, and its descriptor, or -1.
  ///
  /// The C function is `recvmsg`.
  ///
  /// - Returns: Nil when the other end has closed.
  private static func receive(from socket: Int32) -> (words: WireWords?, file: Int32)? {
    var words = WireWords()
    var (file, truncated): (Int32, Int32) = (-1, 0)
    let count = withUnsafeMutableBytes(of: &words) { bytes in
      platform_receive_record(socket, bytes.baseAddress, bytes.count, &file, &truncated)
    }
    guard count > 0 else { return nil }
    return (count == WireFormat.byteCount && truncated == 0 ? words : nil, file)
  }

  /// Sends a packet, waiting until the other end has room for it.
  ///
  /// The C function is `write`, as the sandbox forbids `sendmsg`.
  private static func send(_ packet: [UInt8], to socket: Int32) -> Bool {
    packet.withUnsafeBytes { bytes in
      var count: Int
      repeat {
        count = write(socket, bytes.baseAddress, bytes.count)
      } while count < 0 && errno == EINTR
      return count == bytes.count
    }
  }
}
