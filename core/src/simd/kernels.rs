//! The choice of kernels for the layers of a network.

use super::layers::{
    CellFeatures, CellLayers, Depthwise, FeatureWeights, Head, MIX_ROW, MixInputs, Pointwise,
    PolicyHead, PolicyParts, Pooled, Row, RowChanges,
};
use super::lines::{self, LineChanges, Neighbors, StoneLines};
use super::scalar;

/// The read-only input of the update of cells.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// The rows of lines.
    pub rows: &'a [Row],
    /// The layer that makes features.
    pub pointwise: &'a Pointwise,
    /// The changed cells, each with its change.
    pub changes: RowChanges<'a>,
}

/// The read-only input of the update of mixed features.
#[derive(Clone, Copy, Debug)]
pub struct MixUpdate<'a> {
    /// The layer that makes them.
    pub depthwise: &'a Depthwise,
    /// The features of all cells, 0 where not empty, [`MIX_ROW`] in a row.
    pub features: &'a [MixInputs],
    /// The cells whose mixed features change, by their index there.
    pub cells: &'a [u16],
    /// The number of those at the start that are no longer empty.
    pub removed: usize,
    /// The pooled features before.
    pub pooled: &'a Pooled,
}

/// Three rows of three cells.
pub(super) type Around<'a> = [[&'a MixInputs; 3]; 3];

impl<'a> MixUpdate<'a> {
    /// Returns the features of a cell and of those around it, if it is still empty.
    #[inline]
    pub(super) fn around(&self, index: usize) -> Option<Around<'a>> {
        if index < self.removed {
            return None;
        }
        let first = usize::from(self.cells[index]) - MIX_ROW - 1;
        // One look at the bounds for all nine.
        let cells: Option<&[MixInputs; 2 * MIX_ROW + 3]> = self.features[first..].first_chunk();
        let cells = cells.expect("every empty cell has cells around it");
        Some([0, MIX_ROW, 2 * MIX_ROW].map(|row| [0, 1, 2].map(|column| &cells[row + column])))
    }
}

/// A kernel as in [`NetworkKernels::line_changes`].
pub(super) type LineChangesKernel = fn(&StoneLines, &Neighbors, &mut LineChanges);
/// A kernel as in [`NetworkKernels::update`].
pub(super) type UpdateKernel = fn(&Update<'_>, &mut [CellLayers], usize);
/// A kernel as in [`NetworkKernels::mix`].
pub(super) type MixKernel = fn(&MixUpdate<'_>, &mut [CellFeatures], &mut [CellFeatures]) -> Pooled;
/// A kernel as in [`NetworkKernels::value`].
pub(super) type ValueKernel = fn(&Head, &Pooled) -> i32;
/// A kernel as in [`NetworkKernels::feature_weights`].
pub(super) type FeatureWeightsKernel = fn(&PolicyHead, &Pooled) -> FeatureWeights;
/// A kernel as in [`NetworkKernels::policy_parts`].
pub(super) type PolicyPartsKernel =
    fn(&FeatureWeights, &[CellFeatures], &[u16], &mut [PolicyParts]);

/// The kernels of a network for one instruction set; all give the same bits.
#[derive(Clone, Copy, Debug)]
pub struct NetworkKernels {
    pub(super) name: &'static str,
    pub(super) line_changes: LineChangesKernel,
    pub(super) update: UpdateKernel,
    pub(super) mix: MixKernel,
    pub(super) value: ValueKernel,
    pub(super) feature_weights: FeatureWeightsKernel,
    pub(super) policy_parts: PolicyPartsKernel,
}

impl NetworkKernels {
    /// The kernels in plain Rust.
    pub const SCALAR: NetworkKernels = NetworkKernels {
        name: "scalar",
        line_changes: lines::line_changes,
        update: scalar::update,
        mix: scalar::mix,
        value: scalar::value,
        feature_weights: scalar::feature_weights,
        policy_parts: scalar::policy_parts,
    };

    /// Returns the kernels that this processor can run, the fastest last.
    #[must_use]
    pub fn available() -> Vec<NetworkKernels> {
        let mut kernels = vec![NetworkKernels::SCALAR];
        #[cfg(target_arch = "x86_64")]
        kernels.push(super::kernels128::KERNELS);
        #[cfg(target_arch = "x86_64")]
        kernels.extend(super::avx2::kernels().into_iter().chain(super::avx512::kernels()));
        #[cfg(target_arch = "aarch64")]
        kernels.push(super::neon::KERNELS);
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernels.push(super::kernels128::KERNELS);
        kernels
    }

    /// Returns the fastest kernels that this processor can run.
    #[must_use]
    pub fn best() -> NetworkKernels {
        NetworkKernels::available().pop().unwrap_or(NetworkKernels::SCALAR)
    }

    /// Returns the name of the instruction set.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Finds the empty ones of the cells in whose lines a stone is, and how their rows change.
    #[inline]
    pub fn line_changes(&self, lines: &StoneLines, cells: &Neighbors, changes: &mut LineChanges) {
        (self.line_changes)(lines, cells, changes);
    }

    /// Computes the states of changed cells and writes them one after the other to `cells`, from
    /// index `first` on.
    ///
    /// # Panics
    ///
    /// Panics if a former state is not before `first`, if there is no room for the new ones, or if
    /// there is no such row.
    #[inline]
    pub fn update(&self, update: &Update<'_>, cells: &mut [CellLayers], first: usize) {
        (self.update)(update, cells, first);
    }

    /// Computes the mixed features of some cells, replaces those in `mixed`, and writes what was there
    /// to `former`, in the order of the cells; returns the pooled features after that.
    ///
    /// # Panics
    ///
    /// Panics if a cell is outside of the features.
    #[inline]
    #[must_use]
    pub fn mix(
        &self,
        update: &MixUpdate<'_>,
        mixed: &mut [CellFeatures],
        former: &mut [CellFeatures],
    ) -> Pooled {
        (self.mix)(update, mixed, former)
    }

    /// Returns the output of a head.
    #[inline]
    #[must_use]
    pub fn value(&self, head: &Head, pooled: &Pooled) -> i32 {
        (self.value)(head, pooled)
    }

    /// Returns the weights of features that a policy head gives in a position.
    #[inline]
    #[must_use]
    pub fn feature_weights(&self, head: &PolicyHead, pooled: &Pooled) -> FeatureWeights {
        (self.feature_weights)(head, pooled)
    }

    /// Computes what some cells, by their indices, add to their own policies and to those of the cells around them, from
    /// the mixed features of all cells, and writes it in their places. No weight may exceed
    /// [`MAX_FEATURE_WEIGHT`](super::layers::MAX_FEATURE_WEIGHT).
    ///
    /// # Panics
    ///
    /// Panics if a cell is outside of the features or the parts.
    #[inline]
    pub fn policy_parts(
        &self,
        weights: &FeatureWeights,
        features: &[CellFeatures],
        cells: &[u16],
        parts: &mut [PolicyParts],
    ) {
        (self.policy_parts)(weights, features, cells, parts);
    }
}

#[cfg(test)]
mod tests {
    use super::super::layers::{
        CELL_KINDS, CHANNELS, Dense, FEATURES, HIDDEN, MAX_BIAS, MAX_FEATURE_WEIGHT, MAX_WEIGHT,
        MIX_INPUT_SHIFT,
    };
    use super::super::lines::NEIGHBORS;
    use super::*;

    /// The generator of Knuth (MMIX); this level knows no other one.
    struct Random(u64);

    impl Random {
        /// Returns a number below `bound`.
        fn below(&mut self, bound: usize) -> usize {
            let (a, c) = (6_364_136_223_846_793_005, 1_442_695_040_888_963_407);
            self.0 = self.0.wrapping_mul(a).wrapping_add(c);
            ((u128::from(self.0) * bound as u128) >> 64) as usize
        }
    }

    /// Returns the number of rounds: fewer under Miri, which takes a thousand times as long.
    const fn rounds(number: usize) -> usize {
        if cfg!(miri) { number / 200 } else { number }
    }

    /// Returns a random number, often one of the extremes.
    fn number(rng: &mut Random, [low, high]: [i32; 2]) -> i32 {
        match rng.below(8) {
            0 => low,
            1 => high,
            _ => low + rng.below((i64::from(high) - i64::from(low)) as usize + 1) as i32,
        }
    }

    /// Checks that all kernels give what the scalar ones do.
    fn check_update(rng: &mut Random, weight: [i32; 2], row: [i32; 2]) {
        let rows: Vec<Row> =
            (0..20).map(|_| Row([(); CHANNELS].map(|()| number(rng, row) as i8))).collect();
        let weights = [(); FEATURES].map(|()| [(); CHANNELS].map(|()| number(rng, weight) as i8));
        let most = if rng.below(4) == 0 { MAX_BIAS } else { 50_000 };
        let bias = [(); FEATURES].map(|()| number(rng, [-most, most]));
        let pointwise = Pointwise::new(weights, bias);
        let first = 10;
        let mut cells = vec![CellLayers::ZERO; 64];
        for cell in &mut cells[..first] {
            cell.sums = [(); CHANNELS].map(|()| number(rng, [-32_000, 32_000]) as i16 / 64);
            cell.features = MixInputs([(); FEATURES].map(|()| number(rng, [0, 255]) as i16));
        }
        let len = rng.below(33);
        let mut below = |bound| (0..len).map(|_| rng.below(bound) as u16).collect::<Vec<u16>>();
        let (from, old_rows, new_rows) = (below(first), below(rows.len()), below(rows.len()));
        let changes = RowChanges { from: &from, old_rows: &old_rows, new_rows: &new_rows };
        let update = Update { rows: &rows, pointwise: &pointwise, changes };
        let mut expected = cells.clone();
        NetworkKernels::SCALAR.update(&update, &mut expected, first);
        for kernels in NetworkKernels::available() {
            let mut cells = cells.clone();
            kernels.update(&update, &mut cells, first);
            assert!(cells == expected, "{}", kernels.name());
        }
    }

    #[test]
    fn all_kernels_find_the_same_changes_of_lines() {
        let mut rng = Random(4);
        let mut found = [false; NEIGHBORS + 1];
        for round in 0..rounds(20_000) {
            let cells = [(); NEIGHBORS].map(|()| rng.below(512) as u16);
            let empty = [1, 2, 8, 1000][round % 4];
            let mut with_cell = |line: u64, _| match rng.below(empty) {
                0 => line << 2 | rng.below(4) as u64,
                _ => line << 2 | 0b11,
            };
            let before = [(); 4].map(|()| (0..32).fold(0, &mut with_cell));
            let lines = StoneLines::new(before, [0b01, 0b10][rng.below(2)]);
            let of = |kernels: NetworkKernels| {
                let mut changes = LineChanges::NONE;
                kernels.line_changes(&lines, &cells, &mut changes);
                let len = changes.len;
                (
                    changes.cells[..len].to_vec(),
                    changes.old_rows[..len].to_vec(),
                    changes.new_rows[..len].to_vec(),
                )
            };
            let expected = of(NetworkKernels::SCALAR);
            found[expected.0.len()] = true;
            for kernels in NetworkKernels::available() {
                assert_eq!(of(kernels), expected, "{}", kernels.name());
            }
        }
        assert!(cfg!(miri) || found[5..].iter().all(|&found| found), "{found:?}");
    }

    #[cfg_attr(miri, ignore = "takes minutes, and the kernel in plain Rust has nothing unsafe")]
    #[test]
    fn all_kernels_update_cells_to_the_same_bits() {
        let mut rng = Random(1);
        for _ in 0..rounds(500) {
            // Small weights allow longer chains of sums in 16 bits than large ones.
            for weight in [[-128, 127], [-64, 64], [-32, 32], [-10, 16], [127, 127], [-128, -128]] {
                let row = if rng.below(2) == 0 { [-128, 127] } else { [-30, 30] };
                check_update(&mut rng, weight, row);
            }
        }
    }

    #[test]
    fn all_kernels_mix_features_to_the_same_bits() {
        let mut rng = Random(5);
        for round in 0..rounds(2_000) {
            let mut cells = || -> Vec<CellFeatures> {
                (0..6 * MIX_ROW)
                    .map(|_| [(); FEATURES].map(|()| number(&mut rng, [0, 255]) as u8))
                    .collect()
            };
            let (features, mixed) = (inputs_of(&cells()), cells());
            let weight = [[-32_768, 32_767], [-3_000, 3_000], [32_767; 2], [-32_768; 2]][round % 4];
            let weights =
                [(); CELL_KINDS].map(|()| [(); FEATURES].map(|()| number(&mut rng, weight) as i16));
            let bias = [(); FEATURES].map(|()| number(&mut rng, [-32_768, 32_767]) as i16);
            let inside: Vec<u16> =
                (1..5).flat_map(|y| (1..5).map(move |x| y * MIX_ROW as u16 + x)).collect();
            let from = rng.below(inside.len());
            let update = MixUpdate {
                depthwise: &Depthwise::new(weights, bias),
                features: &features,
                cells: &inside[from..],
                removed: rng.below(3).min(inside.len() - from),
                pooled: &Pooled([(); FEATURES].map(|()| number(&mut rng, [0, 40_000_000]))),
            };
            let of = |kernels: NetworkKernels| {
                let (mut mixed, mut former) = (mixed.clone(), cells_like(&inside));
                let pooled = kernels.mix(&update, &mut mixed, &mut former);
                (pooled, mixed, former)
            };
            let expected = of(NetworkKernels::SCALAR);
            for kernels in NetworkKernels::available() {
                assert!(of(kernels) == expected, "{}", kernels.name());
            }
        }
    }

    /// Returns features of cells as the depthwise layer takes them.
    fn inputs_of(cells: &[CellFeatures]) -> Vec<MixInputs> {
        let inputs = |cell: &CellFeatures| cell.map(|f| i16::from(f) << MIX_INPUT_SHIFT);
        cells.iter().map(|cell| MixInputs(inputs(cell))).collect()
    }

    /// Returns room for the features of these cells.
    fn cells_like(cells: &[u16]) -> Vec<CellFeatures> {
        vec![[0; FEATURES]; cells.len()]
    }

    #[test]
    fn mixed_features_are_as_their_definition_says() {
        let mut rng = Random(6);
        for round in 0..rounds(500) {
            // Three rows, of which the first three cells count.
            const CELL: usize = MIX_ROW + 1;
            let features: Vec<CellFeatures> = (0..3 * MIX_ROW)
                .map(|_| [(); FEATURES].map(|()| number(&mut rng, [0, 255]) as u8))
                .collect();
            let weight = [[-32_768, 32_767], [-3_000, 9_000]][round % 2];
            let weights =
                [(); CELL_KINDS].map(|()| [(); FEATURES].map(|()| number(&mut rng, weight) as i16));
            let bias = [(); FEATURES].map(|()| number(&mut rng, [-9_000, 9_000]) as i16);
            let update = MixUpdate {
                depthwise: &Depthwise::new(weights, bias),
                features: &inputs_of(&features),
                cells: &[CELL as u16],
                removed: 0,
                pooled: &Pooled::ZERO,
            };
            let (mut mixed, mut former) = (vec![[7; FEATURES]; 3 * MIX_ROW], cells_like(&[0]));
            let pooled = NetworkKernels::SCALAR.mix(&update, &mut mixed, &mut former);
            assert_eq!(former, [[7; FEATURES]]);
            for k in 0..FEATURES {
                let at = |(x, y): (usize, usize)| i64::from(features[y * MIX_ROW + x][k]);
                let sum =
                    |cells: &[(usize, usize)]| cells.iter().map(|&cell| at(cell)).sum::<i64>();
                let parts = [
                    sum(&[(1, 1)]),
                    sum(&[(1, 0), (0, 1), (2, 1), (1, 2)]),
                    sum(&[(0, 0), (2, 0), (0, 2), (2, 2)]),
                ];
                let word = |value: i64| value.clamp(-32_768, 32_767);
                let product =
                    |kind: usize, shift: u32| (parts[kind] * i64::from(weights[kind][k])) >> shift;
                let total = word(word(product(0, 10) + product(1, 11)) + product(2, 11));
                let expected = (word(total + i64::from(bias[k])) >> 4).clamp(0, 255);
                assert_eq!(i64::from(mixed[CELL][k]), expected);
                assert_eq!(i64::from(pooled.0[k]), expected * expected - 49);
            }
        }
    }

    #[test]
    fn all_kernels_give_the_same_value() {
        let mut rng = Random(2);
        for round in 0..rounds(2_000) {
            let most = [30, 300, i32::from(MAX_WEIGHT)][round % 3];
            let bounds = [[-most, most], [most, most], [-most, -most]][rng.below(3)];
            let most_bias = if rng.below(3) == 0 { MAX_BIAS } else { 1_000_000 };
            let mut dense = || {
                let weights =
                    [(); HIDDEN].map(|()| [(); HIDDEN].map(|()| number(&mut rng, bounds) as i16));
                let bias = [(); HIDDEN].map(|()| number(&mut rng, [-most_bias, most_bias]));
                Dense::new(&weights, bias)
            };
            let hidden = [dense(), dense()];
            let policy_head = PolicyHead::new(dense(), [dense(), dense(), dense()]);
            let output = [(); HIDDEN].map(|()| number(&mut rng, bounds) as i16);
            let head = Head::new(hidden, output, number(&mut rng, [-most_bias, most_bias]));
            let most = [1_000_000, 3_000_000, i32::MAX - 1][rng.below(3)];
            let pooled = Pooled([(); FEATURES].map(|()| number(&mut rng, [0, most])));
            let expected = NetworkKernels::SCALAR.value(&head, &pooled);
            let expected_weights = NetworkKernels::SCALAR.feature_weights(&policy_head, &pooled);
            for kernels in NetworkKernels::available() {
                assert_eq!(kernels.value(&head, &pooled), expected, "{}", kernels.name());
                let weights = kernels.feature_weights(&policy_head, &pooled);
                assert_eq!(weights, expected_weights, "{}", kernels.name());
            }
        }
    }

    #[test]
    fn all_kernels_give_the_same_policy() {
        let mut rng = Random(3);
        let most = i32::from(MAX_FEATURE_WEIGHT);
        for round in 0..rounds(2_000) {
            let bounds = [[-most, most], [most, most], [-most, -most]][round % 3];
            let weights = FeatureWeights(
                [(); CELL_KINDS].map(|()| [(); FEATURES].map(|()| number(&mut rng, bounds) as i8)),
            );
            let features =
                [(); 6].map(|()| [(); FEATURES].map(|()| number(&mut rng, [0, 255]) as u8));
            let cells: Vec<u16> = (0..6).filter(|_| rng.below(3) > 0).collect();
            let untouched = [7, 8, 9, 10];
            let mut expected = [untouched; 6];
            for cell in cells.iter().map(|&cell| usize::from(cell)) {
                expected[cell] = [0; CELL_KINDS + 1];
                for (sum, weights) in expected[cell].iter_mut().zip(&weights.0) {
                    let products = weights.iter().zip(features[cell]);
                    *sum = products.map(|(&w, f)| i32::from(w) * i32::from(f)).sum();
                }
            }
            for kernels in NetworkKernels::available() {
                let mut parts = [untouched; 6];
                kernels.policy_parts(&weights, &features, &cells, &mut parts);
                assert_eq!(parts, expected, "{}", kernels.name());
            }
        }
    }
}
