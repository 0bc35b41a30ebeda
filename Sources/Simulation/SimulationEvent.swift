import VitrineDataStructures

/// A step of a simulated session: something that the user, the files, the decoders or the display do.
///
/// All numbers are small and independent of the state of the session, so that a session remains valid when steps are
/// removed from it: positions are thousandths of the window, and files are chosen by a number modulo the number of files.
package nonisolated struct SimulationEvent: Hashable, Sendable {
  /// The kinds of steps.
  package enum Kind: String, CaseIterable, Sendable {
    // The user.

    /// Moves the pointer: x, y.
    case move
    /// Turns the wheel: tenths of notches.
    case wheel
    /// Flicks on a trackpad: points.
    case flick
    /// Turns the wheel with Control: notches.
    case zoom
    /// Clicks: x, y, modifiers, number of clicks.
    case click
    /// Opens the context menu: x, y.
    case menu
    /// Drags: x and y of the start and of the end, frames.
    case drag
    /// Drags with a finger: x, y, points across, points down.
    case touch
    /// Presses a key: modifiers, repetitions; the name of the key.
    case key
    /// Types a text.
    case type
    /// Replaces the text of the search field; `-` is the empty text.
    case search
    /// Drops a library on the window: its number.
    case open

    // The window and the display.

    /// Resizes the window: width, height in points.
    case resize
    /// Changes the scale of the display: per cent.
    case scale
    /// Hides the window.
    case hide
    /// Shows the window again.
    case show
    /// Moves the window to a display with another refresh rate: hertz.
    case refresh
    /// Loses the content of all textures.
    case lose
    /// Draws everything again.
    case expose
    /// Runs short of memory.
    case memory
    /// Changes the colors: the number of the theme.
    case theme
    /// Stops the process: milliseconds.
    case stall
    /// Delays the next presents: milliseconds, number of presents.
    case present
    /// Lets the next textures fail: number of textures.
    case refuse
    /// Cancels all presses.
    case cancel
    /// Moves the pointer out of the window.
    case leave

    // The files.

    /// Adds files: folder, number of files, kind of the files.
    case add
    /// Writes a file again: file, kind.
    case write
    /// Begins to write a file: folder.
    case begin
    /// Completes the files that are being written.
    case finish
    /// Removes files: first file, number of files.
    case remove
    /// Renames a file: file.
    case rename
    /// Creates a folder with files: folder that contains it, number of files.
    case folder
    /// Removes a folder: folder.
    case vanish
    /// Brings the folder back that was removed last.
    case restore
    /// Takes the disk of a folder away: folder.
    case unmount
    /// Brings all disks back.
    case mount
    /// Loses notifications of changes, so that everything is read again.
    case overflow

    // The decoders.

    /// Changes what decoders do: the number of the mode.
    case decode

    // The network.

    /// Changes what the network and the server of the list do: the number of the mode.
    case network

    // The checks.

    /// Waits until nothing happens any more, and checks what must be true then.
    case rest

    /// The number of numbers, and whether a word follows.
    var shape: (numbers: Int, hasWord: Bool) {
      switch self {
      case .hide, .show, .lose, .expose, .memory, .cancel, .leave, .finish, .restore, .mount, .overflow, .rest:
        (0, false)
      case .wheel, .flick, .zoom, .scale, .refresh, .theme, .stall, .refuse, .begin, .rename, .vanish, .unmount,
        .decode, .open, .network:
        (1, false)
      case .move, .menu, .resize, .present, .write, .remove, .folder: (2, false)
      case .add: (3, false)
      case .click, .touch: (4, false)
      case .drag: (5, false)
      case .key: (2, true)
      case .type, .search: (0, true)
      }
    }

    /// Whether the user does it, so that the selection and the scroll position may change.
    var isInput: Bool {
      switch self {
      case .move, .wheel, .flick, .zoom, .click, .menu, .drag, .touch, .key, .type, .search, .open: true
      default: false
      }
    }
  }

  /// The time since the last step, in milliseconds.
  package var delay: Int
  /// The kind of the step.
  package var kind: Kind
  /// The numbers of the step.
  package var numbers: [Int]
  /// The word of the step, or an empty one.
  package var word: String

  /// Creates a step.
  ///
  /// Missing numbers are zero.
  package init(after delay: Int = 0, _ kind: Kind, _ numbers: Int..., word: String = "") {
    self.init(after: delay, kind, numbers: numbers, word: word)
  }

  init(after delay: Int, _ kind: Kind, numbers: [Int], word: String) {
    self.delay = max(0, delay)
    self.kind = kind
    self.numbers = (0..<kind.shape.numbers).map { $0 < numbers.count ? numbers[$0] : 0 }
    self.word = kind.shape.hasWord ? word : ""
  }

  /// The line of a script.
  package var line: String {
    ([String(delay), kind.rawValue] + numbers.map(String.init) + (word.isEmpty ? [] : [word])).joined(separator: " ")
  }

  /// Creates the step of a line, or returns nil if it is none.
  package init?(line: some StringProtocol) {
    let words = String(line).split(separator: " " as Character).map { String($0) }
    guard words.count >= 2, let delay = Int(words[0]), delay >= 0, let kind = Kind(rawValue: words[1]) else {
      return nil
    }
    let shape = kind.shape
    guard words.count == 2 + shape.numbers + (shape.hasWord ? 1 : 0) else { return nil }
    let numbers = words[2..<2 + shape.numbers].compactMap { Int($0) }
    guard numbers.count == shape.numbers else { return nil }
    self.init(after: delay, kind, numbers: numbers, word: shape.hasWord ? words[2 + shape.numbers] : "")
  }
}

/// A simulated session: how the gallery starts, and the steps.
package nonisolated struct SimulationScript: Hashable, Sendable {
  /// How a session starts.
  package struct Settings: Hashable, Sendable {
    /// The number of files at the start.
    package var files = 60
    /// The number of folders at the start, without the root.
    package var folders = 3
    /// The size of the window in points.
    package var width = 640
    package var height = 480
    /// The numbers of the layout, the grouping and the order.
    package var layout = 0
    package var grouping = 0
    package var sorting = 0
    /// The limit of the image cache in MiB.
    package var cache = 16
    /// The number of workers that decode.
    package var workers = 2
    /// The time between two batches of a scan, in milliseconds.
    package var gap = 10
    /// The number that the names, sizes and dates of files depend on.
    package var seed = 1

    /// Creates the settings of a small library.
    package init() {}

    static let names: [(String, any WritableKeyPath<Settings, Int> & Sendable)] = [
      ("files", \.files), ("folders", \.folders), ("width", \.width), ("height", \.height), ("layout", \.layout),
      ("grouping", \.grouping), ("sorting", \.sorting), ("cache", \.cache), ("workers", \.workers), ("gap", \.gap),
      ("seed", \.seed),
    ]
  }

  /// How the session starts.
  package var settings: Settings
  /// The steps.
  package var events: [SimulationEvent]

  /// Creates a session.
  package init(_ settings: Settings = Settings(), _ events: [SimulationEvent]) {
    (self.settings, self.events) = (settings, events)
  }

  /// The simulated time of the steps, in milliseconds.
  package var milliseconds: Int { events.reduce(0) { $0 + $1.delay } }

  /// The text of the script: the settings in one line, and a line for each step.
  package var text: String {
    let start = Settings.names.map { "\($0.0)=\(settings[keyPath: $0.1])" }.joined(separator: " ")
    return ([start] + events.map(\.line)).joined(separator: "\n") + "\n"
  }

  /// Creates the session of a text, or returns nil if a line is invalid.
  ///
  /// Empty lines, and those that begin with `#`, are ignored.
  package init?(text: String) {
    var lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.allSatisfy(\.isWhitespace) }
    guard !lines.isEmpty else { return nil }
    var settings = Settings()
    for word in lines.removeFirst().split(separator: " ") {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let value = Int(parts[1]),
        let path = Settings.names.first(where: { $0.0 == parts[0] })?.1
      else { return nil }
      settings[keyPath: path] = value
    }
    let events = lines.compactMap { SimulationEvent(line: $0) }
    guard events.count == lines.count else { return nil }
    self.init(settings, events)
  }
}
