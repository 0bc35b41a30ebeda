import Glibc
import VitrineDecodingProtocol
import VitrineImageMetadata
package import VitrineReadingProtocol

/// A service that reads files of other programs.
package struct ReadingService {
  /// The number of bytes of a list that are read at a time.
  private static let listPart = 1 << 16

  /// Sends a packet; returns false if the other end has closed.
  private let send: (_ packet: [UInt8]) -> Bool

  /// Creates a service.
  ///
  /// - Parameter send: A closure that sends a packet, and returns false if the other end has closed.
  package init(send: @escaping (_ packet: [UInt8]) -> Bool) { self.send = send }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - descriptor: The file, which is closed.
  /// - Returns: False if the other end has closed.
  package func answer(_ request: ReadingRequest, file descriptor: Int32) -> Bool {
    let file = OpenFile(adopting: descriptor, byteCount: request.fileBytes)
    do throws(OpenFile.ReadError) {
      switch request.operation {
      case .header: return send(try header(of: file).bytes(id: request.id))
      case .photograph: return send(try photograph(file).bytes(id: request.id))
      case .texts:
        let texts = PNGDescription(try file.read(0, PNGDescription.maximumBytes))
        let reply: ReadingReply = texts.map { .contents(ReadingContents(texts: $0)) } ?? .notRecognized
        return send(reply.bytes(id: request.id))
      case .list: return try readList(file, id: request.id)
      }
    } catch {
      return send(ReadingReply.unreadable(error.code).bytes(id: request.id))
    }
  }

  private func header(of file: borrowing OpenFile) throws(OpenFile.ReadError) -> ReadingReply {
    guard let header = try readHeader(file) else { return .notRecognized }
    return .contents(ReadingContents(header: header))
  }

  private func photograph(_ file: borrowing OpenFile) throws(OpenFile.ReadError) -> ReadingReply {
    guard let header = try readHeader(file) else { return .notRecognized }
    let settings = try CaptureSettings.read(of: header, fileBytes: file.byteCount) {
      offset, count throws(OpenFile.ReadError) in try file.read(offset, count)
    }
    return .contents(ReadingContents(header: header, settings: settings))
  }

  private func readHeader(_ file: borrowing OpenFile) throws(OpenFile.ReadError) -> ImageHeader? {
    try ImageHeader.read(fileBytes: file.byteCount) { offset, count throws(OpenFile.ReadError) in
      try file.read(offset, count)
    }
  }

  private func readList(_ file: borrowing OpenFile, id: UInt32) throws(OpenFile.ReadError) -> Bool {
    var reader = ListReader()
    var (offset, isOpen) = (0, true)
    while isOpen, !reader.isStopped, offset < file.byteCount {
      let bytes = try file.read(offset, ReadingService.listPart)
      offset += bytes.count
      bytes.withUnsafeBytes { reader.read($0) { isOpen = isOpen && send($0.bytes(id: id)) } }
    }
    guard isOpen else { return false }
    let end = reader.finish { isOpen = isOpen && send($0.bytes(id: id)) }
    return isOpen && send(ReadingReply.listEnd(end).bytes(id: id))
  }
}
