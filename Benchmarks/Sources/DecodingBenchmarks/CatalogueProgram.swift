import BenchmarkSupport
import CPlatform
import DiffableData
import FramePacing
import Geometry
import Glibc
import ImageMetadata
import PhotoLibrary

/// `bench catalogue`: the time to open the stored catalogue of a library and its memory, and the launch of the gallery with as
/// many files: the first time, when nothing is stored, and again.
struct CatalogueProgram {
  /// The aim for the time to open a catalogue, for a million photographs.
  private static let openingAim = Aim(.time, 100_000_000)
  private static let bytesAim = Aim(.bytes, 64)
  private static let residentAim = Aim(.bytes, 300_000_000)
  private static let (coldAim, warmAim) = (Aim(.time, 500_000_000), Aim(.time, 150_000_000))
  /// The number of photographs in a folder.
  private static let folderSize = 500

  private let options: CatalogueOptions
  private let recorder: FigureRecorder
  private let clock = MonotonicClock()

  /// Creates the benchmark.
  init(_ options: CatalogueOptions, recorder: FigureRecorder) {
    self.options = options
    self.recorder = recorder
  }

  /// Measures each size and prints it.
  func run() throws {
    for count in options.sizes {
      Output.line(
        "\(FigureText.count(count)) photographs in folders of \(CatalogueProgram.folderSize); medians of \(options.repeats)"
      )
      try TemporaryFolder.withPath { try measureOpening(count, in: $0) }
      try TemporaryFolder.withPath { try measureLaunches(count, in: $0) }
    }
  }

  // MARK: - Opening

  private func measureOpening(_ count: Int, in folder: String) throws {
    let root = PhotoPath("/")
    let directory = Array(folder.utf8)
    let store = CatalogueStore(directory: directory)
    let writing = try time {
      var unwritten: [FolderRecord] = []
      for first in stride(from: 0, to: count, by: CatalogueProgram.folderSize) {
        unwritten.append(CatalogueProgram.record(first..<min(count, first + CatalogueProgram.folderSize)))
        guard unwritten.count == 64 else { continue }
        try store.store(unwritten)
        unwritten = []
      }
      try store.store(unwritten)
    }
    store.close()
    var (opening, bytes): ([Double], [Double]) = ([], [])
    for _ in 0..<options.repeats {
      let store = CatalogueStore(directory: directory)
      let before = platform_allocated_bytes()
      let start = clock.now()
      let restoration = try CatalogueRestoration(store, roots: [try LibraryRoot(checking: root)])
      restoration.waitUntilEnded()
      opening.append(Double((clock.now() - start).nanoseconds))
      store.close()
      guard case .whole(let catalogue?)? = restoration.takeResult(), catalogue.count == count else {
        throw CommandError("the catalogue was not restored")
      }
      withExtendedLifetime(catalogue) {
        bytes.append((Double(platform_allocated_bytes()) - Double(before)) / Double(count))
      }
    }
    let before = platform_allocated_bytes()
    var snapshot = DiffableDataSourceSnapshot<Int, PhotoID>()
    let arranging = time {
      snapshot.appendSections([0])
      snapshot.appendItems((1...UInt32(count)).map(PhotoID.init))
    }
    let snapshotBytes = withExtendedLifetime(snapshot) {
      (Double(platform_allocated_bytes()) - Double(before)) / Double(count)
    }
    let (open, memory) = (CatalogueProgram.median(opening), CatalogueProgram.median(bytes))
    let words = ["catalogue", "\(count)"]
    recorder.add(words + ["open"], open, .nanoseconds, .measured)
    recorder.add(words + ["bytes"], memory, .bytes, .measured)
    Output.line("  written in \(FigureText.time(writing))")
    Output.line("  opened in \(FigureText.time(open)); \(CatalogueProgram.openingAim.verdict(on: open))")
    Output.line(
      "  \(FigureText.bytes(memory)) a photograph in memory; \(CatalogueProgram.bytesAim.verdict(on: memory)); the snapshot "
        + "\(FigureText.bytes(snapshotBytes)), made in \(FigureText.time(arranging))")
  }

  /// Returns the record of a folder of JPEG files of three cameras.
  private static func record(_ numbers: Range<Int>) -> FolderRecord {
    let cameras = ["NIKON D750", "Apple iPhone 12", nil]
    let folder = numbers.lowerBound / folderSize
    return FolderRecord(
      folder: PhotoPath("/home/a/Pictures/\(2000 + folder % 20)/Folder \(folder)"),
      entries: numbers.map { number in
        let captureTime = 946_684_800 + Int64(number) * 613 % 630_000_000
        var header = ImageHeader(
          format: .jpeg, storedSize: PixelSize(width: 4_000, height: 3_000), captureTime: captureTime,
          embeddedThumbnail: 400..<9_000)
        header.camera = cameras[number % 3]
        return FolderRecord.Entry(
          name: Array("IMG_\(number).JPG".utf8),
          identity: FileIdentity(
            device: 1, inode: UInt64(number) + 1, byteCount: Int64(number * 7_919 % 9_000_000),
            modificationNanoseconds: captureTime * 1_000_000_000),
          header: header)
      })
  }

  // MARK: - Launches

  private func measureLaunches(_ count: Int, in folder: String) throws {
    let library = try LinkedLibrary.path(
      count, folderSize: CatalogueProgram.folderSize, photographs: options.photographs, in: options.libraries)
    // Until everything is read and stored.
    let cold = try launch(library, cache: folder, seconds: 5 + count / 5_000)
    var (times, memory): ([Double], [Double]) = ([], [])
    for _ in 0..<options.repeats {
      let warm = try launch(library, cache: folder, seconds: 3 + count / 50_000)
      if let time = warm.reading.fullScreen { times.append(time) }
      memory.append(warm.resident)
    }
    let words = ["catalogue", "\(count)"]
    for (name, label, time, aim) in [
      ("cold", "the first time", cold.reading.fullScreen ?? .infinity, CatalogueProgram.coldAim),
      ("warm", "again", times.isEmpty ? .infinity : CatalogueProgram.median(times), CatalogueProgram.warmAim),
    ] {
      recorder.add(words + [name, "full-screen"], time, .nanoseconds, .measured)
      Output.line("  launched \(label): a full screen after \(FigureText.time(time)); \(aim.verdict(on: time))")
    }
    let resident = CatalogueProgram.median(memory)
    recorder.add(words + ["resident"], resident, .bytes, .measured)
    Output.line(
      "  resident at most \(FigureText.count(resident / 1e6)) MB, the first time \(FigureText.count(cold.resident / 1e6)) MB; "
        + "<= 300 MB \(CatalogueProgram.residentAim.isReached(by: resident) ? "reached" : "MISSED")")
  }

  private func launch(
    _ library: String, cache: String, seconds: Int
  ) throws -> (reading: LaunchReading, resident: Double) {
    let path = "\(cache)/launch.json"
    unlink(path)
    let words = [
      options.program, library, "--cache-dir", "\(cache)/cache", "--headless", "--renderer", "memory", "--size",
      "1280x800",
      "--duration", "\(seconds)", "--report", path,
    ]
    let start = Double(ProcessLauncher.now)
    guard ProcessLauncher.run(words, output: "\(cache)/launch.log") == 0, let text = try ResultFile.text(of: path)
    else {
      let log = (try? ResultFile.text(of: "\(cache)/launch.log")) ?? ""
      throw CommandError("\(options.program): the launch failed: \(log)")
    }
    let report = try LaunchReport(text, from: path)
    return (LaunchReading(start: start, report: report), report.residentBytes)
  }

  // MARK: - Measuring

  private func time(_ body: () throws -> Void) rethrows -> Double {
    let start = clock.now()
    try body()
    return Double((clock.now() - start).nanoseconds)
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

// MARK: - Folders

/// A folder of many files, which are hard links to a few photographs.
private enum LinkedLibrary {
  /// Returns the path of a library, and makes it if it does not exist.
  ///
  /// The C functions are `link` and `mkdir`.
  ///
  /// - Parameters:
  ///   - count: The number of files.
  ///   - folderSize: The number of files in a folder.
  ///   - photographs: The folder of the photographs.
  ///   - folder: The folder in which the library is made.
  static func path(_ count: Int, folderSize: Int, photographs: String, in folder: String) throws -> String {
    let library = "\(folder)/links-\(count)"
    if access(library, F_OK) == 0 { return library }
    guard let names = ShellCommand.output(["/bin/ls", photographs])?.split(separator: "\n"), !names.isEmpty else {
      throw CommandError("\(photographs) has no files")
    }
    mkdir(folder, 0o755)
    mkdir(library + ".new", 0o755)
    for number in 0..<count {
      let folder = "\(library).new/Folder \(number / folderSize)"
      if number % folderSize == 0 { mkdir(folder, 0o755) }
      guard link("\(photographs)/\(names[number % names.count])", "\(folder)/IMG_\(number).JPG") == 0 else {
        throw CommandError("\(folder): \(String(cString: strerror(errno)))")
      }
    }
    rename(library + ".new", library)
    return library
  }
}

/// A folder that exists while a closure runs.
private enum TemporaryFolder {
  /// Calls a closure with the path of a new folder.
  static func withPath(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/vitrine-catalogue.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CommandError("no folder could be made in /tmp") }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = ShellCommand.output(["/bin/rm", "-rf", path]) }
    try body(path)
  }
}
