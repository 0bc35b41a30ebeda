import CollectionUI
import VitrineDiagnostics

/// A day, or an empty place before the first day of a month.
nonisolated struct CalendarDay: Hashable, Sendable {
  /// The number of months since January 1900.
  var month: Int
  /// The day of the month from 1 on, or 0 and less before the first day.
  var day: Int
}

/// The months of the Gregorian calendar, by their number since January 1900.
enum CalendarMonths {
  static let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  static func title(_ month: Int) -> String { "\(names[month % 12]) \(1_900 + month / 12)" }

  static func length(_ month: Int) -> Int {
    let year = 1_900 + month / 12
    let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month % 12]
  }

  /// Returns the column of the first day, with Monday in column 0.
  ///
  /// January 1, 1900 was a Monday.
  static func firstColumn(_ month: Int) -> Int { (0..<month).reduce(0) { $0 + length($1) } % 7 }

  /// Returns the days of a month, after the empty places before its first day.
  static func days(_ month: Int, column: Int) -> [CalendarDay] {
    (1 - column...length(month)).map { CalendarDay(month: month, day: $0) }
  }
}

/// A cell with the number of a day.
final class DayCell: CollectionViewCell {
  private let label = Label(style: TextStyle(size: 16, hasMonospacedDigits: true), color: .white, alignment: .center)

  required init() {
    super.init()
    addSubview(label)
  }

  func show(_ day: CalendarDay) {
    label.text = day.day > 0 ? String(day.day) : ""
    isHidden = day.day <= 0
  }

  override func updateConfiguration(using state: CellConfigurationState) {
    label.textColor = state.isSelected ? palette.background : palette.label
    setNeedsDisplay()
  }

  override func layoutSubviews() { label.frame = bounds }

  override func draw(in context: DrawContext) {
    guard configurationState.isSelected || configurationState.isHovered else { return }
    let radius = min(bounds.width, bounds.height) / 2 - 2
    let circle = Rect(x: bounds.midX - radius, y: bounds.midY - radius, width: 2 * radius, height: 2 * radius)
    context.fill(Path(ellipseIn: circle), configurationState.isSelected ? palette.tint : palette.hover)
  }
}

/// The title of a month above the names of the weekdays, which stay at the top while the month is visible.
final class MonthHeader: CollectionReusableView {
  private let label = Label(style: TextStyle(size: 17, weight: .semibold), color: .white)
  private let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map { name in
    let label = Label(style: TextStyle(size: 12), color: .white, alignment: .center)
    label.text = name
    return label
  }
  static let height = 68.0

  required init() {
    super.init()
    addSubview(label)
    weekdays.forEach(addSubview)
  }

  func show(_ month: Int, in palette: InterfacePalette) {
    backgroundColor = palette.background
    label.text = CalendarMonths.title(month)
    label.textColor = palette.label
    for day in weekdays { day.textColor = palette.secondaryLabel }
  }

  override func layoutSubviews() {
    // The columns of the layout, which insets the header like the days.
    let column = bounds.width / 7
    label.frame = Rect(x: 14, y: 8, width: max(0, bounds.width - 28), height: 32)
    for (index, day) in weekdays.enumerated() {
      day.frame = Rect(x: column * Double(index), y: 42, width: column, height: 22)
    }
  }
}

/// The 3,600 months of three centuries, in one scrolling calendar.
@main
struct CalendarExample {
  private static let headerKind = "month"

  static func main() {
    WindowProgram<DiagnosticOptions>("vitrine-calendar", summary: "Shows the days of three centuries.").main(run)
  }

  static func run(_ options: DiagnosticOptions, in context: ProgramContext) throws -> Int32 {
    let diagnostics = RunDiagnostics(options)
    let host = try context.openHost(options.hosting, title: "Calendar", observer: diagnostics)
    defer { host.close() }
    let view = CollectionView(layout: layout)
    view.backgroundColor = view.palette.background
    view.allowsFocus = true
    let source = makeSource(view)
    diagnostics.figures = RunFigures(of: view)
    return try withExtendedLifetime(source) {
      try host.run(root: view, scrollView: view) { window, _ in
        window.firstResponder = view
        window.addParticipant(view)
        // November 2026.
        view.scrollToItem(at: IndexPath(item: 10, section: 1_522), at: .centeredVertically, animated: false)
        view.selectItem(at: IndexPath(item: 35, section: 1_522), animated: false)
      }
    }
  }

  private static var layout: CompositionalLayout {
    let day = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1.0 / 7), height: .fractionalHeight(1)))
    let week = CollectionLayoutGroup.horizontal(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(48)), repeatingSubitem: day,
      count: 7)
    var month = CollectionLayoutSection(group: week)
    month.contentInsets = DirectionalEdgeInsets(top: 0, leading: 8, bottom: 20, trailing: 8)
    var header = CollectionLayoutBoundarySupplementaryItem(
      layoutSize: CollectionLayoutSize(width: .fractionalWidth(1), height: .absolute(MonthHeader.height)),
      elementKind: headerKind,
      alignment: .top)
    header.pinToVisibleBounds = true
    month.boundarySupplementaryItems = [header]
    return CompositionalLayout(section: month)
  }

  private static func makeSource(_ view: CollectionView) -> DiffableDataSource<Int, CalendarDay> {
    let cell = CellRegistration<DayCell, CalendarDay> { cell, _, day in cell.show(day) }
    let source = DiffableDataSource<Int, CalendarDay>(collectionView: view) { view, path, day in
      view.dequeueConfiguredReusableCell(using: cell, for: path, item: day)
    }
    let header = SupplementaryRegistration<MonthHeader>(elementKind: headerKind) { [weak view] header, _, path in
      header.show(path.section, in: view?.palette ?? .dark)
    }
    source.supplementaryViewProvider = { view, _, path in
      view.dequeueConfiguredReusableSupplementary(using: header, for: path)
    }
    var snapshot = source.snapshot()
    var column = 0
    for month in 0..<3_600 {
      snapshot.appendSections([month])
      snapshot.appendItems(CalendarMonths.days(month, column: column), toSection: month)
      column = (column + CalendarMonths.length(month)) % 7
    }
    source.apply(snapshot)
    return source
  }
}
