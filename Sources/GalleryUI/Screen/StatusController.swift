import VitrineFramePacing
import VitrinePhotoLibrary
import VitrineViews

/// What ``StatusController`` needs from the screen.
protocol StatusHost: AnyObject {
  /// The current time: that of the frame or of the last event.
  var now: FrameInstant { get }
  /// The number of photographs that cannot be shown.
  var failedCount: Int { get }
  /// The number of selected photographs.
  var selectedCount: Int { get }
  /// The total size of the selected photographs' files, or nil if it is not known yet.
  var selectedByteCount: Int64? { get }
  /// What is searched for by typing, or nil.
  var searchText: String? { get }
  /// The number of photographs that the search finds, or nil without a search or before its answer.
  var matchCount: Int? { get }
  /// Whether dropped files are being checked.
  var isOpening: Bool { get }
  /// Whether decoding stopped after too many crashes.
  var isDecodingStopped: Bool { get }
  /// The progress of the thumbnails of all photographs, or nil.
  var thumbnailText: String? { get }
  /// Why nothing is stored in the cache folder, as a sentence without a full stop, or nil.
  var storageFault: String? { get }
  /// Whether there is a dialog in which the user chooses a folder.
  var canChooseFolder: Bool { get }
  /// Updates what else shows the notice.
  func noticeDidChange()
  /// Shows or hides the bar with the message.
  func messageBarDidChange()
}

/// The owner of the title bar, the message bar, the view for an empty library, and the notice.
///
/// It composes the texts: the library, the selection and the current activity.
///
/// Invariants:
/// - A notice is shown for ``Notice/duration``, instead of the current activity.
/// - The empty view is visible only if there is no photograph to show: the library is being read for some time, is
///   complete and empty, or the search finds none.
/// - A message that was closed is not shown again until another one has been.
final class StatusController {
  /// The screen, which owns the controller.
  unowned var host: (any StatusHost)!
  /// The title bar.
  let titleBar: TitleBar
  /// The bar with the message about the library.
  let messageBar: MessageBar
  /// The view for an empty library, and for a search that finds nothing.
  let emptyView: EmptyView
  /// What the button of the empty view does, or nil if it has none.
  private(set) var emptyAction: EmptyAction?

  /// What the button of the empty view does.
  enum EmptyAction {
    /// Ends the search.
    case clearSearch
    /// Reads the folders again.
    case readAgain
    /// Lets the user choose a folder.
    case openFolder
    /// Stops reading the folders.
    case stopReading
  }

  private let library: LibraryModel
  private var notice: Notice?
  /// The message that was closed, or nil.
  private var closedMessage: LibraryMessage?
  /// The time from which it is shown that an empty library is being read, or nil if it is not.
  private var loadingInstant: FrameInstant?
  /// The time after which it is shown, because most libraries show photographs at once.
  private static let loadingDelay = FrameDuration.milliseconds(500)

  /// What is said of photographs that stay although they could not be read again.
  private static let keptText = "The photographs stay as they are known from before."

  /// What is said while the whole file system is being read.
  private static let wholeFileSystemText =
    "Everything on this computer is being read, except for what belongs to the system. That may take long."

  /// Creates the controller of a screen.
  ///
  /// - Parameters:
  ///   - library: The model of the library.
  ///   - theme: The colors.
  init(library: LibraryModel, theme: Theme) {
    self.library = library
    titleBar = TitleBar(theme: theme)
    messageBar = MessageBar(theme: theme)
    emptyView = EmptyView(theme: theme)
    emptyView.isHidden = true
    messageBar.onClose = { [weak self] in self?.closeMessage() }
  }

  // MARK: - Notice

  /// The text that is shown for a few seconds, or nil.
  var noticeText: String? { notice?.text }

  /// The time at which the notice disappears, or it is shown that the library is being read, or nil.
  var nextFrame: FrameInstant? {
    let loading = emptyView.isHidden ? loadingInstant : nil
    return [notice?.expiry, loading].compactMap { $0 }.min()
  }

  /// Shows a text for a few seconds.
  func showNotice(_ text: String) {
    notice = Notice(text, from: host.now)
    updateTexts()
    host.noticeDidChange()
  }

  /// Hides a notice that has expired, and shows that an empty library is being read.
  func update(at instant: FrameInstant) {
    if let loadingInstant, loadingInstant <= instant, emptyView.isHidden { updateEmptyView(at: instant) }
    guard let expiry = notice?.expiry, expiry <= instant else { return }
    notice = nil
    updateTexts()
    host.noticeDidChange()
  }

  // MARK: - Texts

  /// Updates the title bar and the view for an empty library.
  func updateTexts() {
    titleBar.show(title: library.title, count: selectionText ?? countText, status: statusText)
    titleBar.progress = library.progress
    updateEmptyView(at: host.now)
    updateMessage()
  }

  /// Shows why there are no photographs, or hides the empty view.
  private func updateEmptyView(at instant: FrameInstant) {
    let isLoading = library.count == 0 && !library.isComplete
    loadingInstant = isLoading ? loadingInstant ?? instant + StatusController.loadingDelay : nil
    if let loadingInstant {
      guard loadingInstant <= instant else { return emptyView.isHidden = true }
      let isWhole = library.isReadingWholeFileSystem
      emptyAction = isWhole ? .stopReading : nil
      emptyView.show(
        headline: "Looking for photographs…",
        hint: isWhole
          ? StatusController.wholeFileSystemText
          : "“\(library.title)” is being read. A slow disk or network may take some time.",
        action: isWhole ? "Stop" : nil)
    } else if library.count == 0 {
      let texts = library.emptyTexts
      emptyAction = host.canChooseFolder && library.problems.allSatisfy(\.isLeftOut) ? .openFolder : .readAgain
      emptyView.show(
        headline: texts.headline, hint: texts.hint,
        action: emptyAction == .openFolder ? "Open another folder" : "Read again")
    } else if host.matchCount == 0 {
      emptyAction = .clearSearch
      emptyView.show(
        headline: "No photograph is found",
        hint: "Try a name, “July 2019”, “2019/07” for a folder, “portrait” or “rating:4”.", action: "Clear the search")
    } else {
      emptyView.isHidden = true
    }
  }

  // MARK: - Message

  /// The message about the library, or nil if there is none or the empty view says it.
  private var message: LibraryMessage? {
    guard library.count > 0 else { return nil }
    if library.isReadingWholeFileSystem {
      return LibraryMessage(text: StatusController.wholeFileSystemText, action: .stopReading)
    }
    if let problem = library.feedProblem {
      let photos = library.keepsUnlisted ? " \(StatusController.keptText)" : ""
      return LibraryMessage(text: "\(problem).\(photos)", action: .readAgain)
    }
    guard let problem = library.problems.first(where: { !$0.isLeftOut }) else { return lesserMessage }
    let others = library.problems.count { !$0.isLeftOut } - 1
    let more = others == 0 ? "" : ", and \(CountFormat.quantity(others, "other folder")) cannot be read"
    let photos =
      library.hasPhotos(within: problem.folder) ? " \(StatusController.keptText)" : ""
    return LibraryMessage(text: "\(problem)\(more).\(photos)", action: .readAgain)
  }

  /// The message about what the photographs do not depend on, or nil.
  private var lesserMessage: LibraryMessage? {
    if let fault = host.storageFault {
      return LibraryMessage(
        text: "Thumbnails are not kept: \(fault). Another folder is chosen with --cache-dir.", action: nil)
    }
    if let problem = library.problems.first {
      let others = library.problems.count - 1
      let more =
        others == 0
        ? "" : ", and \(CountFormat.quantity(others, "other folder")) \(others == 1 ? "is" : "are") left out"
      return LibraryMessage(text: "\(problem)\(more).", action: nil)
    }
    guard library.hasReachedWatchLimit else { return nil }
    return LibraryMessage(
      text: "Changes in some folders appear late: the limit of watched folders is reached"
        + " (fs.inotify.max_user_watches).", action: nil)
  }

  private func updateMessage() {
    let message = message
    if message != closedMessage, message != nil { closedMessage = nil }
    if messageBar.show(message == closedMessage ? nil : message) { host.messageBarDidChange() }
  }

  private func closeMessage() {
    closedMessage = message
    updateMessage()
  }

  /// The number of photographs and of those that cannot be shown, or an empty string if there are none.
  private var countText: String {
    guard library.count > 0 else { return "" }
    let failed = host.failedCount
    let count = CountFormat.quantity(library.count, "photograph")
    return failed == 0 ? count : "\(count), \(CountFormat.number(failed)) cannot be shown"
  }

  /// The number of selected photographs and the total size of their files once it is known, or nil if none is selected.
  private var selectionText: String? {
    let count = host.selectedCount
    guard count > 0 else { return nil }
    let text = "\(CountFormat.number(count)) of \(CountFormat.number(library.count)) selected"
    guard let bytes = host.selectedByteCount, bytes > 0 else { return text }
    return "\(text), \(CountFormat.bytes(bytes))"
  }

  /// The current activity.
  ///
  /// A notice comes first.
  private var statusText: String {
    if let notice { return notice.text }
    if let text = host.searchText { return text }
    if host.isOpening { return "Opening…" }
    if host.isDecodingStopped { return "Decoding stopped after many crashes; F5 goes on" }
    if library.isSorting, library.status.isEmpty { return "Sorting…" }
    return library.status.isEmpty ? host.thumbnailText ?? "" : library.status
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
