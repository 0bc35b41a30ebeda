import Glibc
import VitrineDiagnostics
import VitrineGalleryUI
import VitrineHosting

/// The gallery's settings: the common ones and its own.
struct GalleryOptions {
  /// The settings that are common to all programs.
  var common = DiagnosticOptions()
  /// The settings of the window and the run.
  var hosting: HostingOptions {
    get { common.hosting }
    set { common.hosting = newValue }
  }
  /// The number of sample photographs, if requested.
  var sampleCount: Int?
  /// The number of synthetic images without files, if requested.
  var syntheticCount: Int?
  /// The example to run instead of the gallery, if requested.
  var demo: DemoProgram?
  /// The layout of the photographs, or nil for that of the last run or a grid.
  var layout: GalleryLayoutKind?
  /// The criterion by which photographs are grouped into sections, or nil for that of the last run or none.
  var grouping: GalleryGrouping?
  /// The sort order in a section, or nil for the default.
  var sorting: GallerySorting?
  /// The number of columns of the grid, or nil for as many as fit.
  var columns: Int?
  /// The settings of the colors.
  var theme = ThemeSettings()
  /// The settings of image decoding.
  var decoding = DecodingOptions()
  /// The folder for thumbnails, previews, downloads and sample photographs, or nil for the default.
  var cacheFolder: String?
  /// Whether nothing is cached on disk.
  var isCacheDisabled = false
  /// Whether the thumbnails of all photographs are made while nothing else is done, or nil for the default: in a
  /// window.
  var makesLibraryThumbnails: Bool?
  /// The path of the verdicts, which are written instead of showing a window.
  var verdictsPath: String?
  /// Whether `--about` was given.
  var isAboutRequested = false
  /// Whether `--version` was given.
  var isVersionRequested = false
  /// Whether `--help` was given.
  var isHelpRequested = false

  /// The options of the command line, in the order of the help text.
  static var table: OptionTable<GalleryOptions> {
    var options = [
      CommandOption<GalleryOptions>(
        "--sample", "N", "show a library of N sample photographs, generated once and stored in the cache folder"
      ) { (settings, text) throws(UsageError) in
        settings.sampleCount = try OptionValue.integer(text, of: "--sample", in: 1...1_000_000)
      },
      CommandOption<GalleryOptions>(
        "--synthetic", "N", "show N synthetic images without files, generated in memory, for a million and more"
      ) { (settings, text) throws(UsageError) in
        settings.syntheticCount = try OptionValue.integer(text, of: "--synthetic", in: 1...50_000_000)
      },
      CommandOption<GalleryOptions>(
        "--demo", "NAME",
        "run an example of the library instead of the gallery, with all other options: destinations, emoji, layouts or outline"
      ) { (settings, text) throws(UsageError) in settings.demo = try OptionValue.choice(text, of: "--demo") },
      CommandOption<GalleryOptions>(
        "--layout", "NAME",
        "grid (default), justified, mosaic or list; without it, a window shows a folder as it did last"
      ) {
        (settings, text) throws(UsageError) in settings.layout = try OptionValue.choice(text, of: "--layout")
      },
      CommandOption<GalleryOptions>("--group", "NAME", "group into sections by none (default), folder or month") {
        (settings, text) throws(UsageError) in settings.grouping = try OptionValue.choice(text, of: "--group")
      },
      CommandOption<GalleryOptions>(
        "--sort", "NAME", "sort each section by name (default), date (default with --group month) or size"
      ) { (settings, text) throws(UsageError) in settings.sorting = try OptionValue.choice(text, of: "--sort") },
      CommandOption<GalleryOptions>("--columns", "N", "number of grid columns (default: as many as fit)") {
        (settings, text) throws(UsageError) in
        settings.columns = try OptionValue.integer(text, of: "--columns", in: 1...64)
      },
    ]
    options += [
      CommandOption<GalleryOptions>(
        "--theme", "NAME", "auto (default): as the desktop is set, dark with --headless; dark or light"
      ) { (settings, text) throws(UsageError) in
        settings.theme.choice = try OptionValue.choice(text, of: "--theme")
      },
      CommandOption<GalleryOptions>(
        switch: "--high-contrast", "text and borders of high contrast (default: as the desktop is set)"
      ) { $0.theme.hasHighContrast = true },
    ]
    options += DiagnosticOptions.table.map { $0.scoped(to: \.common) }
    options += DecodingOptions.table.map { $0.scoped(to: \.decoding) }
    options += [
      CommandOption<GalleryOptions>(
        "--cache-dir", "DIR", "folder for thumbnails, previews, downloads and samples"
      ) {
        (settings, text) throws(UsageError) in settings.cacheFolder = try OptionValue.path(text, of: "--cache-dir")
      },
      CommandOption<GalleryOptions>(switch: "--no-cache", "store nothing on disk") { $0.isCacheDisabled = true },
      CommandOption<GalleryOptions>(
        "--library-thumbnails", "on|off",
        "make the thumbnails of all photographs while nothing else is done (default: on in a window)"
      ) { (settings, text) throws(UsageError) in
        let choice: Switch = try OptionValue.choice(text, of: "--library-thumbnails")
        settings.makesLibraryThumbnails = choice == .on
      },
      CommandOption<GalleryOptions>(
        "--verdicts", "FILE",
        "prepare each item once and write one line per item: path, ok or error, width, height, orientation, reason"
      ) { (settings, text) throws(UsageError) in settings.verdictsPath = try OptionValue.path(text, of: "--verdicts") },
      CommandOption<GalleryOptions>(
        switch: "--about", "print versions, renderer, clock, decoders and active sandbox layers"
      ) { $0.isAboutRequested = true },
      CommandOption<GalleryOptions>(switch: "--version", "print the version") { $0.isVersionRequested = true },
      CommandOption<GalleryOptions>(switch: "--help", "print this help") { $0.isHelpRequested = true },
    ]
    return OptionTable(options)
  }

  /// The modes in which only some options have an effect.
  static var modes: [RunMode] {
    [
      RunMode(
        "--about", "prints the versions and settings",
        accepting: ["--headless", "--clock", "--cpu-scale", "--renderer", "--refresh", "--size"]),
      RunMode(
        "--verdicts", "prepares every item and opens no window",
        accepting: [
          "--headless", "--sample", "--seed", "--workers", "--decode-delay", "--cache-dir", "--no-cache",
        ]),
    ]
  }

  /// Returns the names of recorded settings that a replay's command line replaces because they are mutually exclusive.
  static func replacedOptionNames(by line: OptionTable<GalleryOptions>.Parsed) -> Set<String> {
    let options = line.settings
    var names: Set<String> = []
    if options.sampleCount != nil || options.syntheticCount != nil || !line.operands.isEmpty {
      names = ["--sample", "--synthetic"]
    }
    if line.parsedOptions.contains(where: { $0.name == "--layout" }) { names.insert("--columns") }
    return names
  }

  /// Checks that no options contradict each other.
  func validate(operandCount: Int) throws(UsageError) {
    try common.validate()
    if sampleCount != nil, operandCount > 0 {
      throw UsageError("--sample shows generated photographs and cannot be used with folders")
    }
    if syntheticCount != nil, sampleCount != nil || operandCount > 0 {
      throw UsageError("--synthetic shows images without files and cannot be used with --sample or folders")
    }
    if syntheticCount != nil, cacheFolder != nil {
      throw UsageError(
        (common.replay.map { "--replay \($0): " } ?? "")
          + "--synthetic shows images without files, which are not cached, and cannot be used with --cache-dir")
    }
    if columns != nil, let layout, layout != .grid {
      throw UsageError("--columns needs --layout grid; --layout \(layout.rawValue) has no number of columns")
    }
    if makesLibraryThumbnails == true {
      let prefix = common.replay.map { "--replay \($0): " } ?? ""
      if isCacheDisabled || syntheticCount != nil {
        throw UsageError(
          prefix + "--library-thumbnails on cannot be used with --no-cache or --synthetic: nothing is stored")
      }
      if [.virtual, .cpu].contains(hosting.clock) {
        throw UsageError(
          prefix + "--library-thumbnails on needs real time; --clock \(hosting.clock.rawValue) is simulated")
      }
    }
    if isCacheDisabled, cacheFolder != nil {
      throw UsageError("--no-cache cannot be used with --cache-dir")
    }
  }
}

/// A choice between two states.
private enum Switch: String, CaseIterable {
  case on
  case off
}

/// An example that replaces the gallery.
///
/// Each is a separate executable.
enum DemoProgram: String, CaseIterable {
  /// The destinations of the WWDC talk, in steps.
  case destinations
  /// The emoji of the tutorial, with ratings that load slowly.
  case emoji
  /// A million cards in layouts that are written outside of the library.
  case layouts
  /// An outline of regions that can be expanded, collapsed and moved.
  case outline

  /// Returns the example that a command line requests, or nil if it requests none.
  ///
  /// - Returns: The example and its arguments.
  /// - Throws: `UsageError` if the example is unknown.
  static func requestedDemo(in arguments: [[UInt8]]) throws(UsageError) -> (demo: DemoProgram, arguments: [[UInt8]])? {
    guard let (settings, rest) = try GalleryOptions.table.extractOption("--demo", arguments, into: GalleryOptions()),
      let demo = settings.demo
    else { return nil }
    return (demo, rest)
  }

  /// The name of the example's executable.
  var executableName: String { "vitrine-\(rawValue)" }

  /// Replaces this process by the example.
  ///
  /// The C functions are `readlink` and `execv`.
  ///
  /// No other thread may have been started. Blocked signals remain blocked, as the example expects.
  ///
  /// - Parameter arguments: The example's arguments.
  /// - Returns: The error, if the example cannot be started. Otherwise, the method does not return.
  func replaceProcess(_ arguments: [[UInt8]]) -> UsageError {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else {
      return UsageError(
        "--demo \(rawValue): the path of this program cannot be determined: \(String(cString: strerror(errno)))")
    }
    let own = buffer.prefix(count).map { UInt8(bitPattern: $0) }
    let folder = own[...(own.lastIndex(of: UInt8(ascii: "/")) ?? own.startIndex)]
    let path = Array(folder) + Array(executableName.utf8)
    let words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { word in
      strdup(word.map { CChar(bitPattern: $0) } + [0])
    }
    defer { for word in words { free(word) } }
    execv(path.map { CChar(bitPattern: $0) } + [0], words + [nil])
    let code = errno
    let accepted = DemoProgram.allCases.map(\.rawValue).joined(separator: ", ")
    let reason =
      code == ENOENT
      ? "\(executableName) was not found next to this program; scripts/run --demo \(rawValue) builds it"
      : "\(executableName) cannot be started: \(String(cString: strerror(code)))"
    return UsageError("--demo \(rawValue): \(reason); accepted are \(accepted)")
  }
}
