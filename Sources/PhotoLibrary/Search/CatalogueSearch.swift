import VitrineGeometry
import VitrineImageMetadata

/// A search through the rows of a catalogue in their order in memory.
///
/// Folders and cameras, of which a library has few, are tested once, before the rows. The test of a row retains nothing.
struct CatalogueSearch {
  /// A text of the filter: a range of ``patterns``.
  private struct Text {
    let pattern: Range<Int>
    let isASCII: Bool
  }

  private let filter: PhotoFilter
  private let catalogue: PhotoCatalogue
  private let texts: [Text]
  /// The patterns of all texts.
  private let patterns: [UInt16]
  /// For each text of the filter, whether it occurs in the path of each folder, by number.
  private let isInFolder: [Bool]
  /// For each text of the filter, whether it occurs in the name of each camera, by number.
  private let isInCamera: [Bool]

  /// Prepares a search.
  ///
  /// - Complexity: O(*f* + *c*) for *f* folders and *c* cameras.
  init(_ filter: PhotoFilter, in catalogue: PhotoCatalogue) {
    self.filter = filter
    self.catalogue = catalogue
    var patterns: [UInt16] = []
    texts = filter.texts.map { text in
      patterns += text.pattern
      return Text(pattern: patterns.count - text.pattern.count..<patterns.count, isASCII: text.isASCII)
    }
    self.patterns = patterns
    isInFolder = filter.texts.flatMap { text in
      (0..<catalogue.folders.count).map { text.occurs(in: filter.searchedPart(of: catalogue.folders[UInt32($0)])) }
    }
    isInCamera = filter.texts.flatMap { text in
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
    filter.withTests { tests in
      withTexts { texts in
        var next = rows.lowerBound
        while next < rows.upperBound {
          catalogue.rows.withElements(from: next) { elements in
            let elements = elements.prefix(rows.upperBound - next)
            search(elements, from: next, tests, texts, report)
            next += elements.count
          }
        }
      }
    }
  }

  /// Tests rows of one page, those with names in the same page of names at a time.
  @inline(__always)
  private func search(
    _ elements: UnsafeBufferPointer<CatalogueRow>.SubSequence, from first: Int, _ tests: PhotoFilter.Tests,
    _ texts: SearchedTexts, _ report: (Int, Bool) -> Void
  ) {
    let datesByFile = catalogue.datesByFile
    var index = elements.startIndex
    while index < elements.endIndex {
      let page = NameArena.page(of: elements[index].nameOffset)
      catalogue.names.withPage(page) { bytes in
        while index < elements.endIndex, NameArena.page(of: elements[index].nameOffset) == page {
          let row = elements[index]
          let photo = CataloguePhoto(
            row: row, name: NameArena.name(at: row.nameOffset, in: bytes), datesByFile: datesByFile, texts: texts)
          report(first + index - elements.startIndex, tests.find(photo))
          index += 1
        }
      }
    }
  }

  private func withTexts(_ body: (SearchedTexts) -> Void) {
    texts.withUnsafeBufferPointer { texts in
      patterns.withUnsafeBufferPointer { patterns in
        isInFolder.withUnsafeBufferPointer { isInFolder in
          isInCamera.withUnsafeBufferPointer { isInCamera in
            body(
              SearchedTexts(
                texts: texts, patterns: patterns, isInFolder: isInFolder, folderCount: catalogue.folders.count,
                isInCamera: isInCamera, cameraCount: catalogue.cameras.count + 1))
          }
        }
      }
    }
  }

  /// The texts of a search, valid during a call.
  private struct SearchedTexts {
    let texts: UnsafeBufferPointer<Text>
    let patterns: UnsafeBufferPointer<UInt16>
    let isInFolder: UnsafeBufferPointer<Bool>
    let folderCount: Int
    let isInCamera: UnsafeBufferPointer<Bool>
    let cameraCount: Int
  }

  /// A row, and the bytes of its name.
  private struct CataloguePhoto: SearchedPhoto {
    let row: CatalogueRow
    let name: UnsafeBufferPointer<UInt8>
    let datesByFile: Bool
    let texts: SearchedTexts

    var time: Int64? { row.time(datesByFile: datesByFile) }
    var format: ImageFormat? { row.format }
    var byteCount: Int64 { row.byteCount }
    var size: PixelSize? { row.size }
    var rating: Int { Int(row.rating) }
    var hasLocation: Bool { row.hasLocation }

    func isText(_ number: Int, in places: PhotoTest.Places) -> Bool {
      if places.contains(.folder), texts.isInFolder[number * texts.folderCount + Int(row.folderNumber)] { return true }
      if places.contains(.camera), texts.isInCamera[number * texts.cameraCount + Int(row.cameraNumber)] { return true }
      guard places.contains(.name) else { return false }
      let text = texts.texts[number]
      return SearchText.occurs(
        UnsafeBufferPointer(rebasing: texts.patterns[text.pattern]), isASCII: text.isASCII, in: name)
    }
  }
}
