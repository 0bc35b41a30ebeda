// swift-tools-version: 6.2
import PackageDescription

/// The package that this one depends on: a repository with a version.
let library = Context.environment["VITRINE_REPOSITORY"] ?? "https://example.com/vitrine"

/// Targets with names that a client is likely to have, and that the library's folders have, too.
let names = ["Benchmarks", "DataStructures", "Geometry", "Hosting", "Rendering", "TestSupport", "Threads", "Views"]

let package = Package(
  name: "OutsideClient",
  dependencies: [.package(url: library, from: "0.1.0")],
  targets: names.map { .target(name: $0) } + [
    .executableTarget(
      name: "Numbers",
      dependencies: names.map { .byName(name: $0) } + [
        .product(name: "CollectionUI", package: "vitrine"), .product(name: "VitrineHosting", package: "vitrine"),
      ]),
    .executableTarget(
      name: "Tour",
      dependencies: [
        .product(name: "CollectionUI", package: "vitrine"), .product(name: "VitrineHosting", package: "vitrine"),
        .product(name: "VitrineDeclarative", package: "vitrine"),
      ]),
  ]
)
