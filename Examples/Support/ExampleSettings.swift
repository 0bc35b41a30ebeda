public import Hosting

/// What can be set of an example.
public protocol ExampleSettings {
  /// The settings without any option.
  init()
  /// What every program on the library has.
  var hosting: HostingOptions { get set }
  /// The colours.
  var theme: ExampleTheme { get set }
  /// Refuses options that contradict each other, and settles what follows from others.
  mutating func validate() throws(UsageError)
}

extension ExampleSettings {
  /// Nothing contradicts.
  public mutating func validate() throws(UsageError) {}
}
