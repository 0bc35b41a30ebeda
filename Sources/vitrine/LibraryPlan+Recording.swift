import GalleryUI
import Geometry
import Hosting
import PhotoLibrary

extension LibraryConfiguration {
  /// What a recording is to tell of the run.
  ///
  /// - Parameters:
  ///   - settled: options that say what was settled without being asked for.
  ///   - library: the photographs that were shown; nothing where they are others than the run began with.
  func makeRecordedLibrary(settled: [ParsedOption], _ library: LibraryModel?) -> RecordedLibrary {
    var recorded = RecordedLibrary()
    recorded.options = settled
    recorded.workingFolder = PercentEncoding.text(of: PhotoPath(".").absolute.bytes)
    recorded.wantedPath = wantedPath.map { PercentEncoding.text(of: $0.bytes) }
    switch source {
    case .roots(let roots): recorded.operands = roots.map { PercentEncoding.text(of: $0.path.bytes) }
    case .recorded(_, let places): recorded.operands = places.map { PercentEncoding.text(of: $0.bytes) }
    case .manifests: recorded.operands = givenOperands.map { PercentEncoding.text(of: $0) }
    case .samples(let count): recorded.options.append(ParsedOption("--sample", "\(count)"))
    case .synthetic(let count): recorded.options.append(ParsedOption("--synthetic", "\(count)"))
    }
    // What another scan has missed stays in the catalogue: the listing would be of more than there is.
    guard listsFiles else { return recorded }
    guard let library, library.isComplete, let catalogue = library.catalogue as? PhotoCatalogue,
      library.count == catalogue.count
    else {
      Console(program: "vitrine").printError(
        "--record: not all photographs were read, or others were shown; the recording names the folder, and no files")
      return recorded
    }
    recorded.files = catalogue.listing.map { file in
      RecordedFile(
        path: PercentEncoding.text(of: file.path.bytes), bytes: file.byteCount, modified: file.modificationNanoseconds,
        width: file.size?.width, height: file.size?.height, taken: file.captureTime)
    }
    return recorded
  }

  /// Whether its photographs are files of the user's.
  private var listsFiles: Bool {
    switch source {
    case .roots, .recorded: true
    default: false
    }
  }
}
