import Glibc
import VitrineDataStructures
import VitrineFramePacing
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// A view that shows one picture in the whole window, or several side by side, with a bar below them.
///
/// The view only displays what it is given. Its owner decides which pictures are shown, and decodes them. It is dark in
/// every theme.
///
/// Invariants:
/// - There is at least one pane, and one of them is active. Input, the bar and the navigator belong to its picture.
/// - The places of linked pictures are those of ``link``, except while the active one has moved and is laid out next.
final class PictureViewer: View, ThemedView {
  /// Called to show another picture, with the number of steps.
  var onStep: (Int) -> Void = { _ in }
  /// Called when a key that was held to show one picture after the other is released.
  var onStepsEnd: () -> Void = {}
  /// Called to show the first (false) or the last (true) picture.
  var onEnd: (Bool) -> Void = { _ in }
  /// Called to make a picture the active one, with its index.
  var onActivate: (Int) -> Void = { _ in }
  /// Called to make the next picture the active one, or with -1 the previous one.
  var onActivateNext: (Int) -> Void = { _ in }
  /// Called to remove a picture from the comparison, with its index.
  var onRemove: (Int) -> Void = { _ in }
  /// Called to close the viewer.
  var onClose: () -> Void = {}
  /// Called when Escape is pressed.
  var onEscape: () -> Void = {}
  /// Whether the film strip covers the lower edge of the picture, instead of leaving it less room.
  var overlaysControls = false {
    didSet { if overlaysControls != oldValue { setNeedsLayout() } }
  }
  /// Whether the bar, the names and the navigator are hidden, because the picture is shown in full screen.
  var hidesControls = false {
    didSet {
      guard hidesControls != oldValue else { return }
      for pane in panes { pane.hidesCaption = hidesControls }
      setNeedsLayout()
    }
  }
  /// Called to show the menu of the picture, with a point in the window.
  var onMenu: (Point) -> Void = { _ in }
  /// Whether the button that compares the picture with the next one can be pressed.
  var canCompare = true {
    didSet { bar.compareButton.isEnabled = canCompare }
  }
  /// Called for the buttons of the bar.
  var onCompare: () -> Void = {}
  var onRotate: () -> Void = {}
  var onFilmStrip: () -> Void = {}
  var onInformation: () -> Void = {}
  var onSlideShow: () -> Void = {}
  /// Whether the magnification and the place are kept when another picture is shown.
  var keepsZoom = false {
    didSet { for pane in panes { pane.picture.keepsZoom = keepsZoom } }
  }
  /// Whether the next picture fades in over the last one.
  var crossFades = false {
    didSet { for pane in panes { pane.picture.crossFades = crossFades } }
  }

  /// The colors, those of ``Theme/ofViewer``.
  var theme: Theme {
    didSet {
      theme = theme.ofViewer
      backgroundColor = theme.viewer.opacity(opacity)
    }
  }
  private let brokenIcon: SharedIcon
  private(set) var panes: [PicturePane] = []
  private(set) var activeIndex = 0
  /// The pane that was active before the panes were set last, or nil.
  private weak var lastActivePane: PicturePane?
  /// The common place of pictures side by side.
  private var link = PictureLink()
  private let navigator: PictureNavigator
  private let bar: ViewerBar
  /// A panel beside the picture, or below it in a narrow viewer, or nil.
  var panel: InformationPanel? {
    didSet {
      oldValue?.removeFromSuperview()
      if let panel { addSubview(panel) }
      setNeedsLayout()
    }
  }
  /// The thumbnails below the picture, or nil.
  var filmStrip: FilmStripView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let filmStrip { addSubview(filmStrip) }
      setNeedsLayout()
    }
  }
  private lazy var input = PictureInputController(viewer: self)
  private static let barHeight = 44.0

  /// Creates a viewer with one pane.
  ///
  /// - Parameters:
  ///   - theme: The colors.
  ///   - brokenIcon: The icon of a picture that cannot be shown.
  init(theme: Theme, brokenIcon: SharedIcon) {
    let theme = theme.ofViewer
    self.theme = theme
    self.brokenIcon = brokenIcon
    navigator = PictureNavigator(theme: theme)
    bar = ViewerBar(theme: theme)
    super.init()
    addSubview(navigator)
    addSubview(bar)
    setPanes([nil], active: 0)
    navigator.onMove = { [weak self] part in self?.changeZoom { $0.center(on: part, at: $1) } }
    bar.backButton.action = { [weak self] in self?.onClose() }
    bar.previousButton.action = { [weak self] in self?.onStep(-1) }
    bar.nextButton.action = { [weak self] in self?.onStep(1) }
    bar.compareButton.action = { [weak self] in self?.onCompare() }
    bar.rotateButton.action = { [weak self] in self?.onRotate() }
    bar.filmStripButton.action = { [weak self] in self?.onFilmStrip() }
    bar.informationButton.action = { [weak self] in self?.onInformation() }
    bar.slideShowButton.action = { [weak self] in self?.onSlideShow() }
    bar.menuButton.action = { [weak self] in
      guard let self else { return }
      let frame = bar.menuButton.frameInWindow
      onMenu(Point(x: frame.minX, y: frame.minY))
    }
    bar.slider.onChange = { [weak self] step in self?.zoom(toSliderStep: step) }
    opacity = 0
  }

  /// The place of the picture in the grid, from which it grows and to which it shrinks, or nil if it only fades.
  var placeInGrid: Rect? {
    get { picture.placeInGrid }
    set { picture.placeInGrid = newValue }
  }

  /// The opacity of the viewer, 0 to 1, which is also how far the picture has grown.
  var opacity = 1.0 {
    didSet {
      guard opacity != oldValue else { return }
      backgroundColor = theme.viewer.opacity(opacity)
      for pane in panes { setOpacity(of: pane) }
      bar.opacity = opacity
      setNeedsLayout()
    }
  }

  private func setOpacity(of pane: PicturePane) {
    pane.picture.opacity = opacity
    pane.setNeedsLayout()
  }

  // MARK: Pictures

  /// Whether pictures are shown side by side.
  var isComparing: Bool { panes.count > 1 }

  /// The view of the active picture.
  var picture: PictureView { panes[activeIndex].picture }

  /// The active picture in the size of the window, or nil if it is not available.
  var overview: Bitmap? { picture.content.overview }

  /// Whether the active picture itself was drawn last.
  var showsPicture: Bool { picture.showsPicture }

  /// Makes a pane for each picture; panes of pictures that were shown already are kept.
  ///
  /// - Parameters:
  ///   - items: The photographs, at least one; nil for one that is not known yet.
  ///   - active: The index of the active one.
  func setPanes(_ items: [PhotoID?], active: Int) {
    checkPrecondition(items.indices.contains(active), "The active picture is not one of those that are shown.")
    if !panes.isEmpty { lastActivePane = panes[activeIndex] }
    if items.count != panes.count {
      var unused = panes
      let kept = items.map { item -> PicturePane? in
        let index = unused.firstIndex { $0.picture.content.item == item } ?? (items.count == 1 ? 0 : nil)
        return index.flatMap { unused.isEmpty ? nil : unused.remove(at: $0) }
      }
      for pane in unused { pane.removeFromSuperview() }
      panes = kept.map { $0 ?? makePane() }
      // Behind the controls.
      for view in [navigator, bar, filmStrip, panel].compactMap(\.self) as [View] { addSubview(view) }
      for pane in panes { pane.isCompared = panes.count > 1 }
      setNeedsLayout()
    }
    activeIndex = active
    for (index, pane) in panes.enumerated() { pane.isActive = index == active }
    link.keep(items.compactMap(\.self))
    guard window != nil else { return }
    // The size of a pane is that in which its picture is decoded.
    layoutPanes()
  }

  private func makePane() -> PicturePane {
    let pane = PicturePane(theme: theme, brokenIcon: brokenIcon)
    pane.onRemove = { [weak self, weak pane] in
      guard let self, let pane, let index = panes.firstIndex(where: { $0 === pane }) else { return }
      onRemove(index)
    }
    pane.hidesCaption = hidesControls
    pane.picture.keepsZoom = keepsZoom
    pane.picture.crossFades = crossFades
    pane.picture.reducesMotion = reducesMotion
    pane.picture.update(at: lastInstant)
    setOpacity(of: pane)
    addSubview(pane)
    return pane
  }

  /// Shows the contents of pictures, or updates of them: one for each pane.
  func show(_ contents: [PictureView.Content]) {
    for (pane, content) in zip(panes, contents) { pane.show(content) }
    let content = picture.content
    bar.show(name: content.name, details: content.details)
    navigator.image = content.overview
    setNeedsLayout()
  }

  /// Shows another frame of the active picture's animation.
  func showFrame(_ frame: Bitmap) { picture.showFrame(frame) }

  /// Whether a picture fades in over the last one.
  var isCrossFading: Bool { panes.contains(where: \.picture.isCrossFading) }

  /// Returns the size of a pane in pixels, or nil if it has none.
  func pixelSize(ofPane index: Int) -> PixelSize? {
    guard let scale = window?.resources.scale else { return nil }
    let pixels = scale.pixelRect(Rect(origin: .zero, size: panes[index].frame.size))
    return PixelSize(width: Int(pixels.width), height: Int(pixels.height))
  }

  /// Returns the index of the pane at a point, or nil if there is none.
  func paneIndex(at point: Point) -> Int? { panes.firstIndex { $0.frame.contains(point) } }

  // MARK: Layout

  /// The part of the viewer that shows pictures: all of it, or what a panel leaves.
  private var pictureArea: Rect {
    var area = bounds
    // Names of pictures side by side are above the bar.
    if showsFilmStrip || isComparing, !overlaysControls {
      area = Rect(x: 0, y: 0, width: area.width, height: max(0, controlsTop))
    }
    guard panel != nil else { return area }
    let panel = panelFrame
    return panel.minX > 0
      ? Rect(x: 0, y: 0, width: panel.minX, height: area.height)
      : Rect(x: 0, y: 0, width: area.width, height: panel.minY)
  }

  private var showsFilmStrip: Bool { filmStrip != nil && !hidesControls }

  /// The upper edge of the bar and the film strip.
  private var controlsTop: Double {
    guard !hidesControls else { return bounds.height }
    return bounds.height - PictureViewer.barHeight - (showsFilmStrip ? FilmStripView.height : 0)
  }

  /// The frame of a panel: at the right edge, or in a narrow viewer the lower half.
  private var panelFrame: Rect {
    let height = max(0, controlsTop)
    guard bounds.width < InformationPanel.minimumViewerWidth else {
      return Rect(x: bounds.width - InformationPanel.width, y: 0, width: InformationPanel.width, height: height)
    }
    let top = (height / 2).rounded()
    return Rect(x: 0, y: top, width: bounds.width, height: height - top)
  }

  override func layoutSubviews() {
    bar.frame = Rect(
      x: 0, y: bounds.height - PictureViewer.barHeight, width: bounds.width, height: PictureViewer.barHeight)
    bar.isHidden = hidesControls
    filmStrip?.frame = Rect(
      x: 0, y: controlsTop, width: bounds.width, height: FilmStripView.height)
    filmStrip?.isHidden = !showsFilmStrip || opacity < 1
    panel?.frame = panelFrame
    panel?.isHidden = opacity < 1
    guard window != nil else { return }
    layoutPanes()
    layoutControls()
  }

  private func layoutPanes() {
    let area = pictureArea
    let sizes = panes.map { pane in
      (pane.picture.content.size ?? pane.picture.content.thumbnail?.size).map {
        Size(width: Double($0.width), height: Double($0.height))
      } ?? Size(width: 3, height: 2)
    }
    for (pane, frame) in zip(panes, ComparisonLayout.frames(of: sizes, in: area.size)) {
      pane.frame = frame.offset(by: area.origin)
      pane.picture.frame = pane.bounds
      pane.coveredHeight = max(0, pane.frame.maxY - controlsTop)
    }
    updateLink()
  }

  /// Shows the magnification, and where the visible part is.
  private func layoutControls() {
    let zoom = picture.zoom
    let magnification = zoom.magnification(at: lastInstant)
    let isShown = picture.content.failure == nil
    bar.showMagnification(
      percent: isShown ? Int((magnification * 100).rounded()) : nil,
      step: sliderStep(of: zoom.targetMagnification))
    let part = isShown ? zoom.visiblePart(at: lastInstant) : nil
    let size = PictureNavigator.size(for: zoom.pictureSize)
    let area = panes[activeIndex].frame
    navigator.isHidden =
      part == nil || size == nil || overview == nil || opacity < 1 || area.width < 340 || hidesControls
    guard let part, let size, !navigator.isHidden else { return }
    navigator.visiblePart = part
    let bottom = min(area.maxY, controlsTop) - (isComparing ? PicturePane.captionHeight : 0)
    navigator.frame = Rect(
      x: area.maxX - Metrics.margin - size.width, y: bottom - Metrics.margin - size.height, width: size.width,
      height: size.height)
  }

  /// Returns whether there is a control at a point.
  func hasControl(at point: Point) -> Bool {
    [bar, navigator, filmStrip].compactMap(\.self).contains { !$0.isHidden && $0.frame.contains(point) }
      || panes.contains { $0.hasCaption(at: point) }
  }

  // MARK: Zoom

  /// The time of the last frame.
  private var lastInstant = FrameInstant.zero

  /// The magnification and the place of the active picture.
  var zoom: PictureZoom { picture.zoom }

  /// Whether magnifications change without animation.
  var reducesMotion = false {
    didSet { for pane in panes { pane.picture.reducesMotion = reducesMotion } }
  }

  /// Whether the magnification or the place of a picture changes in the next frames.
  var isZooming: Bool { panes.contains(where: \.picture.isZooming) }

  /// Returns whether more of a picture's pixels are needed than its size in the viewer has.
  ///
  /// They are not decoded while a picture moves, because the workers would take the processor from its frames.
  func needsDetail(ofPane index: Int) -> Bool { panes[index].picture.zoom.isZoomed && !isZooming }

  /// Moves the pictures to where they are at the time of a frame.
  func update(at instant: FrameInstant) {
    let start = zoom.place(at: lastInstant)
    lastInstant = instant
    let wasMoving = isZooming
    for pane in panes { pane.picture.update(at: instant) }
    guard wasMoving else { return }
    recordChange(from: start)
    setNeedsLayout()
  }

  /// Changes the magnification or the place of the active picture, and of those that are linked to it.
  ///
  /// - Parameters:
  ///   - time: The time of the event, or nil for that of the last frame.
  ///   - alone: Whether only the active picture is moved, to align it with the others. Default: false.
  ///   - change: The change.
  func changeZoom(
    at time: FrameInstant? = nil, alone: Bool = false, _ change: (inout PictureZoom, FrameInstant) -> Void
  ) {
    // It may have moved since the last frame.
    let start = zoom.place(at: lastInstant)
    picture.changeZoom(at: time, change)
    if isComparing {
      isAligning = alone
      recordChange(from: start, at: max(time ?? lastInstant, lastInstant))
    }
    setNeedsLayout()
  }

  /// Whether the last change was one of the active picture alone.
  private var isAligning = false

  private func recordChange(from start: PictureZoom.Place, at instant: FrameInstant? = nil) {
    guard isComparing, let item = picture.content.item else { return }
    link.record(item, from: start, to: zoom.place(at: instant ?? lastInstant), alone: isAligning)
  }

  /// Whether pictures side by side are enlarged and moved together.
  var isLinked: Bool {
    get { link.isLinked }
    set {
      guard newValue != link.isLinked, let item = picture.content.item else { return }
      if newValue {
        var places: [PhotoID: PictureZoom.Place] = [:]
        for pane in panes {
          if let item = pane.picture.content.item { places[item] = pane.picture.zoom.place(at: lastInstant) }
        }
        link.link(places, to: item)
      } else {
        link.unlink()
      }
      setNeedsLayout()
    }
  }

  /// The pane whose picture keeps its place when panes are resized: the active one, or if it shows none yet, or one that
  /// cannot be shown, the one that was active before, or any other.
  private var leadingPane: PicturePane? {
    let last = panes.filter { $0 === lastActivePane }
    return ([panes[activeIndex]] + last + panes).first {
      $0.picture.content.item != nil && $0.picture.content.failure == nil
    }
  }

  /// Applies the sizes of the panes, and the common place.
  private func updateLink() {
    let leading = leadingPane
    for pane in panes {
      let picture = pane.picture
      let (last, wasTurned) = ((picture.zoom.viewport, picture.zoom.pictureSize), picture.centersAfterTurn)
      picture.updateSizes()
      guard isComparing, wasTurned || last != (picture.zoom.viewport, picture.zoom.pictureSize) else { continue }
      pane.followedPlace = nil
      guard pane === leading, !pane.joinsLink, let item = picture.content.item else { continue }
      let place = picture.zoom.place(at: lastInstant)
      // Resizing changes the magnification that shows the whole picture.
      if wasTurned { link.turn(item, to: place) } else { link.adopt(place, of: item) }
    }
    guard isComparing, link.isLinked else { return }
    for (index, pane) in panes.enumerated() {
      guard let item = pane.picture.content.item else { continue }
      guard index != activeIndex || pane.joinsLink else {
        pane.followedPlace = nil
        continue
      }
      pane.joinsLink = false
      let place = link.place(of: item)
      guard place != pane.followedPlace else { continue }
      pane.followedPlace = place
      pane.picture.changeZoom { zoom, _ in zoom.follow(place) }
    }
  }

  private func zoom(toSliderStep step: Int) {
    let (lowest, highest) = (zoom.wholeMagnification, zoom.maximumMagnification)
    let share = Double(step) / Double(ViewerBar.stepCount - 1)
    changeZoom { $0.zoom(to: lowest * pow(highest / lowest, share), around: nil, at: $1) }
  }

  private func sliderStep(of magnification: Double) -> Int {
    let (lowest, highest) = (zoom.wholeMagnification, zoom.maximumMagnification)
    guard highest > lowest else { return 0 }
    let share = log(max(1, magnification / lowest)) / log(highest / lowest)
    return Int((share * Double(ViewerBar.stepCount - 1)).rounded())
  }

  override func handle(_ event: InputEvent) -> Bool { input.handle(event) }
}
