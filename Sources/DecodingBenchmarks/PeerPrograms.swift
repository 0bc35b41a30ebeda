import BenchmarkSupport
import Glibc

/// The small C programs that ours is measured beside; each says the nanoseconds of processor time that one picture took.
struct PeerPrograms {
  private let folder: String

  init(folder: String) { self.folder = folder }

  /// A thumbnail by libvips.
  ///
  /// - Parameter ofWhole: whether it is made of the picture itself, though a small one may lie in the file.
  func thumbnail(_ picture: MeasuredPicture, side: Int, ofWhole: Bool = false) throws(CommandError) -> Double {
    try nanoseconds(of: "vips_thumbnail", picture, side, ofWhole ? ["whole"] : [])
  }

  /// Decoding alone by libjpeg-turbo, at the scale that a thumbnail needs.
  func scaledDecode(_ picture: MeasuredPicture, side: Int) throws(CommandError) -> Double {
    try nanoseconds(of: "jpeg_scaled", picture, side)
  }

  private func nanoseconds(
    of program: String, _ picture: MeasuredPicture, _ side: Int, _ further: [String] = []
  ) throws(CommandError) -> Double {
    let text = ChildProgram.output(["\(folder)/\(program)", picture.path, "\(side)"] + further)
    let word = text?.split(whereSeparator: \.isWhitespace).first
    guard let word, let number = Double(word) else { throw CommandError("\(program): no answer for \(picture.name)") }
    return number
  }
}
