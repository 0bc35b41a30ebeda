// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The name that gives access to declarations of `package` access: some readers are not public.
///
/// SwiftPM derives it from the folder of the package.
let packageName = URL(fileURLWithPath: Context.packageDirectory).deletingLastPathComponent().lastPathComponent
  .lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()

/// A program that passes libFuzzer's bytes to one reader; libFuzzer provides `main`.
func fuzzer(_ name: String) -> Target {
  .executableTarget(
    name: "Fuzz" + name, dependencies: [.product(name: "VitrineReaders", package: "vitrine")], path: name,
    packageAccess: false,
    swiftSettings: [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
      .unsafeFlags(["-parse-as-library", "-package-name", packageName]),
    ])
}

let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "vitrine", path: "..")],
  targets: [
    fuzzer("Animations"),
    fuzzer("Answers"),
    fuzzer("Codes"),
    fuzzer("Headers"),
    fuzzer("Manifest"),
    fuzzer("Shared"),
    fuzzer("Storage"),
  ],
  swiftLanguageModes: [.v6]
)
