import CollectionLayout
import CollectionUI
import ExampleSupport
import FramePacing
import Glibc
import Hosting
import Rendering
import TestSupport
import Testing
import Views

@Suite("An example's program: its options, its run, its end")
struct ExampleProgramTests {
  /// What becomes of an example's run, as a test sees it.
  final class Diary {
    var settings: Sheet.Settings?
    var isJoined = false
    var isEnded = false
    var frames = 0
  }

  /// An example of nothing.
  final class Sheet: Example, FrameParticipant {
    struct Settings: ExampleSettings {
      var hosting = HostingOptions()
      var theme = ExampleTheme.dark
      var count = 1
      var diary: Diary?

      mutating func validate() throws(UsageError) {
        guard count != 7 else { throw UsageError("--count 7: no seven") }
      }
    }

    static let name = "sheet"
    static let title = "Sheet"
    static let summary = "Shows nothing."
    static let options = [
      CommandOption<Settings>("--count", "N", "how many") { (settings, text) throws(UsageError) in
        settings.count = try OptionValue.integer(text, of: "--count", in: 0...99)
      }
    ]

    let collectionView = CollectionView(layout: GridLayout(columns: .count(2)))
    var root: View { collectionView }
    private let diary: Diary?

    init(_ settings: Settings, host: Host) {
      diary = settings.diary
      diary?.settings = settings
    }

    func join(_ window: Window, _ loop: CommitLoop) {
      diary?.isJoined = true
      #expect(window.firstResponder === collectionView)
      window.addParticipant(self)
    }

    func frameDidEnd(_ record: FrameRecord) { diary?.frames += 1 }
    func end() { diary?.isEnded = true }
  }

  private func run(_ words: String...) -> Int32 {
    ExampleProgram<Sheet>(launch: MonotonicClock.now()).run(words.map { Array($0.utf8) })
  }

  @Test("What cannot be carried out ends with status 2")
  func statuses() {
    #expect(run("--nonsense") == 2)
    #expect(run("--count", "100") == 2)
    #expect(run("--count", "7") == 2)
    #expect(run("folder") == 2)
    #expect(run("--theme", "mauve") == 2)
    #expect(run("--headless", "--clock", "vsync") == 2)
    #expect(run("--report", "/absent/report") == 2)
  }

  @Test("A run on a host joins, shows its frames by the options, and ends")
  func show() throws {
    var settings = Sheet.Settings()
    let diary = Diary()
    settings.diary = diary
    settings.hosting.isHeadless = true
    settings.hosting.clock = .virtual
    settings.hosting.frames = 5
    settings.hosting.preparesCellsAhead = false
    settings.hosting.cellCost = 3
    settings.hosting.reducesMotion = true
    let host = try Host(options: settings.hosting, title: Sheet.title)
    defer { host.close() }
    let sheet = Sheet(settings, host: host)
    #expect(try sheet.run(on: host, theme: .light) == 0)
    #expect(diary.isJoined && diary.frames == 5 && diary.settings?.count == 1)
    let view = sheet.collectionView
    #expect(!view.isCellPrefetchingEnabled && view.reducesMotion && view.addedCellCost == .milliseconds(3))
    #expect(view.indicator.color == ExampleTheme.light.indicator)
  }

  @Test("Each pair of colours that is read can be told apart", arguments: [ExampleTheme.dark, .light])
  func contrast(theme: ExampleTheme) {
    func light(_ color: Color) -> Double {
      func linear(_ channel: UInt8) -> Double { pow(Double(channel) / 255, 2.2) }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    func contrast(_ one: Color, _ other: Color) -> Double {
      (max(light(one), light(other)) + 0.05) / (min(light(one), light(other)) + 0.05)
    }
    for ground in [theme.background, theme.surface, theme.bar] {
      #expect(contrast(theme.primaryText, ground) > 7)
      #expect(contrast(theme.secondaryText, ground) > 4.5)
      #expect(contrast(theme.warning, ground) > 4.5)
    }
  }
}
