//! Runs calls, and reduces the list of those that lead to a failure.

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::caller::{CALLS, Caller, Setting};

/// The number of calls before a failure whose names are printed.
const TOLD: usize = 12;

/// Returns the seed and the number of calls, unless the environment overrides them.
pub fn replayed(seed: u64, count: usize) -> (u64, usize) {
    let asked = |name| env::var(name).ok().and_then(|text| text.parse().ok());
    (
        asked("ANY_CALLS_SEED").unwrap_or(seed),
        asked("ANY_CALLS_COUNT").map_or(count, |count: u64| count as usize),
    )
}

/// Runs the same calls with each number of threads. The results must be equal.
pub fn run_all(seed: u64, count: usize, threads: &[usize], setting: Setting) {
    let numbers: Vec<usize> = (0..count).collect();
    let fails = |numbers: &[usize]| failure(seed, numbers, threads, setting);
    let Some((done, reason)) = fails(&numbers) else {
        return;
    };
    let mut left = numbers[..done.min(count)].to_vec();
    if env::var_os("ANY_CALLS_SHRINK").is_some() {
        left = shrunk(left, |numbers| fails(numbers).is_some());
    }
    let told = if env::var_os("ANY_CALLS_SHRINK").is_some() {
        left.len()
    } else {
        left.len().min(TOLD)
    };
    let names: Vec<String> = left[left.len() - told..]
        .iter()
        .map(|&number| format!("{number} {}", CALLS[Caller::kind_of(seed, number)].0))
        .collect();
    panic!(
        "seed {seed}, call {done} ({threads:?} threads): {reason}\nreplay with ANY_CALLS_SEED={seed} \
         ANY_CALLS_COUNT={done}; the last calls were {names:#?}"
    );
}

/// The number of calls before the first failure, and its message; `None` if all calls succeeded.
fn failure(
    seed: u64,
    numbers: &[usize],
    threads: &[usize],
    setting: Setting,
) -> Option<(usize, String)> {
    let mut first: Option<Vec<(usize, u64)>> = None;
    for &threads in threads {
        let mut caller = Caller::new(seed, threads, setting);
        for &number in numbers {
            let call = AssertUnwindSafe(|| caller.call(number));
            if let Err(reason) = catch_unwind(call) {
                return Some((number + 1, text_of(reason.as_ref())));
            }
        }
        let Some(expected) = &first else {
            first = Some(caller.trace);
            continue;
        };
        let differs = caller
            .trace
            .iter()
            .zip(expected)
            .find(|(one, other)| one != other);
        if let Some(((number, _), _)) = differs {
            let reason = format!("{threads} threads lead to something else");
            return Some((number + 1, reason));
        }
    }
    None
}

fn text_of(reason: &(dyn std::any::Any + Send)) -> String {
    let text = reason.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| reason.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").to_owned()
}

/// Leaves out pieces of a list, large ones first, as long as the run still fails (Zeller and Hildebrandt, Simplifying
/// and isolating failure-inducing input, 2002).
fn shrunk(mut list: Vec<usize>, fails: impl Fn(&[usize]) -> bool) -> Vec<usize> {
    let mut piece = list.len() / 2;
    while piece > 0 {
        let mut from = 0;
        while from < list.len() {
            let mut without = list.clone();
            without.drain(from..(from + piece).min(list.len()));
            if fails(&without) {
                list = without;
            } else {
                from += piece;
            }
        }
        piece /= 2;
    }
    list
}

#[test]
fn shrinking_leaves_what_it_takes() {
    let fails = |list: &[usize]| list.contains(&17) && list.contains(&400);
    assert_eq!(shrunk((0..1000).collect(), fails), [17, 400]);
}
