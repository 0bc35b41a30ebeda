package import VitrinePhotoLibrary
import VitrineRendering

/// What ``LibraryOpeningController`` needs from the screen.
protocol LibraryOpeningHost: AnyObject {
  /// Whether Escape closes or ends something that is shown.
  var handlesEscape: Bool { get }
  /// Replaces the library by another one.
  func open(_ feed: any LibraryFeed, pathToReveal: PhotoPath?)
  /// Shows a text for a few seconds.
  func showNotice(_ text: String)
  /// Updates what is shown of the opening.
  func openingDidChange()
  /// The folders of the library that is shown; empty if it has none.
  var openPaths: [PhotoPath] { get }
}

/// The owner of the opening of other folders and of files that are dropped on the window.
///
/// It owns the opener, which checks the files in the background, whether it is doing so, and the folders that were open
/// before.
///
/// Invariants:
/// - The library that is shown stays until the files have been checked, and if they cannot be opened.
/// - The result of a check that was cancelled is never used.
final class LibraryOpeningController {
  /// The screen, which owns the controller.
  unowned var host: (any LibraryOpeningHost)!
  /// The opener of dropped files.
  ///
  /// If nil, nothing can be opened.
  var opener: (any LibraryOpener)?
  /// Whether the opener is checking dropped files.
  private(set) var isOpening = false

  /// What was open before, latest last.
  private var history: [[PhotoPath]] = []
  /// Whether the files that are being checked were open before.
  private var isGoingBack = false
  private static let historyLimit = 100

  /// Whether the files have been checked, which needs a frame.
  var hasPendingResult: Bool { isOpening && opener?.hasPendingResult == true }

  /// Starts to open files.
  ///
  /// - Parameter paths: The paths of the files, by their bytes.
  func openFiles(_ paths: [[UInt8]]) { check(paths, isGoingBack: false) }

  /// Opens the folder that the user chose in a dialog, if any.
  func open(_ choice: FolderChoice) {
    switch choice {
    case .folder(let path): openFiles([path])
    case .none: break
    case .unavailable: host.showNotice("No dialog here: drop a folder on the window")
    }
  }

  private func check(_ paths: [[UInt8]], isGoingBack: Bool) {
    guard !paths.isEmpty else { return }
    guard let opener else { return host.showNotice("Nothing can be opened here") }
    opener.open(paths)
    (isOpening, self.isGoingBack) = (true, isGoingBack)
    host.openingDidChange()
  }

  /// Whether anything was open before.
  var canGoBack: Bool { !history.isEmpty }

  /// Opens what was open before.
  func goBack() { if let last = history.last { check(last.map(\.bytes), isGoingBack: true) } }

  /// Handles Escape while dropped files are being checked, unless it closes something else first.
  ///
  /// The files may be on a disk or network that does not respond.
  ///
  /// - Returns: Whether the event was handled.
  func intercept(_ event: InputEvent) -> Bool {
    guard isOpening, case .keyDown(.escape, _, _) = event.kind, !host.handlesEscape else { return false }
    opener?.cancel()
    isOpening = false
    host.openingDidChange()
    return true
  }

  /// Opens the files if they have been checked, or shows why they cannot be opened.
  func openIfReady() {
    guard isOpening, let opening = opener?.takeResult() else { return }
    isOpening = false
    switch opening {
    case .success(let feed, let pathToReveal):
      if isGoingBack {
        history.removeLast()
      } else if !host.openPaths.isEmpty {
        history.append(host.openPaths)
        if history.count > LibraryOpeningController.historyLimit { history.removeFirst() }
      }
      host.open(feed, pathToReveal: pathToReveal)
    case .failure(let reason):
      // What is gone must not be in the way of what was open before it.
      if isGoingBack { history.removeLast() }
      host.showNotice(reason)
      host.openingDidChange()
    }
  }
}

/// What the user chose in a dialog for folders.
package nonisolated enum FolderChoice: Hashable, Sendable {
  /// A folder: the bytes of its path.
  case folder([UInt8])
  /// Nothing: the dialog was closed.
  case none
  /// Nothing, because the desktop showed no dialog.
  case unavailable
}

// MARK: - Opener

/// An opener of files that are dropped on the window.
///
/// It checks them in the background, because disks and networks may be slow.
package protocol LibraryOpener: AnyObject {
  /// Starts to check paths, given by their bytes.
  ///
  /// A check that is still running is abandoned.
  func open(_ paths: [[UInt8]])

  /// Abandons the current check.
  ///
  /// ``takeResult()`` returns nil until there is a result of another drop.
  ///
  /// A system call that is blocked by a disk or network cannot be cancelled, but no caller waits for it.
  func cancel()

  /// Whether ``takeResult()`` returns a result.
  var hasPendingResult: Bool { get }

  /// Takes the result of the last drop, once.
  func takeResult() -> LibraryOpenResult?
}

/// The result of opening dropped files.
package enum LibraryOpenResult {
  /// The feed, and the picture to select if a single picture was dropped.
  case success(any LibraryFeed, pathToReveal: PhotoPath?)
  /// The reason why the files cannot be opened, in one line.
  case failure(String)
}
