import VitrineImageMetadata
import VitrinePhotoLibrary
import VitrineRendering

/// A section of the side bar.
nonisolated enum SideBarSection: Hashable, Sendable, CaseIterable {
  /// The folders within the one that is shown.
  case folders
  /// The places where photographs usually are, and the folders that were open lately.
  case places
  /// The years and months of the photographs.
  case dates

  /// The title of the section.
  var title: String {
    switch self {
    case .folders: "Folders"
    case .places: "Places"
    case .dates: "Dates"
    }
  }
}

/// A row of the side bar.
nonisolated enum SideBarItem: Hashable, Sendable {
  /// A folder within the one that is shown.
  case folder(PhotoPath)
  /// A place where photographs usually are.
  case place(PhotoPath)
  /// A folder that was open lately.
  case recent(PhotoPath)
  /// A year, whose months are shown while it is open.
  case year(Int)
  /// A month.
  case month(CalendarMonth)

  /// The title of the row.
  var title: String {
    switch self {
    case .folder(let path), .place(let path), .recent(let path):
      SanitizedText(bytes: path.lastComponent.isEmpty ? path.bytes[...] : path.lastComponent).string
    case .year(let year): String(year)
    case .month(let month): month.name
    }
  }

  /// The icon in front of the title, or nil for none.
  var icon: LineIcon? {
    switch self {
    case .folder, .place: .folder
    case .recent: .recent
    case .year: .calendar
    case .month: nil
    }
  }

  /// The search that finds the photographs of a year or month, or nil for a folder.
  var query: String? {
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return switch self {
    case .folder, .place, .recent: nil
    case .year(let year): padded(year, 4)
    case .month(let month): padded(month.year, 4) + "-" + padded(month.month, 2)
    }
  }
}

/// What the side bar shows.
nonisolated struct SideBarContent: Hashable, Sendable {
  /// The folders and months of the library.
  var outline = LibraryOutline()
  /// The places where photographs usually are.
  var places: [PhotoPath] = []
  /// The folders that were open lately, latest first.
  var recents: [PhotoPath] = []
  /// The year whose months are shown, or nil.
  var openYear: Int?

  /// The rows of a section.
  func items(of section: SideBarSection) -> [SideBarItem] {
    switch section {
    case .folders: outline.folders.map { .folder($0.path) }
    case .places: places.map { .place($0) } + recents.filter { !places.contains($0) }.map { .recent($0) }
    case .dates:
      outline.years.flatMap { year -> [SideBarItem] in
        let months = outline.months.filter { year.year == openYear && $0.month.year == year.year }
        return [.year(year.year)] + months.map { .month($0.month) }
      }
    }
  }

  /// The numbers of photographs of the rows that have one.
  var counts: [SideBarItem: Int] {
    var counts: [SideBarItem: Int] = [:]
    for folder in outline.folders { counts[.folder(folder.path)] = folder.count }
    for year in outline.years { counts[.year(year.year)] = year.count }
    for month in outline.months { counts[.month(month.month)] = month.count }
    return counts
  }
}
