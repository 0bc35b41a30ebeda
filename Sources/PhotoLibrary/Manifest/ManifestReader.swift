import FoundationEssentials
import Geometry
public import ImagePipeline

/// Reads lists of pictures: JSON of the form
/// `{"items": [{"id", "url", "title", "width", "height", "date", "likes"}]}`, of which only the address has to be there.
///
/// No bytes make it stop the program. What is wrong with an entry costs that entry, or the part that is wrong, and is counted.
public enum ManifestReader {
  /// The most bytes of a list.
  public static let maximumBytes = 32 << 20
  /// The most bytes of a title that are kept.
  static let maximumTitleBytes = 1_024

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - bytes: the list.
  ///   - base: the address of the list, which relative addresses in it begin at; where there is none, they are none.
  ///   - isFromPublicServer: whether a server of the internet gave it: then it may not name this machine or its neighbours.
  /// - Throws: ``ManifestError`` where it is no list at all.
  /// - Complexity: O(bytes); some milliseconds a thousand entries, so not for the thread that draws.
  public static func read(
    _ bytes: [UInt8], base: RemoteURL? = nil, isFromPublicServer: Bool = false
  ) throws(ManifestError) -> Manifest {
    try read(bytes, base: base, isFromPublicServer: isFromPublicServer, mostItems: Manifest.maximumItems)
  }

  /// Reads a list of no more than so many entries.
  static func read(
    _ bytes: [UInt8], base: RemoteURL?, isFromPublicServer: Bool = false, mostItems: Int
  ) throws(ManifestError) -> Manifest {
    guard bytes.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
    let document: ManifestDocument
    do {
      let decoder = JSONDecoder()
      if let key = ManifestDocument.maximumItemsKey { decoder.userInfo[key] = mostItems }
      document = try decoder.decode(ManifestDocument.self, from: Data(bytes))
    } catch DecodingError.dataCorrupted {
      throw .notJSON
    } catch {
      throw .noItems
    }
    var flaws: [Manifest.Flaw: Int] = [:]
    var items: [ManifestItem] = []
    items.reserveCapacity(document.entries.count)
    var names: Set<String> = []
    if document.surplusCount > 0 { flaws[.tooMany] = document.surplusCount }
    for entry in document.entries {
      guard let entry else {
        flaws[.notAnObject, default: 0] += 1
        continue
      }
      guard let url = entry.address.flatMap({ text in base.map { $0.resolving(text) } ?? RemoteURL(text) }) else {
        flaws[.noAddress, default: 0] += 1
        continue
      }
      guard !isFromPublicServer || !url.isPrivate else {
        flaws[.privateAddress, default: 0] += 1
        continue
      }
      let id = entry.id ?? url.text
      guard names.insert(id).inserted else {
        flaws[.duplicate, default: 0] += 1
        continue
      }
      for flaw in entry.flaws { flaws[flaw, default: 0] += 1 }
      items.append(
        ManifestItem(
          id: id, url: url, title: title(entry.title, of: url), size: entry.size, captureTime: entry.captureTime,
          likes: entry.likes))
    }
    return Manifest(items: items, flaws: flaws)
  }

  /// The title of an entry, else the last step of its address.
  private static func title(_ given: String?, of url: RemoteURL) -> String {
    if let given, !given.isEmpty {
      return given.utf8.count <= maximumTitleBytes
        ? given : String(decoding: given.utf8.prefix(maximumTitleBytes), as: UTF8.self)
    }
    let path = url.description.prefix { $0 != "?" }
    return String(path.split(separator: "/").last ?? "")
  }
}
