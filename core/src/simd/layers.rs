//! The layers of a line network as plain integers.
//!
//! An empty cell has the sum of the rows of its four lines, one number a channel. Clamped sums go
//! through the [`Pointwise`] layer, which makes the features of the cell, and these with those of the
//! cells around it through the [`Depthwise`] layer, which makes its mixed features. Their squares are
//! added up over all empty cells to [`Pooled`]. A [`Head`] turns the pooled features into one number.

/// The number of channels of a cell.
pub const CHANNELS: usize = 64;
/// The number of features of a cell.
pub const FEATURES: usize = 32;
/// The number of neurons of each hidden layer of a head.
pub const HIDDEN: usize = 32;

/// The largest activation of a channel.
pub const MAX_ACTIVATION: i16 = 127;
/// The shift from the sums of the pointwise layer to features.
pub const FEATURE_SHIFT: u32 = 6;
/// The shift of features to the inputs of the [`Depthwise`] layer, whose products lose their lower 16 bits: a sum
/// of four has 15 bits then. A cell's own has two bits less, of which doubling it gives one.
pub(super) const MIX_INPUT_SHIFT: u32 = 5;
/// The shift from the sums of the depthwise layer to mixed features.
pub(super) const MIXED_SHIFT: u32 = 4;
/// The weight of a cell's own feature in the depthwise layer that leaves it as it is.
pub const OWN_WEIGHT: i16 = 1 << 14;
/// The shift from pooled features to the inputs of a head.
pub const POOLED_SHIFT: u32 = 6;
/// The shifts after the hidden layers of a head.
pub const HIDDEN_SHIFTS: [u32; 2] = [12, 8];
/// The shifts after the two layers of a policy head.
pub const POLICY_SHIFTS: [u32; 2] = [12, 12];
/// The largest weight of a feature in a policy, positive or negative: the products of two features
/// add up in 16 bits.
pub const MAX_FEATURE_WEIGHT: i8 = 63;
/// The largest weight of a head, positive or negative. With [`MAX_BIAS`] no sum can overflow.
pub const MAX_WEIGHT: i16 = 1023;
/// The largest bias of any layer, positive or negative.
pub const MAX_BIAS: i32 = 1 << 30;

/// A row of the table of lines: one number a channel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i8; CHANNELS]);

impl Row {
    /// The row of zeros.
    pub const ZERO: Row = Row([0; CHANNELS]);
}

/// The state of an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct CellLayers {
    /// The sums of the rows of its lines.
    pub sums: [i16; CHANNELS],
    /// Its features.
    pub features: MixInputs,
}

/// The cells in a row of the board on which features are mixed, a cell outside on each side included. It is known here, so
/// that the places of neighbours are.
pub const MIX_ROW: usize = 24;

/// The features of a cell, or its mixed features.
pub type CellFeatures = [u8; FEATURES];

/// The features of a cell as inputs of the [`Depthwise`] layer: shifted, in 16 bits, since each goes into those of nine
/// cells. Aligned to a cache line, which loads of all of them would cross otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct MixInputs(pub(super) [i16; FEATURES]);

impl MixInputs {
    /// Those of a cell that is not empty.
    pub const ZERO: MixInputs = MixInputs([0; FEATURES]);
}

const _: () = assert!(size_of::<CellLayers>() == 2 * (CHANNELS + FEATURES));

impl CellLayers {
    /// A cell without lines and features.
    pub const ZERO: CellLayers = CellLayers { sums: [0; CHANNELS], features: MixInputs::ZERO };
}

/// The sums of the squared mixed features of all empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Pooled(pub [i32; FEATURES]);

impl Pooled {
    /// The sums over no cells.
    pub const ZERO: Pooled = Pooled([0; FEATURES]);
}

/// The change of one line of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowChange {
    pub(super) from: usize,
    pub(super) old_row: usize,
    pub(super) new_row: usize,
}

/// The changes of one line each of some cells, in arrays of one length.
#[derive(Clone, Copy, Debug)]
pub struct RowChanges<'a> {
    /// The indices of the states of the cells before the change.
    pub from: &'a [u16],
    /// The rows of the lines before.
    pub old_rows: &'a [u16],
    /// The rows of the lines now.
    pub new_rows: &'a [u16],
}

impl<'a> RowChanges<'a> {
    /// Returns the number of changes.
    pub(super) fn len(self) -> usize {
        debug_assert!([self.old_rows.len(), self.new_rows.len()] == [self.from.len(); 2]);
        self.from.len()
    }

    /// Returns an iterator over the changes.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = RowChange> + 'a {
        let rows = self.old_rows.iter().zip(self.new_rows);
        self.from.iter().zip(rows).map(|(&from, (&old_row, &new_row))| RowChange {
            from: from.into(),
            old_row: old_row.into(),
            new_row: new_row.into(),
        })
    }

    /// Returns an iterator over parts of so many changes, of which the last may have fewer.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn chunks(self, len: usize) -> impl Iterator<Item = RowChanges<'a>> {
        let rows = self.old_rows.chunks(len).zip(self.new_rows.chunks(len));
        let parts = self.from.chunks(len).zip(rows);
        parts.map(|(from, (old_rows, new_rows))| RowChanges { from, old_rows, new_rows })
    }
}

/// The number of groups of four channels, whose products dot product instructions add up.
pub(super) const GROUPS: usize = CHANNELS / 4;

/// The layer from the activations of a cell to its features.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointwise {
    /// By feature and channel.
    pub(super) weights: [[i8; CHANNELS]; FEATURES],
    pub(super) bias: [i32; FEATURES],
    /// The weights by group of channels, feature and channel of the group.
    pub(super) groups: GroupedWeights,
    /// The weights in 16 bits, by pair of channels, feature and channel of the pair.
    #[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
    pub(super) pairs: PairedWeights,
    /// The number of groups whose products may be added in 16 bits: 1, 2, 4 or 8.
    pub(super) chain: usize,
}

/// See [`Pointwise::groups`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct GroupedWeights(pub(super) [[[i8; 4]; FEATURES]; GROUPS]);

/// See [`Pointwise::pairs`].
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct PairedWeights(pub(super) [[[i16; 2]; FEATURES]; CHANNELS / 2]);

#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
impl PairedWeights {
    /// Returns these weights, by feature and channel.
    fn new(weights: &[[i8; CHANNELS]; FEATURES]) -> PairedWeights {
        let weight = |feature: usize, channel: usize| i16::from(weights[feature][channel]);
        PairedWeights(std::array::from_fn(|pair| {
            std::array::from_fn(|feature| [2 * pair, 2 * pair + 1].map(|c| weight(feature, c)))
        }))
    }
}

impl Pointwise {
    /// Returns the layer with these weights, by feature and channel, and a bias for each feature.
    ///
    /// # Panics
    ///
    /// Panics if a bias exceeds [`MAX_BIAS`].
    #[must_use]
    pub fn new(weights: [[i8; CHANNELS]; FEATURES], bias: [i32; FEATURES]) -> Pointwise {
        assert!(bias.iter().all(|b| b.unsigned_abs() <= MAX_BIAS as u32), "a bias is too large");
        let mut groups = GroupedWeights([[[0; 4]; FEATURES]; GROUPS]);
        for (feature, weights) in weights.iter().enumerate() {
            for (group, &weights) in groups.0.iter_mut().zip(weights.as_chunks().0) {
                group[feature] = weights;
            }
        }
        let chain = longest_chain(&groups);
        Pointwise {
            #[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
            pairs: PairedWeights::new(&weights),
            weights,
            bias,
            groups,
            chain,
        }
    }
}

/// Returns the largest number of consecutive groups of channels such that the products of the
/// first two, or of the last two, channels of each group add up to an `i16` whatever the
/// activations.
fn longest_chain(groups: &GroupedWeights) -> usize {
    let fits = |chain: usize| {
        groups.0.chunks(chain).all(|groups| {
            (0..FEATURES).all(|feature| {
                [0, 2].into_iter().all(|half| {
                    let weights = groups
                        .iter()
                        .flat_map(|group| [group[feature][half], group[feature][half + 1]]);
                    let bound = |sign: i32| -> i32 {
                        weights.clone().map(|weight| (sign * i32::from(weight)).max(0)).sum::<i32>()
                            * i32::from(MAX_ACTIVATION)
                    };
                    bound(1) <= i32::from(i16::MAX) && bound(-1) <= i32::from(i16::MAX)
                })
            })
        })
    };
    [8, 4, 2].into_iter().find(|&chain| fits(chain)).unwrap_or(1)
}

/// The layer from the features of a cell and of the empty cells around it to its mixed features, each from
/// one feature alone.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Depthwise {
    /// By kind of cell.
    pub(super) weights: [[i16; FEATURES]; CELL_KINDS],
    pub(super) bias: [i16; FEATURES],
}

impl Depthwise {
    /// Returns the layer with these weights, by kind of cell and feature, and a bias for each feature.
    #[must_use]
    pub const fn new(weights: [[i16; FEATURES]; CELL_KINDS], bias: [i16; FEATURES]) -> Depthwise {
        Depthwise { weights, bias }
    }
}

/// A fully connected layer of a head.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Dense {
    /// By pair of inputs, then by output: the weights of the two inputs.
    pub(super) pairs: [[[i16; 2]; HIDDEN]; HIDDEN / 2],
    pub(super) bias: [i32; HIDDEN],
}

impl Dense {
    /// Returns the layer with these weights, by output and input.
    ///
    /// # Panics
    ///
    /// Panics if a weight exceeds [`MAX_WEIGHT`] or a bias [`MAX_BIAS`].
    #[must_use]
    pub fn new(weights: &[[i16; HIDDEN]; HIDDEN], bias: [i32; HIDDEN]) -> Dense {
        assert_bounds(weights.as_flattened(), &bias);
        let mut pairs = [[[0; 2]; HIDDEN]; HIDDEN / 2];
        for (pair, outputs) in pairs.iter_mut().enumerate() {
            for (output, both) in outputs.iter_mut().enumerate() {
                *both = [weights[output][2 * pair], weights[output][2 * pair + 1]];
            }
        }
        Dense { pairs, bias }
    }
}

/// The layers from pooled features to the value of a position for one side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Head {
    pub(super) hidden: [Dense; 2],
    pub(super) output: [i16; HIDDEN],
    pub(super) bias: i32,
}

impl Head {
    /// Returns the head with these hidden layers, and with the weights and the bias of its output.
    ///
    /// # Panics
    ///
    /// Panics if a weight exceeds [`MAX_WEIGHT`] or the bias [`MAX_BIAS`].
    #[must_use]
    pub fn new(hidden: [Dense; 2], output: [i16; HIDDEN], bias: i32) -> Head {
        assert_bounds(&output, &[bias]);
        Head { hidden, output, bias }
    }
}

/// The kinds of cells around a cell, which have weights of their own: the cell itself, the four beside it
/// in its row and column, and the four at its corners.
pub const CELL_KINDS: usize = 3;

/// What a cell adds to the policies of cells, by the kind that it is for them, and a 0: the sum of its
/// mixed features, each times its weight.
pub type PolicyParts = [i32; CELL_KINDS + 1];

/// The layers from pooled features to the weights of features in the policy of a cell, for one side to
/// move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct PolicyHead {
    pub(super) hidden: Dense,
    /// By kind of cell.
    pub(super) outputs: [Dense; CELL_KINDS],
}

impl PolicyHead {
    /// Returns the head with this hidden layer and the output for each kind of cell.
    #[must_use]
    pub const fn new(hidden: Dense, outputs: [Dense; CELL_KINDS]) -> PolicyHead {
        PolicyHead { hidden, outputs }
    }
}

/// The weight of each feature in the policy of a cell, in one position, by kind of the cell that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct FeatureWeights(pub [[i8; FEATURES]; CELL_KINDS]);

fn assert_bounds(weights: &[i16], bias: &[i32]) {
    let small = |w: &i16| w.unsigned_abs() <= MAX_WEIGHT as u16;
    assert!(weights.iter().all(small), "a weight is too large");
    assert!(bias.iter().all(|b| b.unsigned_abs() <= MAX_BIAS as u32), "a bias is too large");
}
