//! Symmetric matrices, as far as finding a maximum and its curvature needs them.

/// A square matrix.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    /// The rows, one after the other.
    values: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Matrix {
        Matrix { size, values: vec![0.0; size * size] }
    }

    pub(super) fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] += value;
    }

    /// Adds `value` in both places that belong to an unordered pair.
    pub(super) fn add_symmetric(&mut self, row: usize, column: usize, value: f64) {
        self.add(row, column, value);
        if row != column {
            self.add(column, row, value);
        }
    }

    /// Multiplies every value with `factor`.
    pub(super) fn scale(&mut self, factor: f64) {
        self.values.iter_mut().for_each(|value| *value *= factor);
    }

    /// Returns the lower triangle L with L·Lᵀ = self; `None` if the matrix is not positive
    /// definite.
    pub(super) fn cholesky(&self) -> Option<Cholesky> {
        let n = self.size;
        let mut lower = Matrix::zero(n);
        for row in 0..n {
            for column in 0..=row {
                let done: f64 = (0..column).map(|k| lower.get(row, k) * lower.get(column, k)).sum();
                let rest = self.get(row, column) - done;
                let value =
                    if row == column { rest.sqrt() } else { rest / lower.get(column, column) };
                // A root of what is not above 0 is 0 or NaN.
                if !value.is_finite() || (row == column && value <= 0.0) {
                    return None;
                }
                lower.values[row * n + column] = value;
            }
        }
        Some(Cholesky { lower })
    }
}

/// A positive definite matrix, taken apart.
pub(super) struct Cholesky {
    lower: Matrix,
}

impl Cholesky {
    /// Returns the x with A·x = `right`.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.lower.size;
        let mut x = right.to_vec();
        for row in 0..n {
            let done: f64 = (0..row).map(|k| self.lower.get(row, k) * x[k]).sum();
            x[row] = (x[row] - done) / self.lower.get(row, row);
        }
        for row in (0..n).rev() {
            let done: f64 = (row + 1..n).map(|k| self.lower.get(k, row) * x[k]).sum();
            x[row] = (x[row] - done) / self.lower.get(row, row);
        }
        x
    }

    /// Returns the inverse of A.
    pub(super) fn inverse(&self) -> Matrix {
        let n = self.lower.size;
        let mut inverse = Matrix::zero(n);
        for row in 0..n {
            let mut unit = vec![0.0; n];
            unit[row] = 1.0;
            // Symmetric, so a column is a row.
            inverse.values[row * n..(row + 1) * n].copy_from_slice(&self.solve(&unit));
        }
        inverse
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_core::rng::SplitMix64;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let mut rng = SplitMix64::new(3);
        for size in 0..12 {
            // Bᵀ·B + 1 is positive definite whatever B is.
            let b: Vec<f64> = (0..size * size).map(|_| rng.below(2001) as f64 / 1000.0).collect();
            let mut a = Matrix::zero(size);
            for (i, j, k) in
                (0..size * size * size).map(|n| (n / size / size, n / size % size, n % size))
            {
                a.add(i, j, b[k * size + i] * b[k * size + j]);
            }
            (0..size).for_each(|i| a.add(i, i, 1.0));
            let inverse = a.cholesky().unwrap().inverse();
            for (i, j) in (0..size * size).map(|n| (n / size, n % size)) {
                let product: f64 = (0..size).map(|k| a.get(i, k) * inverse.get(k, j)).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-9, "{size}: {i} {j} {product}");
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_refused() {
        assert!(Matrix::zero(2).cholesky().is_none());
        let mut saddle = Matrix::zero(2);
        saddle.add_symmetric(0, 0, 1.0);
        saddle.add_symmetric(0, 1, 2.0);
        saddle.add_symmetric(1, 1, 1.0);
        assert!(saddle.cholesky().is_none());
        let mut broken = Matrix::zero(1);
        broken.add(0, 0, f64::NAN);
        assert!(broken.cholesky().is_none());
    }
}
