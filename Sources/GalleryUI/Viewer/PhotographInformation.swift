import VitrineGeometry
import VitrineImageMetadata
import VitrinePhotoLibrary

/// A line of the information about a photograph.
nonisolated struct InformationRow: Hashable, Sendable {
  /// What the line states.
  var title: String
  /// The value.
  var value: String
  /// The address that a press of the value opens, or nil.
  var address: String?
}

/// What is known about a photograph, as text.
///
/// The library knows some of it at once. The rest is read from the file on request.
nonisolated struct PhotographInformation: Hashable, Sendable {
  /// The name.
  var name = ""
  /// The capture time in seconds since 1970, or that of the last change of a file that states none, or nil.
  var time: Int64?
  /// The size in pixels, or nil if it is unknown.
  var size: PixelSize?
  /// The size of the file in bytes, or 0 if it is unknown.
  var byteCount: Int64 = 0
  /// The camera, or nil if it is unknown.
  var camera: String?
  /// The folder for display, or nil if the photograph has no file.
  var folder: String?
  /// What the file states, or nil if it has not been read.
  var file: PhotographFile?

  /// The lines, without those whose value is unknown.
  var rows: [InformationRow] {
    let settings = file?.settings
    let header = file?.header
    let moment = (header?.captureTime ?? time).map { CalendarMoment(secondsSince1970: $0).text }
    // Most photographs state when they were taken. The time of a change stands in its place, so that no line moves.
    let isTaken = header == nil || header?.captureTime != nil
    let bytes = file?.byteCount ?? byteCount
    let values: [(String, String?)] = [
      (isTaken ? "Taken" : "Changed", moment),
      ("Size", (header?.size ?? size).map(InformationFormat.extent)),
      ("File", [header?.format.name, bytes > 0 ? CountFormat.bytes(bytes) : nil].joinedText),
      ("Camera", header?.camera ?? camera),
      ("Lens", settings?.lens),
      ("Exposure", settings?.exposureTime.map(InformationFormat.exposureTime)),
      ("Aperture", settings?.aperture.map(InformationFormat.aperture)),
      ("ISO", settings?.sensitivity.map { String($0) }),
      (
        "Focal length",
        settings.flatMap { InformationFormat.focalLength($0.focalLength, in35mmFilm: $0.focalLengthIn35mmFilm) }
      ),
      ("Folder", folder),
    ]
    var rows = values.compactMap { title, value in value.map { InformationRow(title: title, value: $0) } }
    if let place = header?.location {
      rows.append(
        InformationRow(title: "Place", value: InformationFormat.place(place), address: placeAddress))
    }
    return rows
  }

  /// The address of a map of the place, or nil if the place is unknown.
  var placeAddress: String? { (file?.header?.location).map(InformationFormat.mapAddress) }
}

extension [String?] {
  /// The texts with commas between them, or nil if there are none.
  fileprivate nonisolated var joinedText: String? {
    let texts = compactMap { $0 }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}

/// The texts of the information about a photograph.
nonisolated enum InformationFormat {
  /// Returns a size in pixels, with the number of millions of them: `4032 × 3024, 12.2 MP`.
  static func extent(_ size: PixelSize) -> String {
    let millions = Double(size.area) / 1_000_000
    let text = "\(size.width) × \(size.height)"
    return millions < 0.05 ? text : "\(text), \(decimal(millions, places: 1)) MP"
  }

  /// Returns an exposure time as cameras show it: `1/250 s`, `0.3 s`, `1.5 s`, `30 s`.
  static func exposureTime(_ seconds: Double) -> String {
    guard seconds < 1 else { return "\(shortDecimal(seconds)) s" }
    let divisor = (1 / seconds).rounded()
    // Between 1/4 s and 1 s, most times are no such fraction.
    let isFraction = seconds < 0.25 || (divisor * seconds - 1).magnitude < 0.02
    guard isFraction, divisor < 1e9 else { return "\(shortDecimal(seconds)) s" }
    return "1/\(Int(divisor)) s"
  }

  /// Returns an f-number: `f/2.8`, `f/8`.
  static func aperture(_ number: Double) -> String { "f/\(shortDecimal(number))" }

  /// Returns a focal length, and that of 35 mm film if it is another one, or nil if neither is known: `4.2 mm (26 mm equiv.)`.
  static func focalLength(_ length: Double?, in35mmFilm equivalent: Int?) -> String? {
    guard let length else { return equivalent.map { "\($0) mm equiv." } }
    let text = "\(length < 10 ? shortDecimal(length) : decimal(length, places: 0)) mm"
    guard let equivalent, (Double(equivalent) - length).magnitude >= 1 else { return text }
    return "\(text) (\(equivalent) mm equiv.)"
  }

  /// Returns a location: `48.8584° N, 2.2945° E`.
  static func place(_ location: GeographicLocation) -> String {
    let (latitude, longitude) = (location.latitude, location.longitude)
    return "\(decimal(latitude.magnitude, places: 4))° \(latitude < 0 ? "S" : "N"), "
      + "\(decimal(longitude.magnitude, places: 4))° \(longitude < 0 ? "W" : "E")"
  }

  /// Returns the address of a map of a location, with a marker there.
  static func mapAddress(of location: GeographicLocation) -> String {
    func degrees(_ value: Double) -> String { (value < 0 ? "-" : "") + decimal(value.magnitude, places: 6) }
    let (latitude, longitude) = (degrees(location.latitude), degrees(location.longitude))
    return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=15/\(latitude)/\(longitude)"
  }

  /// Returns a number with at most one decimal place.
  private static func shortDecimal(_ value: Double) -> String {
    let text = decimal(value, places: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Returns a number that is not negative with a number of decimal places.
  static func decimal(_ value: Double, places: Int) -> String {
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let units = Int((min(value, 1e12) * Double(scale)).rounded())
    guard places > 0 else { return String(units) }
    let fraction = String(units % scale)
    return "\(units / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
