/// One option of a command line: how it is written, what it does to the settings, and what its help says.
public struct CommandOption<Settings> {
  /// The name, with its dashes.
  public let name: String
  /// What stands for its argument in the help; nothing for a switch.
  public let placeholder: String?
  /// What it does, in a line or two.
  public let help: String
  /// Takes the argument (empty for a switch) into the settings.
  public let apply: (inout Settings, String) throws(UsageError) -> Void

  /// An option with an argument.
  public init(
    _ name: String, _ placeholder: String, _ help: String,
    apply: @escaping (inout Settings, String) throws(UsageError) -> Void
  ) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
    self.apply = apply
  }

  /// An option without one.
  public init(switch name: String, _ help: String, apply: @escaping (inout Settings) -> Void) {
    self.name = name
    placeholder = nil
    self.help = help
    self.apply = { (settings: inout Settings, _: String) throws(UsageError) in apply(&settings) }
  }

  /// The same option for settings that hold these.
  public func scoped<Outer>(to path: WritableKeyPath<Outer, Settings>) -> CommandOption<Outer> {
    let apply = apply
    let body: (inout Outer, String) throws(UsageError) -> Void = {
      (outer: inout Outer, text: String) throws(UsageError) in
      try apply(&outer[keyPath: path], text)
    }
    guard let placeholder else {
      return CommandOption<Outer>(flag: name, help: help, apply: body)
    }
    return CommandOption<Outer>(name, placeholder, help, apply: body)
  }

  private init(flag name: String, help: String, apply: @escaping (inout Settings, String) throws(UsageError) -> Void) {
    self.name = name
    placeholder = nil
    self.help = help
    self.apply = apply
  }
}
