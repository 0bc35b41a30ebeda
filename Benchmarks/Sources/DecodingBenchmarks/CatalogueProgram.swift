import BenchmarkSupport
import CVitrinePlatform
import Glibc
import Synchronization
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary

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
    try TemporaryFolder.withPath { try measureArrivals(in: $0) }
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
    var (parts, opening, bytes): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<options.repeats {
      let store = CatalogueStore(directory: directory)
      let before = platform_allocated_bytes()
      let start = clock.now()
      let firstWake = Atomic<Int64>(0)
      let restoration = try CatalogueRestoration(store, roots: [try LibraryRoot(checking: root)]) {
        _ = firstWake.compareExchange(expected: 0, desired: ProcessLauncher.now, ordering: .relaxed)
      }
      restoration.waitUntilEnded()
      opening.append(Double((clock.now() - start).nanoseconds))
      parts.append(Double(firstWake.load(ordering: .relaxed) - start.nanoseconds))
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
    let part = CatalogueProgram.median(parts)
    recorder.add(words + ["first-part"], part, .nanoseconds, .measured)
    Output.line(
      "  the first photographs opened in \(FigureText.time(part)); \(CatalogueProgram.openingAim.verdict(on: part))")
    Output.line("  all opened in \(FigureText.time(open)); \(CatalogueProgram.openingAim.verdict(on: open))")
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
    let library = try LinkedLibrary(photographs: options.photographs).path(
      count, folderSize: CatalogueProgram.folderSize, in: options.libraries)
    // Until everything is read and stored.
    let cold = try launch(library, cache: folder, seconds: 5 + count / 12_500)
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
    let start = Double(ProcessLauncher.now)
    let report = try run([library, "--duration", "\(seconds)"], cache: cache)
    return (LaunchReading(start: start, report: report), report.residentBytes)
  }

  /// Runs the gallery without a window, and returns its report.
  private func run(_ arguments: [String], cache: String, meanwhile body: () -> Void = {}) throws -> LaunchReport {
    let (path, log) = ("\(cache)/launch.json", "\(cache)/launch.log")
    unlink(path)
    let words = [options.program, "--headless", "--renderer", "memory", "--size", "1280x800"]
    let status = ProcessLauncher.run(
      words + ["--cache-dir", "\(cache)/cache", "--report", path] + arguments, output: log, meanwhile: body)
    guard status == 0, let text = try ResultFile.text(of: path) else {
      throw CommandError("\(options.program): the run failed: \((try? ResultFile.text(of: log)) ?? "")")
    }
    return try LaunchReport(text, from: path)
  }

  // MARK: - Arrivals

  /// Links many files to a folder that the gallery shows, while it scrolls.
  private func measureArrivals(in folder: String) throws {
    let (before, arriving, wait, limit) = (5_000, 10_000, 4, 5)
    let library = "\(options.libraries)/arrivals"
    defer { _ = ShellCommand.output(["/bin/rm", "-rf", library]) }
    let linker = try LinkedLibrary(photographs: options.photographs)
    try linker.link(0..<before, to: "\(library)/before")
    try linker.link(0..<0, to: "\(library)/after")
    let script = "\(folder)/scroll.json"
    try ResultFile.write(
      #"{"steps": [{"wait": 3}, {"steady": {"velocity": 1200, "seconds": \#(limit + 2)}}]}"#, to: script)
    var failure: (any Error)?
    let report = try run([library, "--scroll", script, "--duration", "\(wait + limit)"], cache: folder) {
      clock.wait(until: clock.now() + .seconds(Double(wait)))
      do { try linker.link(before..<before + arriving, to: "\(library)/after") } catch { failure = error }
    }
    if let failure { throw failure }
    let (shown, hitches) = ((report.itemCount ?? 0) - before, report.hitchFigures)
    recorder.add(["catalogue", "arrivals", "own-hitches"], hitches.map { Double($0.ownCount) }, .frames, .measured)
    Output.line(
      "\(FigureText.count(arriving)) files appear while the gallery scrolls: \(FigureText.count(shown)) are shown within "
        + "\(limit) s; all \(shown == arriving ? "reached" : "MISSED")")
    guard let hitches else { return }
    Output.line(
      "  hitches caused by the work of frames: \(hitches.ownCount); "
        + "\(Aim(.count, 0).verdict(on: Double(hitches.ownCount))); by anything: \(FigureText.tenths(hitches.ratio)) ms a "
        + "second")
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

/// Folders of many files, which are hard links to a few photographs.
private struct LinkedLibrary {
  private let photographs: String
  private let names: [Substring]

  /// Lists the photographs of a folder.
  init(photographs: String) throws {
    names = ShellCommand.output(["/bin/ls", photographs])?.split(separator: "\n") ?? []
    self.photographs = photographs
    guard !names.isEmpty else { throw CommandError("\(photographs) has no files") }
  }

  /// Links photographs to names with the given numbers, in a folder that is made if it does not exist.
  ///
  /// The C function is `link`.
  func link(_ numbers: Range<Int>, to folder: String) throws {
    _ = ShellCommand.output(["/bin/mkdir", "-p", folder])
    for number in numbers {
      guard Glibc.link("\(photographs)/\(names[number % names.count])", "\(folder)/IMG_\(number).JPG") == 0 else {
        throw CommandError("\(folder): \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Returns the path of a library, and makes it if it does not exist.
  ///
  /// - Parameters:
  ///   - count: The number of files.
  ///   - folderSize: The number of files in a folder.
  ///   - folder: The folder in which the library is made.
  func path(_ count: Int, folderSize: Int, in folder: String) throws -> String {
    let library = "\(folder)/links-\(count)"
    if access(library, F_OK) == 0 { return library }
    for first in stride(from: 0, to: count, by: folderSize) {
      try link(first..<min(count, first + folderSize), to: "\(library).new/Folder \(first / folderSize)")
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
