/// A request to the parent of picture processes: fork a process for one picture.
///
/// The process's end of a new SOCK_SEQPACKET socket is attached (SCM_RIGHTS). The process answers a
/// ``DecodingRequest`` on it, or the requests for all frames of an animation, and exits with status 0.
package struct PictureProcessRequest: Hashable, Sendable {
  /// The word that tells the record from a ``DecodingRequest``.
  private static let operation: UInt32 = 0x464F_524B

  /// The identifier that the reply repeats.
  package var id: UInt32

  /// Creates a request.
  package init(id: UInt32) { self.id = id }

  /// The record of the request.
  package var words: WireWords {
    var words = WireWords()
    (words[0], words[1], words[2]) = (WireFormat.magic, PictureProcessRequest.operation, id)
    return words
  }

  /// Parses a record, or returns nil if a word is invalid.
  package init?(words: WireWords) {
    guard words[0] == WireFormat.magic, words[1] == PictureProcessRequest.operation else { return nil }
    id = words[2]
  }
}

/// A reply of the parent of picture processes.
///
/// No descriptor is attached: Linux limits those that a user has in sockets, all programs together, by the limit of the
/// sender, which is low in the sandbox. The client opens the process by its identifier.
package struct PictureProcessReply: Hashable, Sendable {
  /// The identifier of the request.
  package var id: UInt32
  /// The identifier of the process, which is a child of the client; 0 if it could not be forked.
  package var process: Int32
  /// The error number if it could not be forked, otherwise 0.
  package var error: Int32

  /// Creates a reply.
  package init(id: UInt32, process: Int32, error: Int32 = 0) {
    self.id = id
    self.process = process
    self.error = error
  }

  /// The record of the reply.
  package var words: WireWords {
    var words = WireWords()
    (words[0], words[1]) = (WireFormat.magic, id)
    (words[2], words[3]) = (UInt32(bitPattern: process), UInt32(bitPattern: error))
    return words
  }

  /// Parses a record, or returns nil if a word is invalid.
  package init?(words: WireWords) {
    let (process, error) = (Int32(bitPattern: words[2]), Int32(bitPattern: words[3]))
    guard words[0] == WireFormat.magic, process >= 0, (process == 0) == (error > 0) else { return nil }
    self.init(id: words[1], process: process, error: error)
  }
}
