import CollectionEngine
import CollectionUI
import DiffableData
import FramePacing
import ImagePipeline
import PhotoLibrary
import Views

/// The contents of the title bar: the library, the selection and the current activity.
extension GalleryScreen {
  /// The number of photographs and of those that cannot be shown, or an empty string if there are none.
  private var countText: String {
    guard library.count > 0 else { return "" }
    let failed = failedCount
    let count = CountFormat.quantity(library.count, "photograph")
    return failed == 0 ? count : "\(count), \(CountFormat.number(failed)) cannot be shown"
  }

  /// The number of selected photographs and the total size of their files once it is known, or nil if none is selected.
  private var selectionText: String? {
    let count = grid.selection.items.count
    guard count > 0 else { return nil }
    let text = "\(CountFormat.number(count)) of \(CountFormat.number(library.count)) selected"
    let total = selectionBytes.total
    return total.isComplete && total.bytes > 0 ? "\(text), \(CountFormat.bytes(total.bytes))" : text
  }

  /// The current activity.
  ///
  /// A notice comes first.
  private var statusText: String {
    if let notice { return notice.text }
    if let text = nameSearch.statusText { return text }
    if isOpening { return "Opening…" }
    if pipeline.decoderStatus.isStopped { return "Decoding stopped after many crashes; F5 goes on" }
    if library.isSorting, library.status.isEmpty { return "Sorting…" }
    return library.status.isEmpty ? libraryThumbnails.statusText ?? "" : library.status
  }

  func updateTitleBar() {
    titleBar.show(title: library.title, count: selectionText ?? countText, status: statusText)
    titleBar.progress = library.progress
    if library.count == 0, library.isComplete {
      let texts = library.emptyTexts
      emptyView.show(headline: texts.headline, hint: texts.hint)
    } else {
      emptyView.isHidden = true
    }
  }

  /// Shows a text for a few seconds.
  func showNotice(_ text: String) {
    notice = Notice(text, from: now)
    updateTitleBar()
    viewer.showContent()
  }
}

/// A text that the title bar shows for a few seconds.
nonisolated struct Notice: Hashable, Sendable {
  /// The time for which a notice is shown.
  static let duration = FrameDuration.seconds(4)

  /// The text.
  let text: String
  /// The time at which the notice disappears.
  let expiry: FrameInstant

  init(_ text: String, from instant: FrameInstant) {
    self.text = text
    expiry = instant + Notice.duration
  }
}

/// A formatter for counts and sizes.
nonisolated enum CountFormat {
  /// Returns an integer with a comma between groups of three digits.
  static func number(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return number < 0 ? "-" + text : text
  }

  /// Returns a number with a noun: `1 photograph`, `2,048 photographs`.
  static func quantity(_ count: Int, _ noun: String) -> String {
    "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Returns a size in decimal units with at most three significant digits: `0 bytes`, `12.4 MB`, `340 kB`.
  static func bytes(_ count: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB"]
    guard count >= 1_000 else { return quantity(Int(max(0, count)), "byte") }
    var (value, unit) = (Double(count) / 1_000, 0)
    while value >= 999.5, unit < units.count - 1 { (value, unit) = (value / 1_000, unit + 1) }
    guard value < 99.95 else { return "\(number(Int(value.rounded()))) \(units[unit])" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
