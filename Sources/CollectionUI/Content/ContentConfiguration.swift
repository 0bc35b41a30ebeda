import VitrineCollectionLayout
public import VitrineGeometry
public import VitrineViews

/// A value that describes the content of a cell, and makes and updates the view that displays it.
///
/// Set it as a cell's ``CollectionViewCell/contentConfiguration``. A reused cell keeps its view if the new configuration
/// is of the same type, so that displaying another item only updates the view.
@MainActor
public protocol ContentConfiguration: SendableMetatype {
  /// The type of the view.
  associatedtype ContentView: View

  /// Returns a new view, which is updated before it is displayed.
  func makeContentView() -> ContentView

  /// Displays the configuration in its view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - context: The state and the colors of the cell.
  func update(_ view: ContentView, in context: ContentContext)

  /// Returns the size of the content, in points, or nil if it takes the size that the layout computed.
  ///
  /// - Parameters:
  ///   - view: The view, which displays the configuration.
  ///   - size: The size that the layout computed.
  func preferredSize(of view: ContentView, fitting size: Size) -> Size?
}

extension ContentConfiguration {
  /// Returns nil.
  public func preferredSize(of view: ContentView, fitting size: Size) -> Size? { nil }

  /// Updates a view that the same type of configuration made.
  ///
  /// - Returns: Whether the view is of this configuration's type.
  func updateIfPossible(_ view: View, in context: ContentContext) -> Bool {
    guard let view = view as? ContentView else { return false }
    update(view, in: context)
    return true
  }

  /// Returns the size of the content in a view that the same type of configuration made.
  func preferredSize(ofView view: View, fitting size: Size) -> Size? {
    (view as? ContentView).flatMap { preferredSize(of: $0, fitting: size) }
  }
}

/// What the appearance of a cell's content depends on, in addition to its configuration.
public struct ContentContext: Hashable, Sendable {
  /// The state of the cell.
  public var state: CellConfigurationState
  /// The colors of the collection view.
  public var palette: InterfacePalette

  /// Creates a context.
  public init(state: CellConfigurationState = CellConfigurationState(), palette: InterfacePalette = .dark) {
    self.state = state
    self.palette = palette
  }
}

/// The content and the background of a cell that are described by configurations.
///
/// A cell without configurations has none.
final class CellContents {
  /// The cell, which owns the contents.
  private unowned let cell: CollectionViewCell
  /// The configuration of the content.
  var configuration: (any ContentConfiguration)? {
    didSet { update() }
  }
  /// The configuration of the background.
  var background: BackgroundConfiguration? {
    didSet { if background != oldValue { cell.setNeedsDisplay() } }
  }
  /// The closure that updates the configurations for a state.
  var updateHandler: ((CollectionViewCell, CellConfigurationState) -> Void)?
  /// The view of the content.
  private(set) var view: View?
  /// The colors that the view shows.
  private var shownPalette: InterfacePalette?
  /// The ends of the background of the section's items at which the cell was drawn.
  private var drawnEnds: BackgroundEnds?
  /// Whether the update handler is running, so that the view is updated once, after it.
  private var isUpdating = false

  init(_ cell: CollectionViewCell) { self.cell = cell }

  private var context: ContentContext { ContentContext(state: cell.configurationState, palette: cell.palette) }

  /// Calls the update handler and displays the configuration for the cell's state.
  func stateDidChange() {
    // The handler may request an update.
    guard !isUpdating else { return }
    isUpdating = true
    updateHandler?(cell, cell.configurationState)
    isUpdating = false
    update()
    if background != nil { cell.setNeedsDisplay() }
  }

  /// Displays the configuration, in the current view if it is of its type.
  private func update() {
    guard !isUpdating else { return }
    shownPalette = cell.palette
    guard let configuration else {
      view?.removeFromSuperview()
      view = nil
      return
    }
    if let view, configuration.updateIfPossible(view, in: context) { return cell.setNeedsLayout() }
    view?.removeFromSuperview()
    let made: View = configuration.makeContentView()
    view = made
    cell.addSubview(made)
    _ = configuration.updateIfPossible(made, in: context)
    cell.setNeedsLayout()
  }

  /// Returns the preferred size of the content, or nil if the layout's applies.
  ///
  /// - Parameters:
  ///   - size: The size that the layout computed.
  ///   - insets: The insets of the content from the cell's edges.
  func preferredSize(fitting size: Size, insets: Insets) -> Size? {
    guard let view, let configuration else { return nil }
    let inner = Size(
      width: max(0, size.width - insets.left - insets.right), height: max(0, size.height - insets.top - insets.bottom))
    guard let preferred = configuration.preferredSize(ofView: view, fitting: inner) else { return nil }
    return Size(
      width: preferred.width + insets.left + insets.right, height: preferred.height + insets.top + insets.bottom)
  }

  /// Positions the content.
  func layOut(in bounds: Rect, insets: Insets) {
    // A new cell is configured before it belongs to a collection view.
    if cell.palette != shownPalette { stateDidChange() }
    view?.frame = Rect(
      x: insets.left, y: insets.top, width: max(0, bounds.width - insets.left - insets.right),
      height: max(0, bounds.height - insets.top - insets.bottom))
  }

  /// Draws the background.
  func drawBackground(in drawContext: DrawContext) {
    guard let background else { return }
    let context = context
    guard background.isVisible(in: context) else { return }
    drawnEnds = cell.backgroundEnds
    background.draw(in: cell.bounds, context, drawnEnds, drawContext)
  }

  /// Draws the cell again if its position on the background of the section's items changed since it was drawn.
  func updateBackgroundEnds(_ ends: BackgroundEnds?) {
    if let background, ends != drawnEnds, background.isVisible(in: context) { cell.setNeedsDisplay() }
  }
}
