import VitrineFramePacing
import VitrineImagePipeline
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// The owner of the panel with information in the viewer, and of what is read for it.
///
/// Invariants:
/// - Nothing is read unless the panel is shown. Files are read, and pixels are counted, on another thread.
/// - What is shown belongs to the viewed photograph. Only for ``readingDelay`` after a step the lines are those of the last
///   one, so that they do not disappear for a frame or two while a file is read.
final class InformationController {
  /// A version of a file to read.
  private nonisolated struct FileRequest: Hashable, Sendable {
    let path: PhotoPath
    let version: UInt64
  }

  private let library: LibraryModel
  private let files: LatestTask<FileRequest, PhotographFile?>
  private let histograms: LatestTask<BitmapReference, LuminanceHistogram>
  /// The time for which the last lines stay while a file is read.
  static let readingDelay = FrameDuration.milliseconds(150)

  private var item: PhotoID?
  /// The time of the step to the photograph.
  private var stepInstant = FrameInstant.zero
  /// The time of the last frame or step.
  private var lastInstant = FrameInstant.zero
  private weak var viewer: PictureViewer?
  private var panel: InformationPanel?
  /// Opens an address, or nil if that is not possible.
  var openAddress: ((String) -> Void)?

  /// Creates the controller of a viewer.
  ///
  /// - Parameter library: The model of the library.
  init(library: LibraryModel) {
    self.library = library
    files = LatestTask(thread: library.arrangementThread) { [reader = library.reader] request in
      try? PhotographFile(readingFrom: request.path, by: reader)
    }
    histograms = LatestTask(thread: library.arrangementThread) { LuminanceHistogram(of: $0.bitmap) }
  }

  /// Whether the panel is shown while a picture is viewed.
  var isShown = false {
    didSet { if isShown != oldValue { update() } }
  }

  /// Sets what is viewed.
  ///
  /// - Parameters:
  ///   - item: The photograph.
  ///   - picture: The picture in the size of the window, or nil while it is unavailable.
  ///   - viewer: The viewer that shows it.
  ///   - instant: The current time.
  func photographDidChange(_ item: PhotoID, picture: Bitmap?, in viewer: PictureViewer, at instant: FrameInstant) {
    lastInstant = max(lastInstant, instant)
    if item != self.item { stepInstant = lastInstant }
    if self.viewer !== viewer { removePanel() }
    (self.item, self.viewer) = (item, viewer)
    histograms.setRequest(isShown ? picture.map(BitmapReference.init) : nil)
    update()
  }

  /// Removes the panel, because the viewer is closed.
  func viewerDidClose() {
    removePanel()
    (item, viewer) = (nil, nil)
    files.setRequest(nil)
    histograms.setRequest(nil)
  }

  private func removePanel() {
    guard let panel else { return }
    panel.window?.removeParticipant(panel)
    viewer?.panel = nil
    self.panel = nil
  }

  /// The address of a map of the place of the viewed photograph, or nil if it is unknown or cannot be opened.
  var placeAddress: String? { openAddress == nil ? nil : information?.placeAddress }

  /// Opens a map of the place of the viewed photograph.
  func openPlace() { if let placeAddress { openAddress?(placeAddress) } }

  /// Whether something was read that has not been received.
  var hasPendingResult: Bool { files.hasPendingResult || histograms.hasPendingResult }

  /// Receives what was read.
  func collect() {
    let (hasFile, hasHistogram) = (files.collect(), histograms.collect())
    if hasFile || hasHistogram { update() }
  }

  /// Whether the lines of the last photograph are still shown, because the file is being read.
  private var keepsLastLines: Bool {
    files.isRunning && panel?.hasLines == true && lastInstant < stepInstant + InformationController.readingDelay
  }

  /// The time from which what is known is shown without the file, or nil.
  var nextFrame: FrameInstant? { keepsLastLines ? stepInstant + InformationController.readingDelay : nil }

  /// Shows what is known if reading the file takes long.
  func update(at instant: FrameInstant) {
    guard keepsLastLines else { return lastInstant = max(lastInstant, instant) }
    lastInstant = max(lastInstant, instant)
    if !keepsLastLines { update() }
  }

  private func update() {
    guard isShown, let item, let viewer else {
      removePanel()
      files.setRequest(nil)
      histograms.setRequest(nil)
      return
    }
    if panel == nil {
      let panel = InformationPanel(theme: viewer.theme)
      panel.onOpen = { [weak self] in self?.openAddress?($0) }
      viewer.panel = panel
      viewer.window?.addParticipant(panel)
      self.panel = panel
      histograms.setRequest(viewer.overview.map(BitmapReference.init))
    }
    files.setRequest(fileRequest(for: item))
    if let information {
      panel?.show(name: information.name)
      if !keepsLastLines { panel?.show(information.rows, opensAddresses: openAddress != nil) }
    }
    // The last one stays until the next one is known, so that the panel does not flicker.
    if histograms.value != nil || histograms.request == nil { panel?.show(histograms.value) }
  }

  private func fileRequest(for item: PhotoID) -> FileRequest? {
    guard case .file(let path) = library.location(of: item) else { return nil }
    return FileRequest(path: PhotoPath(path), version: library.catalogue.version(of: item))
  }

  private var information: PhotographInformation? {
    guard let item else { return nil }
    let records = library.catalogue
    return PhotographInformation(
      name: library.caption(of: item), time: records.time(of: item), size: library.descriptions.size(of: item),
      byteCount: library.byteCount(of: item), camera: records.camera(of: item),
      folder: records.folder(of: item).map { SanitizedText(bytes: $0.absolute.bytes).string }, file: files.value ?? nil)
  }
}
