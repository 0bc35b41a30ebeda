import Geometry
import ImageMetadata

/// A search through the rows of a catalogue in their order in memory.
///
/// Folders and cameras, of which a library has few, are tested once, before the rows.
struct CatalogueSearch {
  private let filter: PhotoFilter
  private let catalogue: PhotoCatalogue
  /// For each text of the filter, whether it occurs in the path of each folder, by number.
  private let folders: [[Bool]]
  /// For each text of the filter, whether it occurs in the name of each camera, by number.
  private let cameras: [[Bool]]

  /// Prepares a search.
  ///
  /// - Complexity: O(*f* + *c*) for *f* folders and *c* cameras.
  init(_ filter: PhotoFilter, in catalogue: PhotoCatalogue) {
    self.filter = filter
    self.catalogue = catalogue
    folders = filter.texts.map { text in
      (0..<catalogue.folders.count).map {
        text.occurs(in: filter.searchedPart(of: catalogue.folders[UInt32($0)]))
      }
    }
    cameras = filter.texts.map { text in
      (0...catalogue.cameras.count).map {
        catalogue.cameras[UInt16($0)].map { text.occurs(in: $0.utf8) } ?? false
      }
    }
  }

  /// Tests a range of rows.
  ///
  /// - Parameter report: Called with each row and whether the filter finds it.
  @inline(__always)
  func search(_ rows: Range<Int>, report: (Int, Bool) -> Void) {
    var next = rows.lowerBound
    while next < rows.upperBound {
      let first = next
      catalogue.rows.withElements(from: first) { elements in
        let elements = elements.prefix(rows.upperBound - first)
        let start = elements.startIndex
        var index = start
        while index < elements.endIndex {
          let page = NameArena.page(of: elements[index].nameOffset)
          catalogue.names.withPage(page) { bytes in
            while index < elements.endIndex, NameArena.page(of: elements[index].nameOffset) == page {
              let row = elements[index]
              let photo = CataloguePhoto(
                row: row, name: NameArena.name(at: row.nameOffset, in: bytes), search: self)
              report(first + index - start, filter.finds(photo))
              index += 1
            }
          }
        }
        next = first + elements.count
      }
    }
  }

  /// A row, and the bytes of its name.
  private struct CataloguePhoto: SearchedPhoto {
    let row: CatalogueRow
    let name: UnsafeBufferPointer<UInt8>
    let search: CatalogueSearch

    var time: Int64? { row.time(datesByFile: search.catalogue.datesByFile) }
    var format: ImageFormat? { row.format }
    var byteCount: Int64 { row.byteCount }
    var size: PixelSize? { row.size }
    var rating: Int { Int(row.rating) }

    func isText(_ number: Int, in places: PhotoTest.Places) -> Bool {
      (places.contains(.folder) && search.folders[number][Int(row.folderNumber)])
        || (places.contains(.camera) && search.cameras[number][Int(row.cameraNumber)])
        || (places.contains(.name) && search.filter.texts[number].occurs(in: name))
    }
  }
}
