// swift-tools-version: 6.2
import PackageDescription

/// A program that passes libFuzzer's bytes to one reader of the target FuzzedReaders; libFuzzer provides `main`.
func fuzzer(_ name: String) -> Target {
  .executableTarget(
    name: "Fuzz" + name, dependencies: [.product(name: "FuzzedReaders", package: "vitrine")], path: name,
    swiftSettings: [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
      .unsafeFlags(["-parse-as-library"]),
    ])
}

let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "vitrine", path: "..")],
  targets: [
    fuzzer("Animations"),
    fuzzer("Answers"),
    fuzzer("Boxes"),
    fuzzer("Catalogue"),
    fuzzer("Codes"),
    fuzzer("Exif"),
    fuzzer("Headers"),
    fuzzer("Manifest"),
    fuzzer("Shared"),
    fuzzer("Storage"),
    fuzzer("Tiff"),
  ],
  swiftLanguageModes: [.v6]
)
