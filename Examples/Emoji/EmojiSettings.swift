import ExampleSupport
import Hosting

/// What can be set of the emoji example.
struct EmojiSettings: ExampleSettings {
  var hosting = HostingOptions()
  var theme = ExampleTheme.dark
  /// How far the program has come.
  var step = LoadingStep.cancellingAhead
  /// How many ratings are loaded at once.
  var operations = 64
  /// How many emoji there are, where told.
  var items: Int?
  /// Whether what is asked for ahead and given up is told.
  var logs = false

  /// A script that nobody watches ends by itself once every kind of scrolling has had its turn.
  mutating func validate() throws(UsageError) {
    guard hosting.isHeadless, hosting.script != nil, hosting.duration == nil, hosting.frames == nil else { return }
    hosting.duration = ScrollScript.mixedInterval * Double(ScrollScript.mixedParts.count)
  }

  /// Its options beside those of every program.
  static var options: [CommandOption<EmojiSettings>] {
    [
      CommandOption(switch: "--log", "write to standard error what is asked for ahead, and what is given up") {
        $0.logs = true
      },
      CommandOption(
        "--step", "N",
        "1: load on display; 2: cancel when it ends; 3: load ahead as well; 4 (default): cancel that as well"
      ) { (settings, text) throws(UsageError) in
        let number = try OptionValue.integer(text, of: "--step", in: 1...LoadingStep.allCases.count)
        settings.step = LoadingStep.allCases[number - 1]
      },
      CommandOption("--operations", "N", "load so many ratings at once (default 64)") {
        (settings, text) throws(UsageError) in
        settings.operations = try OptionValue.integer(text, of: "--operations", in: 1...256)
      },
      CommandOption("--items", "N", "show so many emoji, which begin again once all were shown") {
        (settings, text) throws(UsageError) in
        settings.items = try OptionValue.integer(text, of: "--items", in: 0...10_000_000)
      },
    ]
  }
}
