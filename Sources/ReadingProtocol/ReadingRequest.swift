package import VitrineDecodingProtocol

/// A request to a reading process.
///
/// A request is one record on the socket, with the descriptor of a file attached (SCM_RIGHTS). It is answered by one
/// ``ReadingReply``, and for ``Operation/list`` by any number of ``ListBatch`` before that. Requests are answered in the
/// order in which they were sent.
package struct ReadingRequest: Hashable, Sendable {
  /// What to read.
  package enum Operation: UInt32, CaseIterable, Sendable {
    /// The header of a picture.
    case header = 1
    /// The header of a picture and the settings of the camera.
    case photograph = 2
    /// The size and the texts of a PNG file, such as a thumbnail of another program.
    case texts = 3
    /// A list of pictures.
    case list = 4
  }

  /// The first word of every record, which identifies the protocol version.
  private static let magic: UInt32 = 0x5652_0001

  /// The number that the reply repeats.
  package var id: UInt32
  /// What to read.
  package var operation: Operation
  /// The length of the file in bytes when it was opened; further bytes are not read.
  package var fileBytes: UInt64

  /// Creates a request.
  package init(_ operation: Operation, fileBytes: UInt64, id: UInt32 = 0) {
    self.id = id
    self.operation = operation
    self.fileBytes = fileBytes
  }

  /// The record of the request.
  package var words: WireWords {
    var words = WireWords()
    (words[0], words[1]) = (ReadingRequest.magic, operation.rawValue)
    (words[2], words[3]) = (UInt32(truncatingIfNeeded: fileBytes), UInt32(truncatingIfNeeded: fileBytes >> 32))
    words[4] = id
    return words
  }

  /// Parses a record, or returns nil if a word is invalid.
  package init?(words: WireWords) {
    guard words[0] == ReadingRequest.magic, let operation = Operation(rawValue: words[1]) else { return nil }
    self.operation = operation
    id = words[4]
    fileBytes = UInt64(words[2]) | UInt64(words[3]) << 32
  }
}

/// The first packet of a reading process, which signals that it is ready.
package struct ReadingGreeting: Hashable, Sendable {
  private static let magic: UInt32 = 0x5652_8001

  /// The layers that confine the process.
  package var layers: SandboxLayers

  /// Creates a greeting.
  package init(layers: SandboxLayers) { self.layers = layers }

  /// The packet.
  package var bytes: [UInt8] {
    var writer = PacketWriter()
    writer.append(ReadingGreeting.magic)
    writer.append(layers.rawValue)
    return writer.bytes
  }

  /// Parses a packet, or returns nil if it is invalid.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = PacketReader(bytes)
    guard reader.number(UInt32.self) == ReadingGreeting.magic, let layers = reader.number(UInt32.self), reader.isAtEnd
    else { return nil }
    self.layers = SandboxLayers(rawValue: layers).intersection(.all)
  }
}

/// The launch of a reading process.
package enum ReadingLaunch {
  /// The name of the executable.
  package static let executableName = "vitrine-read"
  /// The maximum length of a packet that a reading process sends, in bytes.
  package static let maximumPacketBytes = 1 << 16
}
