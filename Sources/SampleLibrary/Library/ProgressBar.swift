/// A line of text that shows how far something has come.
public struct ProgressBar: Sendable {
  private let label: String

  /// A bar for something that a label names, such as "Painting sample pictures".
  public init(label: String) { self.label = label }

  /// The line for a progress, no longer than a number of columns.
  ///
  /// The bar itself goes first where there is little room, then the label; the numbers stay.
  public func line(_ progress: SampleProgress, columns: Int) -> String {
    let count = "\(progress.done) of \(progress.total)"
    let short = "\(label)  \(count)"
    guard columns > short.count else { return columns > count.count ? count : "" }
    let room = min(40, columns - short.count - 4)
    guard room >= 8 else { return short }
    let part = progress.total > 0 ? Double(min(progress.done, progress.total)) / Double(progress.total) : 1
    let filled = Int(part * Double(room))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
    return "\(label)  \(bar)  \(count)"
  }
}
