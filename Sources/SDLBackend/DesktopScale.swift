/// How many pixels a point has on X, where no one says so but what programs have agreed to read.
///
/// `GDK_SCALE`, else `QT_SCALE_FACTOR`, else the resource `Xft.dpi` that desktops set, in parts of 96. In quarters, from 1 to 4:
/// a resolution of 98 dots an inch is meant as 96.
package nonisolated enum DesktopScale {
  /// Decides.
  ///
  /// - Parameters:
  ///   - value: the value of a variable of the environment.
  ///   - resources: the server's resource data base, a line for each; nothing where it has none.
  package static func pixelsPerPoint(environment value: (String) -> String?, resources: String?) -> Double {
    let named = value("GDK_SCALE").flatMap(positiveNumber) ?? value("QT_SCALE_FACTOR").flatMap(positiveNumber)
    return roundedToQuarters(named ?? resources.flatMap(dotsPerInch).map { $0 / 96 } ?? 1)
  }

  /// The resource `Xft.dpi`, the last one where there are several.
  private static func dotsPerInch(in resources: String) -> Double? {
    var found: Double?
    for line in resources.split(separator: "\n") {
      let pieces = line.split(separator: ":", maxSplits: 1)
      guard pieces.count == 2, trimmed(pieces[0]) == "Xft.dpi" else { continue }
      found = positiveNumber(trimmed(pieces[1])) ?? found
    }
    return found
  }

  private static func positiveNumber(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  private static func roundedToQuarters(_ scale: Double) -> Double { max(1, min(4, (scale * 4).rounded() / 4)) }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
  }
}
