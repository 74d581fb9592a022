//! Mean, its standard error and percentiles of a few values.

/// The arithmetic mean; `None` without values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard error of the mean; `None` with fewer than two values.
#[must_use]
pub fn standard_error(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let count = values.len() as f64;
    Some((squares / (count - 1.0) / count).sqrt())
}

/// The smallest value that at least `percent` of all values do not exceed (nearest rank); `None` without values.
///
/// # Panics
/// Unless `percent` is in 0..=100.
#[must_use]
pub fn percentile(values: &[f64], percent: u32) -> Option<f64> {
    assert!(percent <= 100, "{percent} percent");
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let rank = (values.len() * percent as usize).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
    }

    #[test]
    fn standard_errors() {
        assert_eq!(standard_error(&[1.0]), None);
        // The variance is 7.
        assert_eq!(
            standard_error(&[1.0, 2.0, 6.0]),
            Some((7.0_f64 / 3.0).sqrt())
        );
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let values: Vec<f64> = (1..=60).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 0), Some(1.0));
        assert_eq!(percentile(&values, 50), Some(30.0));
        assert_eq!(percentile(&values, 95), Some(57.0));
        assert_eq!(percentile(&values, 100), Some(60.0));
        assert_eq!(percentile(&[7.0], 1), Some(7.0));
        assert_eq!(percentile(&[], 95), None);
    }
}
