import CVitrinePlatform
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrineImagePipeline
import VitrineReadingProtocol
import VitrineTestSupport

@testable import VitrineFileReading

/// A file in memory, and programs in a temporary folder.
private final class ReadingFixture {
  let file: Int32
  let byteCount: Int64
  private var folder = Array("/tmp/vitrine-reading.XXXXXX".utf8CString)

  init(_ contents: [UInt8] = []) throws {
    file = platform_open_memory("file")
    byteCount = Int64(contents.count)
    try #require(contents.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == contents.count)
    try #require(mkdtemp(&folder) != nil)
  }

  deinit {
    close(file)
    let path = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    unlink(path + "/reader")
    rmdir(path)
  }

  /// Writes a program that greets as a reading process does and then runs Perl statements, with its socket in `$s`.
  func program(_ statements: String) throws -> String {
    let path = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/reader"
    let text = """
      #!/usr/bin/perl
      open(my $s, "+<&=", 3); syswrite($s, pack("VV", 0x56528001, 0));
      \(statements)
      """
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
    try #require(text.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) } != nil)
    close(descriptor)
    return path
  }
}

/// A PNG file of 3 x 2 pixels with a text and no pixels.
private let png: [UInt8] =
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  + chunk("IHDR", [0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0]) + chunk("tEXt", Array("Thumb::URI\0file:///a".utf8))
  + chunk("IDAT", [])

private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
  [0, 0, 0, UInt8(content.count)] + Array(name.utf8) + content + [0, 0, 0, 0]
}

@Suite("Reading files in another process")
struct FileReaderTests {
  @Test("Headers and texts are read by one confined process, which opens no file, and lists by others")
  func files() throws {
    let reader = FileReader()
    let picture = try ReadingFixture(png)
    #expect(reader.header(of: picture.file, byteCount: picture.byteCount)?.size == PixelSize(width: 3, height: 2))
    let texts = reader.texts(of: picture.file, byteCount: picture.byteCount)
    #expect(texts?.texts == [PNGDescription.Text(keyword: "Thumb::URI", value: "file:///a")])
    let photograph = try reader.read(.photograph, of: picture.file, byteCount: picture.byteCount)
    #expect(photograph?.header?.format == .png && photograph?.settings == nil)
    let other = try ReadingFixture(Array("no picture".utf8))
    #expect(try reader.read(.header, of: other.file, byteCount: other.byteCount) == nil)
    #expect(reader.texts(of: other.file, byteCount: other.byteCount) == nil)
    let list = try ReadingFixture(Array(#"{"items": [{"url": "a"}, {"url": "b"}, 7]}"#.utf8))
    var addresses: [String?] = []
    let end = try reader.readList(list.file, byteCount: list.byteCount, shouldContinue: { true }) {
      addresses += $0.entries.map(\.address)
    }
    #expect(addresses == ["a", "b"] && end.ending == .complete && end.notObjects == 1)
    // A descriptor that cannot be read is an error of the file, not of the process.
    let pipe = platform_open_memory("closed")
    defer { close(pipe) }
    let writeOnly = open("/proc/self/fd/\(pipe)", O_WRONLY)
    defer { close(writeOnly) }
    #expect(throws: FileReadingError.unreadable(EBADF)) {
      try reader.read(.header, of: writeOnly, byteCount: 9)
    }
    // So is one that has become shorter since it was opened: it is not known to be no picture.
    #expect(throws: FileReadingError.unreadable(EIO)) {
      try reader.read(.header, of: other.file, byteCount: other.byteCount + 4_000)
    }
    #expect(throws: FileReadingError.unreadable(EIO)) {
      try reader.readList(list.file, byteCount: list.byteCount + 1, shouldContinue: { true }) { _ in }
    }
    #expect(reader.startedCount == 3)
    try reader.withProcess { process throws(FileReadingError) in
      #expect(process.layers.isSuperset(of: [.descriptors, .privileges, .capabilities, .systemCalls]))
    }
  }

  @Test("A process that ends, lies or does not answer costs one file, and another process reads the next")
  func faults() throws {
    let picture = try ReadingFixture(png)
    let faults: [(statements: String, error: DecodingProcessError)] = [
      ("sysread($s, $_, 128);", .exited),
      ("sysread($s, $_, 128); kill(9, $$);", .exited),
      ("sysread($s, $_, 128); syswrite($s, 'x' x 70000); sysread($s, $_, 128);", .invalidReply),
      ("sysread($s, $_, 128); syswrite($s, 'nonsense'); sysread($s, $_, 128);", .invalidReply),
      ("sysread($s, $_, 128); sysread($s, $_, 128);", .timedOut),
    ]
    for (statements, error) in faults {
      let program = try ReadingFixture()
      let timeout = FrameDuration.milliseconds(error == .timedOut ? 20 : 5_000)
      let reader = FileReader(executable: try program.program(statements), timeout: timeout)
      #expect(throws: FileReadingError.fault(error)) {
        try reader.read(.header, of: picture.file, byteCount: picture.byteCount)
      }
      #expect(throws: FileReadingError.fault(error)) {
        try reader.readList(picture.file, byteCount: picture.byteCount, shouldContinue: { true }) { _ in }
      }
      withExtendedLifetime(program) { #expect(reader.startedCount == 2) }
    }
  }

  @Test("A program that is missing or does not start is named, and is not started for each file")
  func unavailable() throws {
    let picture = try ReadingFixture(png)
    for path in ["/missing/vitrine-read", "/bin/true"] {
      let reader = FileReader(executable: path)
      for _ in 0..<3 {
        let error = #expect(throws: FileReadingError.self) {
          try reader.read(.header, of: picture.file, byteCount: picture.byteCount)
        }
        guard case .unavailable? = error else {
          Issue.record("\(path): \(String(describing: error))")
          continue
        }
      }
      #expect(reader.startedCount == (path == "/bin/true" ? 1 : 0))
      #expect(reader.header(of: picture.file, byteCount: picture.byteCount) == nil)
    }
  }

  @Test("A program that no process can run, or that greets wrongly, is unavailable")
  func unusablePrograms() throws {
    let picture = try ReadingFixture(png)
    let folder = try TemporaryFolder()
    let programs = [
      try folder.writeExecutable("", to: "empty"),
      try folder.writeExecutable("#!/bin/sh\nprintf 'greeting' >&3\nexec sleep 60", to: "wrong"),
    ]
    for path in programs {
      let error = #expect(throws: FileReadingError.self) {
        try FileReader(executable: path).read(.header, of: picture.file, byteCount: picture.byteCount)
      }
      guard case .unavailable? = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
    }
  }

  @Test("A process that has failed takes no further request")
  func afterFailure() throws {
    let picture = try ReadingFixture(png)
    let program = try ReadingFixture()
    let reader = FileReader(executable: try program.program("sysread($s, $_, 128);"))
    try reader.withProcess { process throws(FileReadingError) in
      let request = ReadingRequest(.header, fileBytes: UInt64(picture.byteCount))
      try process.send(request, file: picture.file)
      #expect(throws: FileReadingError.fault(.exited)) { try process.receiveReply() }
      #expect(!process.isUsable)
      #expect(throws: FileReadingError.fault(.exited)) { try process.send(request, file: picture.file) }
    }
    withExtendedLifetime(program) {}
  }

  @Test("Two processes are kept, and one that has ended meanwhile is replaced")
  func keptProcesses() throws {
    let picture = try ReadingFixture(png)
    let reader = FileReader()
    for count in [3, 4] {
      try reader.withProcess { _ throws(FileReadingError) in
        try reader.withProcess { _ throws(FileReadingError) in
          try reader.withProcess { _ throws(FileReadingError) in #expect(reader.startedCount == count) }
        }
      }
    }
    try reader.withProcess { process throws(FileReadingError) in
      try reader.withProcess { other throws(FileReadingError) in
        for number in [process.number, other.number] {
          kill(number, SIGKILL)
          waitid(P_PID, id_t(number), nil, WEXITED | WNOWAIT)
        }
      }
    }
    #expect(reader.header(of: picture.file, byteCount: picture.byteCount) != nil && reader.startedCount == 5)
  }

  @Test("A process that ends while it is kept is replaced")
  func endedProcess() throws {
    let picture = try ReadingFixture(png)
    let reader = FileReader()
    var number: pid_t = 0
    try reader.withProcess { process throws(FileReadingError) in number = process.number }
    kill(number, SIGKILL)
    waitid(P_PID, id_t(number), nil, WEXITED | WNOWAIT)
    #expect(reader.header(of: picture.file, byteCount: picture.byteCount) != nil && reader.startedCount == 2)
  }

  @Test("Each error is a sentence of its own")
  func descriptions() {
    let errors: [FileReadingError] = [
      .unavailable(.executableMissing), .unavailable(.notReady), .fault(.timedOut), .fault(.exited),
      .unreadable(EACCES), .cancelled,
    ]
    #expect(Set(errors.map(\.description)).count == errors.count)
    #expect(FileReadingError.unreadable(EACCES).description == "cannot be read: Permission denied")
  }

  @Test("A list that is waited for is abandoned too")
  func cancelledWhileWaiting() throws {
    let list = try ReadingFixture(png)
    let program = try ReadingFixture()
    let reader = FileReader(
      executable: try program.program("sysread($s, $_, 128); sysread($s, $_, 128);"), timeout: .seconds(3_600))
    var count = 0
    #expect(throws: FileReadingError.cancelled) {
      try reader.readList(
        list.file, byteCount: list.byteCount,
        shouldContinue: {
          count += 1
          return count < 3
        }, onBatch: { _ in })
    }
    withExtendedLifetime(program) { #expect(count == 3) }
  }

  @Test("An abandoned list ends its process, and an endless one does not keep the caller")
  func cancelled() throws {
    let list = try ReadingFixture(
      Array(("{\"items\": [" + Array(repeating: "{\"url\": \"a\"}", count: 9_000).joined(separator: ",") + "]}").utf8))
    let reader = FileReader()
    var count = 0
    #expect(throws: FileReadingError.cancelled) {
      try reader.readList(list.file, byteCount: list.byteCount, shouldContinue: { count == 0 }) {
        count += $0.entries.count
      }
    }
    #expect(count == 64 && reader.startedCount == 1)
    #expect(reader.header(of: list.file, byteCount: list.byteCount) == nil && reader.startedCount == 2)
  }
}
