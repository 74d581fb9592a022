//! The cases in which crowds are compared, with the times that a guideline expects.

/// A case, and the time that a guideline expects, if any, in seconds.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// The arguments of the harness `crowd` after `--scene`.
    pub(super) arguments: &'static [&'static str],
    pub(super) expected: Option<(f64, f64)>,
}

/// All cases, in the order of the table.
pub(super) const CASES: [Case; 16] = [
    timed("RiMEA 1", &["rimea1"], (26.0, 34.0)),
    case(
        "RiMEA 4, 0.5/m2, 10 m",
        &["rimea4", "--density", "0.5", "--width", "10"],
    ),
    case(
        "RiMEA 4, 2/m2, 10 m",
        &["rimea4", "--density", "2", "--width", "10"],
    ),
    case(
        "RiMEA 4, 2/m2, 6 m",
        &["rimea4", "--density", "2", "--width", "6"],
    ),
    case(
        "RiMEA 4, 2/m2, 4 m",
        &["rimea4", "--density", "2", "--width", "4"],
    ),
    case(
        "RiMEA 4, 2/m2, 2 m",
        &["rimea4", "--density", "2", "--width", "2"],
    ),
    case("RiMEA 6", &["rimea6"]),
    timed("RiMEA 9, 4 doors", &["rimea9"], (108.0, 132.0)),
    timed("RiMEA 9, 2 doors", &["rimea9two"], (180.0, 220.0)),
    case("RiMEA 12", &["rimea12"]),
    case("two ways", &["twoway"]),
    case("four ways", &["fourway"]),
    case("bottleneck 0.8 m", &["bottleneck", "--width", "0.8"]),
    case("bottleneck 1.2 m", &["bottleneck", "--width", "1.2"]),
    case("bottleneck 1.8 m", &["bottleneck", "--width", "1.8"]),
    case("bottleneck 2.4 m", &["bottleneck", "--width", "2.4"]),
];

pub(super) const fn case(name: &'static str, arguments: &'static [&'static str]) -> Case {
    Case {
        name,
        arguments,
        expected: None,
    }
}

pub(super) const fn timed(
    name: &'static str,
    arguments: &'static [&'static str],
    expected: (f64, f64),
) -> Case {
    Case {
        name,
        arguments,
        expected: Some(expected),
    }
}
