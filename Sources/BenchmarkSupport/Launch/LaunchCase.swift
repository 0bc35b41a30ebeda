/// What the gallery is launched with.
public struct LaunchCase: Hashable, Sendable {
  /// The words of the figures' names.
  public let words: [String]
  /// What it is, in the table.
  public let label: String
  /// What the program is told.
  public let arguments: [String]

  /// The cases of a benchmark: items without files, and a folder, headless and, where asked for, in a window.
  public static func all(_ options: LaunchOptions) -> [LaunchCase] {
    let libraries = [
      ("synthetic", "\(FigureText.count(options.items)) items without files", ["--synthetic", "\(options.items)"]),
      ("folder", "a folder", [options.folder]),
    ]
    let places = [("headless", "headless", ["--headless"])] + (options.hasWindow ? [("window", "in a window", [])] : [])
    return places.flatMap { place in
      libraries.map { library in
        LaunchCase(
          words: ["launch", library.0, place.0], label: "\(library.1), \(place.1)",
          // What an earlier launch kept would make the next one another case.
          arguments: place.2 + ["--no-cache", "--size", "1280x800", "--renderer", "memory"] + library.2)
      }
    }
  }
}
