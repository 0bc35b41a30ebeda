import CVitrinePlatform
import Foundation
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

/// A reader whose first process lies, or whose processes attack, and a file whose name no other test uses.
private final class HostileFixture {
  let reader: FileReader
  let file: Int32
  private let folder: TemporaryFolder
  private let name = UUID().uuidString

  /// Creates a reader whose first process tells a lie.
  convenience init(lie: String, timeout: FrameDuration = .seconds(3_600)) throws {
    try self.init(timeout) { try FakeHelper.writeReader(in: $0, lie: lie) }
  }

  /// Creates a reader whose processes try an attack.
  convenience init(attack: FakeHelper.Behavior, timeout: FrameDuration) throws {
    try self.init(timeout) { try FakeHelper.writeReader(in: $0, attack: attack) }
  }

  private init(_ timeout: FrameDuration, write: (TemporaryFolder) throws -> String) throws {
    folder = try TemporaryFolder()
    reader = FileReader(executable: try write(folder), timeout: timeout)
    // As the program opens files.
    let memory = platform_open_memory(name)
    defer { close(memory) }
    file = open("/proc/self/fd/\(memory)", O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
  }

  deinit { close(file) }

  func read(_ operation: ReadingRequest.Operation = .header) throws -> ReadingContents? {
    try reader.read(operation, of: file, byteCount: 100)
  }

  /// Reads a list, and returns its entries.
  func readList() throws -> (entries: [ListEntry], end: ListEnd) {
    var entries: [ListEntry] = []
    let end = try reader.readList(file, byteCount: 100, shouldContinue: { true }) { entries += $0.entries }
    return (entries, end)
  }

  /// Checks that the file is read right now, by the process of a number, and that it is open once.
  func expectHonesty(of process: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try read()?.header?.storedSize?.width == 3, sourceLocation: sourceLocation)
    #expect(reader.startedCount == process, sourceLocation: sourceLocation)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    #expect(open.count { $0.contains(name) } == 1, sourceLocation: sourceLocation)
  }
}

/// The attacks on more than the memory that a decoding process shares, and its other socket.
private let sandboxAttacks: [FakeHelper.Behavior] = FakeHelper.Behavior.attacks.filter {
  ![
    .persists, .waitsForAnotherPicture, .answersForTheNext, .exitsWithStatus, .crashesAfterReply, .poisonsMemory,
    .poisonsSlot, .poisonsInterruption, .drawsAfterReply, .removesSlot, .growsSlot, .usesControlSocket,
    .liesAboutTheSource,
  ].contains($0)
}

@Suite("Reading processes that lie, and that attack")
struct HostileReaderTests {
  private static let hanging: FrameDuration = .milliseconds(300)

  @Test(
    "A packet that answers no request is noticed, and the next file is read right by another process",
    arguments: [
      "otherRequest", "earlierRequest", "randomBytes", "shortPacket", "bytesAfterTheEnd", "longPacket",
      "sendsDescriptor", "sendsManyDescriptors", "unknownKind", "errorOfZero", "negativeError", "unknownParts",
      "noParts", "unknownFormat", "unknownFlags", "unknownOrientation", "unknownRating", "unknownMark",
      "previewAfterTheFile", "previewAfterAllNumbers", "previewOfUnsignedSize", "settingsNaN", "texts", "listEnd",
      "oneEntry",
    ])
  func packets(lie: String) throws {
    let fixture = try HostileFixture(lie: lie)
    #expect(throws: FileReadingError.fault(.invalidReply)) { try fixture.read() }
    try fixture.expectHonesty(of: 2)
  }

  @Test(
    "An answer to another kind of request is noticed",
    arguments: [
      (.photograph, "texts"), (.photograph, "listEnd"), (.photograph, "oneEntry"), (.texts, "header"),
      (.texts, "textsWithoutSize"), (.texts, "missingTexts"), (.texts, "listEnd"),
    ] as [(ReadingRequest.Operation, String)])
  func kinds(operation: ReadingRequest.Operation, lie: String) throws {
    let fixture = try HostileFixture(lie: lie)
    #expect(throws: FileReadingError.fault(.invalidReply)) { try fixture.read(operation) }
    try fixture.expectHonesty(of: 2)
  }

  @Test(
    "Values that no file can state are left out",
    arguments: [
      "noWidth", "noHeight", "latestTime", "earliestTime", "latitudeBeyondThePole", "negativeLongitude", "longCamera",
    ])
  func values(lie: String) throws {
    let fixture = try HostileFixture(lie: lie)
    let header = try #require(try fixture.read()?.header)
    #expect((header.storedSize == nil) == ["noWidth", "noHeight"].contains(lie))
    #expect((header.captureTime == nil) == lie.hasSuffix("Time") && header.location == nil)
    #expect((header.camera?.utf8.count ?? 510) == 510)
  }

  @Test(
    "Numbers of the camera that no file can state are left out",
    arguments: ["settingsNaN", "settingsInfinite", "settingsNegative", "settingsHuge", "settingsTiny", "longLens"])
  func settings(lie: String) throws {
    let fixture = try HostileFixture(lie: lie)
    let settings = try #require(try fixture.read(.photograph)?.settings)
    var rest = CaptureSettings()
    rest.lens = settings.lens
    #expect(settings == rest && settings.lens?.utf8.count == (lie == "longLens" ? 510 : 3))
  }

  @Test(
    "A process that ends costs one file",
    arguments: ["exits", "crashes", "closesSocket", "emptyPacket"])
  func ends(lie: String) throws {
    let fixture = try HostileFixture(lie: lie)
    #expect(throws: FileReadingError.fault(.exited)) { try fixture.read() }
    try fixture.expectHonesty(of: 2)
    let list = try HostileFixture(lie: lie)
    #expect(throws: FileReadingError.fault(.exited)) { try list.readList() }
    try list.expectHonesty(of: 2)
  }

  @Test("A process that does not answer costs one file and its time", arguments: ["hangs", "stops", "spins"])
  func hangs(lie: String) throws {
    let fixture = try HostileFixture(lie: lie, timeout: Self.hanging)
    #expect(throws: FileReadingError.fault(.timedOut)) { try fixture.read() }
    try fixture.expectHonesty(of: 2)
  }

  @Test("An answer that no request waits for ends the process", arguments: ["repliesTwice", "answersTheNextToo"])
  func surplus(lie: String) throws {
    let fixture = try HostileFixture(lie: lie)
    try fixture.reader.withProcess { process throws(FileReadingError) in
      try process.send(ReadingRequest(.header, fileBytes: 100), file: fixture.file)
      #expect(process.isReusable == false)
      _ = try process.receiveReply()
      // Until the second one is there.
      while process.isReusable { sched_yield() }
    }
    try fixture.expectHonesty(of: 2)
  }

  @Test(
    "A packet that is no part of a list is noticed, and the next file is read right by another process",
    arguments: [
      "header", "texts", "notRecognized", "batchWithoutEntries", "batchOfOtherRequest", "batchOfFewerEntries",
      "batchOfMoreEntries", "unknownEnding", "negativeSurplus", "hugeSurplus", "longAddress", "longTitle",
      "unknownEntryMark", "entryWithoutWidth", "lateDate", "earlyDate", "negativeLikes", "sendsDescriptor",
    ])
  func lists(lie: String) throws {
    let fixture = try HostileFixture(lie: lie)
    #expect(throws: FileReadingError.fault(.invalidReply)) { try fixture.readList() }
    try fixture.expectHonesty(of: 2)
  }

  @Test("A list that never ends ends at the maximum number of entries")
  func endlessList() throws {
    let fixture = try HostileFixture(lie: "batchesEndlessly")
    var count = 0
    #expect(throws: FileReadingError.fault(.invalidReply)) {
      try fixture.reader.readList(fixture.file, byteCount: 100, shouldContinue: { true }) { count += $0.entries.count }
    }
    #expect(count == ListEntry.maximumCount)
    try fixture.expectHonesty(of: 2)
  }

  @Test("Texts of a list are repaired, and bytes after its end are not read")
  func repairedLists() throws {
    let title = try HostileFixture(lie: "titleToRepair").readList().entries.first?.title
    #expect(title?.unicodeScalars.count == 341 && title?.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" } == true)
    let fixture = try HostileFixture(lie: "batchAfterTheEnd")
    #expect(try fixture.readList().entries.count == 1)
    try fixture.expectHonesty(of: 2)
  }

  @Test(
    "A process that ends or stops in the middle of a list costs the rest of it",
    arguments: ["exitsInTheMiddle", "hangsInTheMiddle", "stopsInTheMiddle"])
  func middle(lie: String) throws {
    let isEnd = lie == "exitsInTheMiddle"
    let fixture = try HostileFixture(lie: lie, timeout: isEnd ? .seconds(3_600) : Self.hanging)
    var count = 0
    #expect(throws: FileReadingError.fault(isEnd ? .exited : .timedOut)) {
      try fixture.reader.readList(fixture.file, byteCount: 100, shouldContinue: { true }) { count += $0.entries.count }
    }
    #expect(count == 1)
    try fixture.expectHonesty(of: 2)
  }

  @Test("A list is read by a process that has read nothing else, and that reads nothing after it")
  func processOfList() throws {
    let fixture = try HostileFixture(lie: "header")
    _ = try fixture.read()
    #expect(try fixture.readList().end.ending == .complete)
    #expect(fixture.reader.startedCount == 2)
    // By the first one.
    try fixture.expectHonesty(of: 2)
  }

  @Test("A process is replaced after a number of files")
  func replacement() throws {
    let fixture = try HostileFixture(lie: "header")
    for _ in 0..<ReaderProcess.maximumRequests { _ = fixture.reader.header(of: fixture.file, byteCount: 100) }
    #expect(fixture.reader.startedCount == 1)
    // The honest program answers a second file too.
    try fixture.expectHonesty(of: 2)
  }

  @Test("No attack of a reading process succeeds in the real sandbox", arguments: sandboxAttacks)
  func attacks(behavior: FakeHelper.Behavior) throws {
    let fixture = try HostileFixture(
      attack: behavior, timeout: behavior == .spins ? Self.hanging : .seconds(3_600))
    for _ in 0..<3 {
      if behavior == .spins {
        #expect(throws: FileReadingError.fault(.timedOut)) { try fixture.read() }
      } else {
        try fixture.expectHonesty(of: 1)
      }
    }
  }

  @Test("The reading program has the filters of the processes that attack here")
  func filters() throws {
    let file = platform_open_memory("empty")
    defer { close(file) }
    #expect(FileReader().header(of: file, byteCount: 0) == nil)
    try FileReader().withProcess { process throws(FileReadingError) in
      #expect(filterCount(of: process.number) == filterCount(of: getpid()).map { $0 + 2 })
    }
  }

  /// Returns the number of filters of system calls of a process, or nil if the kernel does not report it.
  private func filterCount(of process: pid_t) -> Int? {
    let status = try? String(decoding: Data(contentsOf: URL(filePath: "/proc/\(process)/status")), as: UTF8.self)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("Seccomp_filters:") }
    return line.flatMap { Int($0.dropFirst(16).trimmingCharacters(in: .whitespaces)) }
  }
}
