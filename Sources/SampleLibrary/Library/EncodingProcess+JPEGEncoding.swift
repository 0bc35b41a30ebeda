import DataStructures
import Geometry
public import ImagePipeline
import Rendering

/// The decoding process makes the files: the program itself links no encoder either.
extension EncodingProcess: JPEGEncoding {
  /// Starts a process that takes the largest picture that a sample library paints.
  ///
  /// - Parameter helperPath: the executable; where nothing is told, `vitrine-decode` beside the program.
  /// - Throws: `DecodingProcessError`.
  public static func forSamples(helperPath: String? = nil) throws -> EncodingProcess {
    guard let largest = PixelSize(width: SceneAlbum.longestSide, height: SceneAlbum.longestSide) else {
      failPrecondition("the longest side of a sample picture is out of range")
    }
    return try EncodingProcess(largest: largest, helperPath: helperPath)
  }
}
