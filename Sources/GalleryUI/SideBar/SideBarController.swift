import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineGeometry
import VitrinePhotoLibrary
import VitrineRendering
import VitrineViews

/// What ``SideBarController`` needs from the screen.
protocol SideBarHost: AnyObject {
  /// All photographs of the library and their records.
  var outlineSource: (items: LibraryArrangement.Snapshot, records: any PhotoRecords) { get }
  /// The folders of the library.
  var roots: [PhotoPath] { get }
  /// The text of the search.
  var searchFieldText: String { get }
  /// The colors.
  var theme: Theme { get }
  /// The thread that counts photographs, or nil to count them in the frame.
  var arrangementThread: ArrangementThread? { get }
  /// The window, or nil if there is none.
  var window: Window? { get }
  /// Adds the view of the side bar in front of the photographs.
  func addSideBar(_ view: View)
  /// Updates the layout and what shows whether there is a side bar.
  func sideBarDidChange()
  /// Moves the keyboard focus to a view, or back to the photographs.
  func moveKeyboardFocus(to view: View)
  func restoreKeyboardFocus()
  /// Searches for a text, as if it was typed.
  func searchFromSideBar(_ text: String)
  /// Opens a folder.
  func openFolder(_ path: PhotoPath)
}

/// The owner of the side bar: the folders within the one that is shown, places, and the dates of the photographs.
///
/// It owns the list, which is made when the side bar is shown first, and the counting of the photographs, which is done on
/// another thread.
///
/// Invariants:
/// - Nothing is counted while the side bar is hidden.
/// - At most one count runs. What changed meanwhile is counted after it.
/// - The list takes part in the frames of the window while it is shown.
/// - In a window that is too narrow for both, the side bar covers photographs until a choice or a press next to it.
final class SideBarController {
  /// The width of the side bar, in points.
  static let width = 240.0

  /// The screen, which owns the controller.
  unowned var host: (any SideBarHost)!
  /// The view with the list, or nil if the side bar was never shown.
  private(set) var view: SideBarView?
  /// What is shown.
  private(set) var content = SideBarContent()
  private var dataSource: DiffableDataSource<SideBarSection, SideBarItem>?
  private var counts: [SideBarItem: Int] = [:]
  private var icons: [LineIcon: SharedIcon] = [:]
  private var count: BackgroundTask<LibraryOutline?>?
  private var needsCount = false
  /// The folders that were open before, latest first; while they are shown, they keep their places.
  private var latestRecents: [PhotoPath] = []

  /// Makes the view and its list.
  private func makeView() -> SideBarView {
    let view = SideBarView(theme: host.theme)
    let row = CellRegistration<SideBarRow, SideBarItem> { [weak self] cell, _, item in self?.configure(cell, item) }
    let title = SupplementaryRegistration<SideBarHeader>(elementKind: SideBarView.titleKind) {
      [weak self, weak view] header, _, path in
      guard let view, let section = self?.dataSource?.sectionIdentifier(for: path.section) else { return }
      header.show(section.title, theme: view.theme)
    }
    let dataSource = DiffableDataSource<SideBarSection, SideBarItem>(collectionView: view.list) { view, path, item in
      view.dequeueConfiguredReusableCell(using: row, for: path, item: item)
    }
    dataSource.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: title, for: path)
    }
    view.list.delegate = self
    view.onThemeChange = { [weak self] in self?.reconfigure() }
    (self.view, self.dataSource) = (view, dataSource)
    view.isHidden = true
    host.addSideBar(view)
    return view
  }

  /// Whether the side bar is shown.
  var isShown: Bool {
    get { view.map { !$0.isHidden } ?? false }
    set {
      guard newValue != isShown else { return }
      let view = view ?? makeView()
      view.isHidden = !newValue
      if newValue {
        content.recents = latestRecents
        host.window?.addParticipant(view.list)
        show()
        libraryDidChange()
      } else {
        host.window?.removeParticipant(view.list)
        cancelCount()
        if isFocused { host.restoreKeyboardFocus() }
      }
      host.sideBarDidChange()
    }
  }

  /// Lets the list take part in the frames of a window, if it was shown before there was one.
  func attach(to window: Window) { if isShown, let view { window.addParticipant(view.list) } }

  // MARK: - Layout

  /// Whether the side bar, if it is shown, covers photographs.
  private var coversPhotographs = false

  /// Lays the view out at the leading edge of an area.
  ///
  /// - Returns: The start and the width of what is left beside it.
  func layout(in area: Rect) -> (start: Double, width: Double) {
    let width = min(SideBarController.width, area.width)
    view?.frame = Rect(x: area.minX, y: area.minY, width: width, height: area.height)
    coversPhotographs = area.width < 2.5 * SideBarController.width
    let taken = isShown && !coversPhotographs ? width : 0
    return (area.minX + taken, area.width - taken)
  }

  /// Hides the side bar if it covers photographs, after a choice in it or a press next to it.
  func hideIfCovering() { if isShown, coversPhotographs { isShown = false } }

  // MARK: - Keyboard focus

  /// Whether the list has the keyboard focus.
  var isFocused: Bool { view.map { host.window?.firstResponder === $0.list } ?? false }

  /// Moves the keyboard focus to the row that had it last, or to the first one.
  func focus() {
    guard let list = view?.list else { return }
    host.moveKeyboardFocus(to: list)
    if list.itemCount > 0 {
      list.focusItem(at: min(list.selection.lead ?? 0, list.itemCount - 1), selects: false, animated: false)
    }
    focusDidMove()
  }

  /// Draws the ring of the focused row or removes it, because it is shown only while the list has the keyboard focus.
  func focusDidMove() { view?.list.setNeedsDisplay() }

  /// Ends the keyboard focus, and hides the side bar if it covers photographs, before a press next to it.
  func pressWillBegin(at point: Point) {
    guard isShown, let view, !view.frame.contains(point) else { return }
    if isFocused { host.restoreKeyboardFocus() }
    hideIfCovering()
  }

  /// Handles Escape while the list has the keyboard focus.
  ///
  /// - Returns: Whether the event was handled.
  func handle(_ event: InputEvent) -> Bool {
    guard case .keyDown(.escape, _, _) = event.kind else { return false }
    host.restoreKeyboardFocus()
    hideIfCovering()
    return true
  }

  // MARK: - Rows

  private func cancelCount() {
    count?.cancel()
    count = nil
  }

  private func configure(_ cell: SideBarRow, _ item: SideBarItem) {
    let icon = item.icon.map { kind -> SharedIcon in
      let icon = icons[kind] ?? SharedIcon(kind)
      icons[kind] = icon
      return icon
    }
    cell.show(
      title: item.title, icon: icon, count: counts[item], isOn: isOn(item), theme: host.theme
    ) { [weak self] in self?.perform(item) }
  }

  /// Returns whether what a row stands for is shown.
  private func isOn(_ item: SideBarItem) -> Bool {
    if let query = item.query { return host.searchFieldText == query }
    switch item {
    case .place(let path), .recent(let path): return host.roots == [path]
    default: return false
    }
  }

  /// Performs what a click on a row does.
  func perform(_ item: SideBarItem) {
    hideIfCovering()
    switch item {
    case .folder(let path), .place(let path), .recent(let path): host.openFolder(path)
    case .year(let year):
      let isOpen = content.openYear == year && isOn(item)
      content.openYear = isOpen ? nil : year
      host.searchFromSideBar(isOpen ? "" : item.query ?? "")
      show()
    case .month: host.searchFromSideBar(isOn(item) ? "" : item.query ?? "")
    }
  }

  // MARK: - Content

  /// Shows other places and folders that were open lately.
  func setPlaces(_ places: [PhotoPath], recents: [PhotoPath]) {
    latestRecents = recents
    let recents = isShown ? content.recents.inPlace(of: recents) : recents
    guard places != content.places || recents != content.recents else { return }
    (content.places, content.recents) = (places, recents)
    if isShown { show() }
  }

  /// Shows which rows stand for the search.
  func searchDidChange() { if isShown { reconfigure() } }

  /// Counts the photographs again, because some were found or removed.
  func libraryDidChange() {
    guard isShown else { return }
    needsCount = true
    countIfNeeded()
  }

  /// Ends the count of the last library.
  func libraryDidClose() {
    cancelCount()
    content.outline = LibraryOutline()
    content.openYear = nil
    if isShown { show() }
  }

  /// Whether a count has ended, which needs a frame.
  var hasPendingResult: Bool { count?.hasResult ?? false }

  /// Shows the result of a count that has ended.
  func collect() {
    guard let outline = count?.takeResult() else { return }
    count = nil
    show(outline)
    countIfNeeded()
  }

  private func show(_ outline: LibraryOutline?) {
    guard let outline, outline != content.outline else { return }
    content.outline = outline
    show()
  }

  private func countIfNeeded() {
    guard needsCount, count == nil, isShown else { return }
    needsCount = false
    let (source, roots) = (host.outlineSource, host.roots)
    let records = source.records.readOnlyCopy
    count = host.arrangementThread?.makeTask { isCancelled in
      LibraryOutline(source.items.itemIdentifiers, of: records, roots: roots, isCancelled: isCancelled)
    }
    if count == nil { show(LibraryOutline(source.items.itemIdentifiers, of: records, roots: roots)) }
  }

  /// Shows the content.
  private func show() {
    counts = content.counts
    var snapshot = DiffableDataSourceSnapshot<SideBarSection, SideBarItem>()
    for section in SideBarSection.allCases {
      let items = content.items(of: section)
      guard !items.isEmpty else { continue }
      snapshot.appendSections([section])
      snapshot.appendItems(items, toSection: section)
    }
    dataSource?.apply(snapshot, animatingDifferences: view?.list.visibleCells.isEmpty == false)
    reconfigure()
  }

  private func reconfigure() {
    if let dataSource { dataSource.reconfigureItems(dataSource.snapshot().itemIdentifiers) }
  }
}

extension SideBarController: CollectionViewDelegate {
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    // Only for Enter, because the rows handle presses.
    if let item = dataSource?.itemIdentifier(for: indexPath) { perform(item) }
  }
}

/// The view of the side bar: a list on the color of the bars.
final class SideBarView: View, ThemedView {
  /// The list.
  let list: CollectionView
  /// The colors.
  var theme: Theme {
    didSet { if theme != oldValue { themeDidChange() } }
  }
  /// Called when the colors changed, which the rows receive when they are configured.
  var onThemeChange: () -> Void = {}

  init(theme: Theme) {
    self.theme = theme
    list = CollectionView(layout: SideBarView.makeLayout())
    super.init()
    list.allowsFocus = true
    addSubview(list)
    themeDidChange()
  }

  private func themeDidChange() {
    backgroundColor = theme.bar
    list.scrollIndicator.color = theme.indicator
    list.reconfigureSupplementaryViews()
    onThemeChange()
  }

  /// The element kind of the titles of sections.
  nonisolated static let titleKind = "title"

  private static func makeLayout() -> CompositionalLayout {
    CompositionalLayout { _, environment in
      var list = CollectionLayoutListConfiguration(appearance: .plain)
      list.rowHeight = .absolute(SideBarRow.height)
      list.showsSeparators = false
      var section = CollectionLayoutSection.list(using: list, layoutEnvironment: environment)
      section.contentInsets = DirectionalEdgeInsets(top: 0, leading: 8, bottom: 8, trailing: 8)
      section.boundarySupplementaryItems = [
        CollectionLayoutBoundarySupplementaryItem(
          layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(SideBarHeader.height)),
          elementKind: titleKind, alignment: .top)
      ]
      return section
    }
  }

  override func layoutSubviews() {
    list.frame = Rect(x: 0, y: 0, width: max(0, bounds.width - 1), height: bounds.height)
  }

  override func draw(in context: DrawContext) {
    let hairline = 1 / context.scale.pixelsPerPoint
    context.fill(Rect(x: bounds.width - hairline, y: 0, width: hairline, height: bounds.height), theme.separator)
  }
}

extension [PhotoPath] {
  /// Returns the same paths as other ones, those of this list in its order, after those that it does not contain.
  fileprivate func inPlace(of paths: [PhotoPath]) -> [PhotoPath] {
    paths.filter { !contains($0) } + filter(paths.contains)
  }
}
