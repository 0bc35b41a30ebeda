public import Hosting

/// What can be set of an example.
public protocol ExampleSettings: ProgramSettings {
  /// The colours.
  var theme: ExampleTheme { get set }
}
