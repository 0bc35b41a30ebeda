/// The scenes of a library and where their files lie.
struct SampleNames: Sendable {
  let album: SceneAlbum
  let folder: [UInt8]

  /// Where the picture of a scene lies: four digits, so that names sort as indices do, and what it shows.
  func path(of scene: LandscapeScene) -> [UInt8] {
    let number = "\(scene.index + 1)"
    let padding = String(repeating: "0", count: max(0, 4 - number.count))
    return folder + Array("/\(padding)\(number) \(scene.title).jpg".utf8)
  }

  /// Where this process writes a picture before it is whole.
  func temporaryPath(at index: Int) -> [UInt8] {
    folder + Array("/.part-\(FolderCalls.processNumber)-\(index)".utf8)
  }
}
