// The code of the article “Pictures”.
import CollectionUI
import FoundationEssentials
import VitrineHosting
import VitrineImages

/// A cell that shows a picture, or a gray surface until it is loaded.
final class PhotoCell: CollectionViewCell {
  let picture = ImageView()

  required init() {
    super.init()
    picture.placeholderColor = Color(hex: 0x26272D)
    addSubview(picture)
  }

  override func layoutSubviews() { picture.frame = bounds }
}

/// A grid of the pictures of a folder, which are loaded before they are visible.
@MainActor
final class PhotoGrid {
  let view = CollectionView(layout: GridLayout(columns: .minimumWidth(180), columnSpacing: 2, rowSpacing: 2))
  private let assets: AssetStore<FileAssetSource<String>>
  private var loads: [String: any Cancellable] = [:]
  private lazy var source = makeSource()

  init(pipeline: ImagePipeline) {
    let files = FileAssetSource<String> { path in StoredImage(path: Array(path.utf8)) }
    let size = PixelSize(width: 256, height: 256) ?? .maximum
    assets = AssetStore(pipeline: pipeline, source: files, form: .thumbnail(size))
  }

  private func makeSource() -> DiffableDataSource<Int, String> {
    let registration = CellRegistration<PhotoCell, String> { [weak self] cell, _, path in
      guard let self else { return }
      let asset = assets.fetchByID(path)
      if asset.isPlaceholder { load(path) }
      cell.picture.image = asset.image
    }
    let source = DiffableDataSource<Int, String>(collectionView: view) { view, indexPath, path in
      view.dequeueConfiguredReusableCell(using: registration, for: indexPath, item: path)
    }
    source.prefetching = self
    return source
  }

  private func load(_ path: String, deadline: FrameInstant = .onScreen) {
    let before = loads[path]
    loads[path] = assets.loadAssetByID(path, deadline: deadline) { [weak self] _ in
      self?.loads[path] = nil
      // The item, not the cell: the cell may show another picture by now.
      self?.source.reconfigureItems([path])
    }
    before?.cancel()
  }

  func show(_ paths: [String]) {
    var snapshot = DiffableDataSourceSnapshot<Int, String>()
    snapshot.appendSections([0])
    snapshot.appendItems(paths)
    source.apply(snapshot)
  }
}

extension PhotoGrid: DataPrefetching {
  func prefetchItems(_ paths: [String]) {
    for path in paths where assets.fetchByID(path).isPlaceholder { load(path, deadline: .zero) }
  }

  func cancelPrefetchingItems(_ paths: [String]) {
    for path in paths { loads.removeValue(forKey: path)?.cancel() }
  }
}

/// The settings of the program: those of its window, and a folder.
struct PhotoSettings: ProgramSettings {
  var common = HostingOptions()
  var folder = "."

  static let options = [
    CommandOption<PhotoSettings>("--folder", "PATH", "the folder of pictures (default: this one)") {
      (settings, text) throws(UsageError) in settings.folder = text
    }
  ]
}

@main
@MainActor
struct Photos {
  static func main() {
    WindowProgram("photos", summary: "Shows the pictures of a folder.", options: PhotoSettings.options)
      .main { settings, context in
        let names = try FileManager.default.contentsOfDirectory(atPath: settings.folder).sorted()
        let host = try context.openHost(settings.hosting, title: "Photos")
        defer { host.close() }
        let grid = PhotoGrid(pipeline: try host.makeImagePipeline())
        grid.show(names.filter { $0.hasSuffix(".jpg") }.map { settings.folder + "/" + $0 })
        return try withExtendedLifetime(grid) {
          try host.run(root: grid.view, scrollView: grid.view) { window, _ in
            window.firstResponder = grid.view
            window.addParticipant(grid.view)
          }
        }
      }
  }
}
