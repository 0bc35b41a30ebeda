// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// The name that gives access to declarations of `package` access: benchmarks measure parts that clients do not see.
///
/// SwiftPM derives it from the folder of the package.
let packageName = URL(fileURLWithPath: Context.packageDirectory).deletingLastPathComponent().lastPathComponent
  .lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()

/// The settings of every target, as in the package next to this one.
let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
  // Generic code of one module that is used in another is slow without it.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
  .unsafeFlags(["-package-name", packageName]),
]

/// The products of the package next to this one.
let vitrine: [Target.Dependency] = [.product(name: "VitrineInternals", package: "vitrine")]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "vitrine", path: "..")],
  targets: [
    .target(name: "BenchmarkSupport", dependencies: vitrine, packageAccess: false, swiftSettings: common),
    .executableTarget(
      name: "Benchmarks", dependencies: vitrine + ["BenchmarkSupport"], packageAccess: false, swiftSettings: common),
    // Separate from the others, which do not link the decoders' libraries.
    .executableTarget(
      name: "DecodingBenchmarks",
      dependencies: vitrine + [
        "BenchmarkSupport", .product(name: "VitrineImageDecoding", package: "vitrine"),
        .product(name: "VitrineReaders", package: "vitrine"),
      ],
      packageAccess: false, swiftSettings: common),
    .testTarget(
      name: "BenchmarkSupportTests", dependencies: vitrine + ["BenchmarkSupport"], packageAccess: false,
      swiftSettings: common),
  ],
  swiftLanguageModes: [.v6]
)
