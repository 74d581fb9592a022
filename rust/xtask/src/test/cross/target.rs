//! The targets that are tested on this machine.

/// A processor and system for which the core is built, and on which its golden tests run.
pub(super) struct Target {
    pub(super) name: &'static str,
    /// Rust's name.
    pub(super) triple: &'static str,
    pub(super) machine: Machine,
    /// The test programs of the core that run.
    pub(super) programs: &'static [&'static str],
}

pub(super) enum Machine {
    /// Linux on another processor, in user mode of an emulator.
    Emulated(Emulated),
    /// WebAssembly without threads, in Node.
    Wasm,
    /// WebAssembly with threads, in Node.
    WasmThreads,
    /// Windows on this processor, by Wine.
    Windows,
}

pub(super) struct Emulated {
    /// Debian's name of the architecture.
    pub(super) architecture: &'static str,
    /// The linker's name of the target, with the oldest C library for which it links.
    pub(super) linked_for: &'static str,
    pub(super) emulator: &'static str,
}

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "arm64",
        triple: "aarch64-unknown-linux-gnu",
        machine: Machine::Emulated(Emulated {
            architecture: "arm64",
            linked_for: "aarch64-linux-gnu.2.31",
            emulator: "qemu-aarch64",
        }),
        programs: &["golden"],
    },
    Target {
        name: "riscv64",
        triple: "riscv64gc-unknown-linux-gnu",
        machine: Machine::Emulated(Emulated {
            architecture: "riscv64",
            linked_for: "riscv64-linux-gnu.2.31",
            emulator: "qemu-riscv64",
        }),
        programs: &["golden"],
    },
    // The order of bytes in its numbers is the other one.
    Target {
        name: "s390x",
        triple: "s390x-unknown-linux-gnu",
        machine: Machine::Emulated(Emulated {
            architecture: "s390x",
            linked_for: "s390x-linux-gnu.2.31",
            emulator: "qemu-s390x",
        }),
        programs: &["golden"],
    },
    // Its sizes have 32 bits.
    Target {
        name: "wasm32",
        triple: "wasm32-wasip1",
        machine: Machine::Wasm,
        programs: &["golden"],
    },
    // Its golden tests would pass without threads too.
    Target {
        name: "wasm32-threads",
        triple: "wasm32-unknown-emscripten",
        machine: Machine::WasmThreads,
        programs: &["golden", "threads"],
    },
    Target {
        name: "windows",
        triple: "x86_64-pc-windows-gnu",
        machine: Machine::Windows,
        programs: &["golden"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_in_the_table_of_platforms() {
        let page = include_str!("../../../../../docs/platforms.md");
        for target in TARGETS {
            let row = format!("| `{}` | ", target.name);
            assert!(page.contains(&row), "{} has no row", target.name);
            assert!(page.contains(target.triple), "{}", target.triple);
        }
    }
}
