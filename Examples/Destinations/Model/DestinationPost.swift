/// What is shown of a destination: its identifier never changes, all else may.
struct DestinationPost: Identifiable {
  /// Names a picture.
  typealias AssetID = Int

  let id: Int
  var region: String
  var title: String
  var caption: String
  var likes: Int
  let assetID: AssetID
}
