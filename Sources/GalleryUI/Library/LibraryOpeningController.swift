public import PhotoLibrary
import Rendering

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
}

/// The owner of the opening of files that are dropped on the window.
///
/// It owns the opener, which checks the files in the background, and whether it is doing so.
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

  /// Whether the files have been checked, which needs a frame.
  var hasPendingResult: Bool { isOpening && opener?.hasPendingResult == true }

  /// Starts to open files.
  ///
  /// - Parameter paths: The paths of the files, by their bytes.
  func openFiles(_ paths: [[UInt8]]) {
    guard !paths.isEmpty else { return }
    guard let opener else { return host.showNotice("Nothing can be opened here") }
    opener.open(paths)
    isOpening = true
    host.openingDidChange()
  }

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
    case .success(let feed, let pathToReveal): host.open(feed, pathToReveal: pathToReveal)
    case .failure(let reason): host.showNotice(reason)
    }
  }
}

// MARK: - Opener

/// An opener of files that are dropped on the window.
///
/// It checks them in the background, because disks and networks may be slow.
public protocol LibraryOpener: AnyObject {
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
public enum LibraryOpenResult {
  /// The feed, and the picture to select if a single picture was dropped.
  case success(any LibraryFeed, pathToReveal: PhotoPath?)
  /// The reason why the files cannot be opened, in one line.
  case failure(String)
}
