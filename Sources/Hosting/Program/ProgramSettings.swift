/// What can be set of a program that shows a window.
public protocol ProgramSettings {
  /// The settings without any option.
  init()
  /// What every program on the library has.
  var hosting: HostingOptions { get set }
  /// Refuses options that contradict each other, and settles what follows from others.
  mutating func validate() throws(UsageError)
}

extension ProgramSettings {
  /// Nothing contradicts.
  public mutating func validate() throws(UsageError) {}
}

/// For a program that can be told nothing else.
extension HostingOptions: ProgramSettings {
  /// These.
  public var hosting: HostingOptions {
    get { self }
    set { self = newValue }
  }
}
