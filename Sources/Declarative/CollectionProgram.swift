import CollectionUI
import VitrineDiagnostics
import VitrineHosting

/// A program that shows one collection in a window.
///
///     @main
///     struct SmallestGrid: CollectionProgram {
///       let title = "A million numbers"
///       var content: some CollectionContent {
///         Grid(1...1_000_000, id: \.self) { TextContentConfiguration(String($0)) }
///       }
///     }
///
/// It accepts the options of `DiagnosticOptions`, such as `--help`, `--headless` and `--report`.
@MainActor
public protocol CollectionProgram {
  /// The type of the content.
  associatedtype Content: CollectionContent

  /// Creates the program, after the command line was read.
  init()
  /// The title of the window.
  var title: String { get }
  /// What the window shows. It is read once; what changes later is observable state that the content reads.
  var content: Content { get }
}

extension CollectionProgram {
  /// Runs the program and exits.
  public static func main() {
    let name = String(describing: Self.self)
    WindowProgram<DiagnosticOptions>(name, summary: "Shows a collection in a window.").main { options, context in
      let program = Self()
      let diagnostics = RunDiagnostics(options)
      let host = try context.openHost(options.hosting, title: program.title, observer: diagnostics)
      defer { host.close() }
      let presenter = program.content.makePresenter()
      diagnostics.figures = RunFigures(of: presenter.view)
      return try withExtendedLifetime(presenter) {
        try host.run(root: presenter.view, scrollView: presenter.view) { window, _ in
          window.firstResponder = presenter.view
          window.addParticipant(presenter.view)
        }
      }
    }
  }
}
