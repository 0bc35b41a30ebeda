import CollectionEngine
import CollectionLayout
import CollectionUI
import DiffableData
import struct FoundationEssentials.IndexPath
import Geometry
import PhotoLibrary
import Rendering
import Threads
import Views

/// What ``SideBarController`` needs from the screen.
protocol SideBarHost: AnyObject {
  /// All photographs of the library and their records.
  var outlineSource: (items: LibraryArrangement.Snapshot, records: any PhotoRecords, roots: [PhotoPath]) { get }
  /// The text of the search.
  var searchFieldText: String { get }
  /// The colors.
  var theme: Theme { get }
  /// The function that wakes the loop from another thread, or nil to count the photographs in the frame.
  var wake: (@Sendable () -> Void)? { get }
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
/// - At most one thread counts. What changed meanwhile is counted after it.
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
  private var results = Mailbox<LibraryOutline?>()
  private var isCounting = false
  private var needsCount = false
  /// A flag that ends the running count.
  private var cancellation = CountCancellation()

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
        show()
        libraryDidChange()
      } else {
        cancellation.cancel()
      }
    }
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
    case .place(let path), .recent(let path): return host.outlineSource.roots == [path]
    default: return false
    }
  }

  /// Performs what a click on a row does.
  func perform(_ item: SideBarItem) {
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
    cancellation.cancel()
    // A count that has ended belongs to the last library.
    (results, isCounting) = (Mailbox(), false)
    content.outline = LibraryOutline()
    content.openYear = nil
    if isShown { show() }
  }

  /// Whether a count has ended, which needs a frame.
  var hasPendingResult: Bool { isCounting && !results.isEmpty }

  /// Shows the result of a count that has ended.
  func collect() {
    guard isCounting else { return }
    let messages = results.takeMessages().messages
    guard let last = messages.last else { return }
    isCounting = false
    if let outline = last { show(outline) }
    countIfNeeded()
  }

  private func show(_ outline: LibraryOutline) {
    guard outline != content.outline else { return }
    content.outline = outline
    show()
  }

  private func countIfNeeded() {
    guard needsCount, !isCounting, isShown else { return }
    needsCount = false
    let source = host.outlineSource
    guard let wake = host.wake else {
      if let outline = LibraryOutline(source.items.itemIdentifiers, of: source.records, roots: source.roots) {
        show(outline)
      }
      return
    }
    isCounting = true
    cancellation = CountCancellation()
    let (records, results, cancellation) = (source.records.readOnlyCopy, results, cancellation)
    do throws(ThreadError) {
      let thread = try WorkerThread(name: "outline") {
        let outline = LibraryOutline(source.items.itemIdentifiers, of: records, roots: source.roots) {
          cancellation.isCancelled
        }
        results.post(outline)
        wake()
      }
      // It only accesses memory, so it does not have to be joined at exit.
      thread.detach()
    } catch {
      isCounting = false
    }
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

extension SideBarController: CollectionViewDelegate, CollectionViewInteractionDelegate {
  func collectionView(_ view: CollectionView, performPrimaryActionForItemAt indexPath: IndexPath) {
    // Only for Enter, because the rows handle presses.
    if let item = dataSource?.itemIdentifier(for: indexPath) { perform(item) }
  }
}

/// A flag that another thread reads.
private nonisolated final class CountCancellation: Sendable {
  private let flag = Lock(false)
  /// Whether the work is no longer needed.
  var isCancelled: Bool { flag.withLock { $0 } }
  /// Sets the flag.
  func cancel() { flag.withLock { $0 = true } }
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
