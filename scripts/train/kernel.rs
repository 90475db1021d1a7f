//! The trunk of the line network on a CPU: forward from packed sample records to pooled features,
//! the policy's loss by its weights of a cell's features, and backward from the gradients of both
//! to those of rows, weights and biases, and of the depthwise layer.
//!
//! Forward is the integer arithmetic of the engine; 32-bit floats hold all of its integers below
//! 2^24 exactly. Work is split over threads by sample, in equal parts and summed in their order,
//! so that the same number of threads gives the same bits.

use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Channels of a row.
const C: usize = 64;
/// Features of a cell, which are pooled.
const F: usize = 32;
/// Kinds of cells whose features count in the policy of a cell: itself, the four beside it, and the four at
/// its corners.
const KINDS: usize = 3;
/// Side codes, and rows of their unordered pairs.
const SIDES: usize = 121;
const ROWS: usize = SIDES * (SIDES + 1) / 2;
/// Cells whose matrices are multiplied together.
const BLOCK: usize = 32;
/// Cells beyond the edge that a line reaches.
const PAD: usize = 4;
const MAX_SIDE: usize = 22;
const GRID: usize = (MAX_SIDE + 2 * PAD) * (MAX_SIDE + 2 * PAD);
const WALL: u8 = 3;
/// Order of the best candidate; each less is a step behind it, 0 is not a candidate.
const BEST: u8 = 255;
/// 1.0 of a logit.
const LOGIT: f32 = 450.0;

/// The shifts after the products of the depthwise layer: of a cell's own feature, of the sums of those around it;
/// and of their sum.
const OWN_SHIFT: u32 = 10;
const NEAR_SHIFT: u32 = 11;
const MIXED_SHIFT: u32 = 4;

/// No empty cell.
const NONE: u16 = u16::MAX;

/// Data of one empty cell for the backward pass.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Trace {
    rows: [u16; 4],
    /// The empty cells beside it and those at its corners, by their places among the empty ones, or `NONE`.
    near: [[u16; 4]; KINDS - 1],
    activation: [u8; C],
    /// What the pointwise layer makes of it, and the depthwise layer of that and of the cells around.
    feature: [u8; F],
    mixed: [u8; F],
    /// The tables' order of it, and whether it is the move.
    order: u8,
    is_move: bool,
    /// The gradient of its logit.
    pull: f32,
}

impl Trace {
    const BLANK: Trace = Trace {
        rows: [0; 4],
        near: [[NONE; 4]; KINDS - 1],
        activation: [0; C],
        feature: [0; F],
        mixed: [0; F],
        order: 0,
        is_move: false,
        pull: 0.0,
    };
}

/// The weights of features in the policy of a sample, by kind of cell.
type PolicyWeights = [[i8; F]; KINDS];

/// The sums of what `of` says of the cells of each kind around a cell.
#[inline]
fn sums_around(
    cells: &[Trace],
    cell: usize,
    of: impl Fn(&Trace) -> &[u8; F],
) -> [[u16; F]; KINDS] {
    let mut sums = [[0; F]; KINDS];
    sums[0] = of(&cells[cell]).map(u16::from);
    for (sums, near) in sums[1..].iter_mut().zip(&cells[cell].near) {
        for other in near.iter().filter_map(|&other| cells.get(other as usize)) {
            for (sum, &feature) in sums.iter_mut().zip(of(other)) {
                *sum += feature as u16;
            }
        }
    }
    sums
}

/// The sums of mixed features around a cell, which are what its policy is made of.
#[inline]
fn mixed_around(cells: &[Trace], cell: usize) -> [[u16; F]; KINDS] {
    sums_around(cells, cell, |cell| &cell.mixed)
}

/// The depthwise layer: the weights of features by kind of cell, and a bias.
#[derive(Clone, Copy)]
struct Mix {
    weights: [[i16; F]; KINDS],
    bias: [i16; F],
}

impl Mix {
    /// # Safety
    /// `weights` holds KINDS × F, `bias` F.
    unsafe fn read(weights: *const i16, bias: *const i16) -> Mix {
        // SAFETY: by contract; arrays of `i16` are aligned as `i16` is.
        unsafe { Mix { weights: *weights.cast(), bias: *bias.cast() } }
    }

    /// Fills in the mixed features of all cells of a sample.
    fn apply(&self, cells: &mut [Trace]) {
        let limited = |sum: i32| sum.clamp(i16::MIN.into(), i16::MAX.into());
        for cell in 0..cells.len() {
            let sums = sums_around(cells, cell, |cell| &cell.feature);
            let mixed = &mut cells[cell].mixed;
            for k in 0..F {
                let product = |kind: usize, shift: u32| {
                    sums[kind][k] as i32 * self.weights[kind][k] as i32 >> shift
                };
                let sum = limited(product(0, OWN_SHIFT) + product(1, NEAR_SHIFT));
                let sum = limited(limited(sum + product(2, NEAR_SHIFT)) + self.bias[k] as i32);
                mixed[k] = (sum >> MIXED_SHIFT).clamp(0, 255) as u8;
            }
        }
    }
}

/// The policy of a cell by the sums around it, 450ths of a logit.
#[inline]
fn policy_of(sums: &[[u16; F]; KINDS], weights: &PolicyWeights) -> i32 {
    let products = sums.as_flattened().iter().zip(weights.as_flattened());
    products.map(|(&s, &w)| s as i32 * w as i32).sum()
}

/// Sample records and the symmetry each is seen by: 1 mirrors x, 2 mirrors y, 4 exchanges x and y.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Batch {
    records: *const u8,
    symmetries: *const u8,
    count: u64,
    record_bytes: u64,
    width: u64,
    height: u64,
}

// SAFETY: the pointers are read only, for as long as the call that got them lasts.
unsafe impl Sync for Batch {}
unsafe impl Send for Batch {}

impl Batch {
    fn cells(&self) -> usize {
        (self.width * self.height) as usize
    }

    fn stride(&self) -> usize {
        self.width as usize + 2 * PAD
    }

    /// # Safety
    /// The batch's pointers hold `count` records and symmetries.
    unsafe fn sample(&self, index: usize) -> (&[u8], u8) {
        let bytes = self.record_bytes as usize;
        unsafe {
            (from_raw_parts(self.records.add(index * bytes), bytes), *self.symmetries.add(index))
        }
    }
}

/// The size of a `Trace`, for the caller's buffer.
#[unsafe(no_mangle)]
pub extern "C" fn trace_bytes() -> u64 {
    size_of::<Trace>() as u64
}

/// Where each cell of a record lies in the padded grid, for every symmetry.
fn placements(batch: &Batch) -> Vec<Vec<u16>> {
    let (width, height) = (batch.width as usize, batch.height as usize);
    let place = |symmetry: usize, cell: usize| {
        let (mut x, mut y) = (cell % width, cell / width);
        if symmetry & 1 != 0 {
            x = width - 1 - x;
        }
        if symmetry & 2 != 0 {
            y = height - 1 - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        ((y + PAD) * batch.stride() + x + PAD) as u16
    };
    let symmetries = if width == height { 8 } else { 4 };
    (0..symmetries)
        .map(|symmetry| (0..batch.cells()).map(|cell| place(symmetry, cell)).collect())
        .collect()
}

/// Side codes by the four nearest cells, two bits each, the nearest lowest.
fn side_codes() -> [u8; 256] {
    std::array::from_fn(|cells| {
        let (mut code, mut offset, mut power) = (0, 0, 1);
        for place in 0..4 {
            let digit = cells >> (2 * place) & 3;
            if digit == WALL as usize {
                break;
            }
            code = code * 3 + digit;
            offset += power;
            power *= 3;
        }
        (offset + code) as u8
    })
}

/// The row of a pair of side codes.
#[inline]
fn pair_row(one: u8, other: u8) -> u16 {
    let (high, low) = (one.max(other) as u16, one.min(other) as u16);
    high * (high + 1) / 2 + low
}

/// Everything that the samples of a batch share.
struct Plan {
    batch: Batch,
    placements: Vec<Vec<u16>>,
    codes: [u8; 256],
}

impl Plan {
    fn new(batch: Batch) -> Plan {
        Plan { batch, placements: placements(&batch), codes: side_codes() }
    }

    /// Fills in rows, orders and move of the empty cells of a sample, in the order of the grid; how many they are.
    fn empty_cells(&self, index: usize, cells: &mut [Trace]) -> usize {
        // SAFETY: `index` is below the batch's count.
        let (record, symmetry) = unsafe { self.batch.sample(index) };
        let (places, room) = (&self.placements[symmetry as usize], self.batch.cells());
        let (stones, rest) = record.split_at(room.div_ceil(4));
        let (orders, tail) = rest.split_at(room);
        let stride = self.batch.stride();
        let mut grid = [WALL; GRID];
        let mut order_grid = [0; GRID];
        for (cell, (&place, &order)) in places.iter().zip(orders).enumerate() {
            grid[place as usize] = stones[cell / 4] >> (2 * (cell % 4)) & 3;
            order_grid[place as usize] = order;
        }
        let best = u16::from_le_bytes([tail[4], tail[5]]);
        let best = places.get(best as usize).map_or(usize::MAX, |&place| place as usize);
        let mut places_of = [NONE; GRID];
        let mut count = 0;
        for y in 0..self.batch.height as usize {
            for x in 0..self.batch.width as usize {
                let at = (y + PAD) * stride + x + PAD;
                if grid[at] != 0 {
                    continue;
                }
                let side = |step: isize| {
                    let cell = |k: isize| grid[(at as isize + k * step) as usize];
                    self.codes[(cell(1) | cell(2) << 2 | cell(3) << 4 | cell(4) << 6) as usize]
                };
                let rows = [1, stride as isize, stride as isize + 1, stride as isize - 1];
                let cell = &mut cells[count];
                cell.rows = rows.map(|step| pair_row(side(step), side(-step)));
                (cell.order, cell.is_move, cell.pull) = (order_grid[at], at == best, 0.0);
                cell.near = [[NONE; 4]; KINDS - 1];
                // The four of its neighbours that came before; it is one of theirs too.
                let before = [(1, 0), (stride, 0), (stride + 1, 1), (stride - 1, 1)];
                for (pair, (step, kind)) in before.into_iter().enumerate() {
                    let other = places_of[at - step];
                    if other != NONE {
                        let slot = pair % 2;
                        cells[count].near[kind][slot] = other;
                        cells[other as usize].near[kind][3 - slot] = count as u16;
                    }
                }
                places_of[at] = count as u16;
                count += 1;
            }
        }
        count
    }
}

/// `start` plus the products of two vectors with a matrix: sums that stay in registers.
#[inline]
fn products<const N: usize, const M: usize>(
    vectors: &[[f32; N]; 2],
    matrix: &[[f32; M]; N],
    start: &[f32; M],
) -> [[f32; M]; 2] {
    let (mut one, mut two) = (*start, *start);
    for (i, row) in matrix.iter().enumerate() {
        for j in 0..M {
            one[j] = vectors[0][i].mul_add(row[j], one[j]);
            two[j] = vectors[1][i].mul_add(row[j], two[j]);
        }
    }
    [one, two]
}

/// The quantised trunk, as floats that hold integers.
struct Weights<'a> {
    rows: &'a [[i8; C]],
    /// By channel, then feature.
    by_channel: [[f32; F]; C],
    bias: [f32; F],
}

impl Weights<'_> {
    /// Fills in activation and feature of cells whose rows are known.
    fn activate(&self, cells: &mut [Trace]) {
        let mut floats = [[0f32; C]; BLOCK];
        for block in cells.chunks_mut(BLOCK) {
            for (cell, float) in block.iter_mut().zip(&mut floats) {
                let [a, b, c, d] = cell.rows.map(|row| &self.rows[row as usize]);
                for i in 0..C {
                    let sum = a[i] as i16 + b[i] as i16 + c[i] as i16 + d[i] as i16;
                    cell.activation[i] = sum.clamp(0, 127) as u8;
                }
                for i in 0..C {
                    float[i] = cell.activation[i] as f32;
                }
            }
            for (pair, floats) in block.chunks_mut(2).zip(floats.as_chunks().0) {
                let sums = products(floats, &self.by_channel, &self.bias);
                for (cell, sum) in pair.iter_mut().zip(&sums) {
                    for k in 0..F {
                        // SAFETY: a sum is an integer well inside of 32 bits.
                        let sum = unsafe { sum[k].to_int_unchecked::<i32>() };
                        cell.feature[k] = (sum >> 6).clamp(0, 255) as u8;
                    }
                }
            }
        }
    }
}

/// Splits `count` samples into one range a thread.
fn ranges(count: usize, threads: usize) -> Vec<std::ops::Range<usize>> {
    (0..threads).map(|i| count * i / threads..count * (i + 1) / threads).collect()
}

struct Output<T>(*mut T);
// SAFETY: threads write to disjoint parts, by sample.
unsafe impl<T> Sync for Output<T> {}

impl<T> Output<T> {
    /// # Safety
    /// `start..start + count` lies in the buffer and nobody else uses it.
    #[allow(clippy::mut_from_ref, reason = "its parts belong to one thread each, by the contract above")]
    unsafe fn part(&self, start: usize, count: usize) -> &mut [T] {
        unsafe { from_raw_parts_mut(self.0.add(start), count) }
    }
}

/// Pooled features of every sample; with a trace also what backward needs.
///
/// # Safety
/// `rows` holds 7,381 × C, `weights` F × C (by feature, then channel), `bias` F, `mix` KINDS × F, `mix_bias` F,
/// `pooled` F a sample, and `trace` and `counts`, unless null, room for every cell of every sample and one number a sample.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn forward(
    batch: *const Batch,
    rows: *const i8,
    weights: *const i8,
    bias: *const i32,
    mix: *const i16,
    mix_bias: *const i16,
    pooled: *mut i32,
    trace: *mut Trace,
    counts: *mut u32,
    threads: u64,
) {
    // SAFETY: by contract.
    let (plan, rows, weights, bias) = unsafe {
        (
            Plan::new(*batch),
            from_raw_parts(rows.cast::<[i8; C]>(), ROWS),
            from_raw_parts(weights.cast::<[i8; C]>(), F),
            from_raw_parts(bias, F),
        )
    };
    let network = Weights {
        rows,
        by_channel: std::array::from_fn(|c| std::array::from_fn(|k| weights[k][c] as f32)),
        bias: std::array::from_fn(|k| bias[k] as f32),
    };
    // SAFETY: by contract.
    let mix = unsafe { Mix::read(mix, mix_bias) };
    let keeps = !trace.is_null();
    let (pooled, trace, counts) = (Output(pooled), Output(trace), Output(counts));
    let (plan, network, pooled, trace, counts) = (&plan, &network, &pooled, &trace, &counts);
    std::thread::scope(|scope| {
        for range in ranges(plan.batch.count as usize, threads as usize) {
            scope.spawn(move || {
                let room = plan.batch.cells();
                let mut own = vec![Trace::BLANK; room];
                for index in range {
                    // SAFETY: every sample has its own part of the buffers, and one thread.
                    let cells = if keeps {
                        unsafe { trace.part(index * room, room) }
                    } else {
                        &mut own[..]
                    };
                    let count = plan.empty_cells(index, cells);
                    network.activate(&mut cells[..count]);
                    mix.apply(&mut cells[..count]);
                    let mut sums = [0i32; F];
                    for cell in &cells[..count] {
                        for k in 0..F {
                            let mixed = cell.mixed[k] as i32;
                            sums[k] += mixed * mixed;
                        }
                    }
                    // SAFETY: as above.
                    unsafe {
                        pooled.part(index * F, F).copy_from_slice(&sums);
                        if keeps {
                            counts.part(index, 1)[0] = count as u32;
                        }
                    }
                }
            });
        }
    });
}

/// The policy of one sample.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Told {
    /// The cross-entropy of the move.
    loss: f32,
    /// True if the move is first; a half if two are first, and so on.
    first: f32,
    /// The gradient of kappa, the logits in a step of the order.
    kappa: f32,
    /// The gradients of the policy's weights of features.
    weights: [[f32; F]; KINDS],
}

impl Told {
    const NOTHING: Told = Told { loss: 0.0, first: 0.0, kappa: 0.0, weights: [[0.0; F]; KINDS] };
}

/// The policy of one sample; its cells take the gradients of their logits, times `share`.
fn tell(cells: &mut [Trace], weights: &PolicyWeights, kappa: f32, share: f32) -> Told {
    let mut logits = [f32::NEG_INFINITY; MAX_SIDE * MAX_SIDE];
    let (mut best, mut chosen, mut firsts) = (f32::NEG_INFINITY, f32::NEG_INFINITY, 0.0);
    let candidates: Vec<_> = (0..cells.len())
        .filter(|&cell| cells[cell].order != 0)
        .map(|cell| (cell, mixed_around(cells, cell)))
        .collect();
    for &(at, ref sums) in &candidates {
        let (cell, logit) = (&cells[at], &mut logits[at]);
        *logit = policy_of(sums, weights) as f32 / LOGIT - kappa * (BEST - cell.order) as f32;
        if *logit > best {
            (best, firsts) = (*logit, 0.0);
        }
        firsts += f32::from(*logit == best);
        if cell.is_move {
            chosen = *logit;
        }
    }
    let mut sum = 0.0;
    for &(at, _) in &candidates {
        let pull = (logits[at] - best).exp();
        cells[at].pull = pull;
        sum += pull;
    }
    let mut told = Told {
        loss: sum.ln() + best - chosen,
        first: if chosen == best { 1.0 / firsts } else { 0.0 },
        ..Told::NOTHING
    };
    for &(at, ref sums) in &candidates {
        let cell = &mut cells[at];
        cell.pull = (cell.pull / sum - f32::from(cell.is_move)) * share;
        told.kappa -= cell.pull * (BEST - cell.order) as f32;
        let pull = cell.pull / LOGIT;
        for (weight, &sum) in told.weights.as_flattened_mut().iter_mut().zip(sums.as_flattened()) {
            *weight = (sum as f32).mul_add(pull, *weight);
        }
    }
    told
}

/// The policy of every sample whose share is not 0; gradients are times the share, and stay in the trace for
/// backward. `policies`, unless null, takes the integers of every empty cell.
///
/// # Safety
/// `trace` and `counts` come from `forward` for `count` samples of at most `room` cells; `weights` holds
/// KINDS × F a sample, `shares` and `told` one, `policies` `room`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn policy(
    trace: *mut Trace,
    counts: *const u32,
    count: u64,
    room: u64,
    weights: *const i8,
    kappa: f32,
    shares: *const f32,
    told: *mut Told,
    policies: *mut i32,
    threads: u64,
) {
    let (count, room) = (count as usize, room as usize);
    // SAFETY: by contract.
    let (counts, weights, shares) = unsafe {
        (
            from_raw_parts(counts, count),
            from_raw_parts(weights.cast::<PolicyWeights>(), count),
            from_raw_parts(shares, count),
        )
    };
    let keeps = !policies.is_null();
    let (trace, told, policies) = (Output(trace), Output(told), Output(policies));
    let (trace, told, policies) = (&trace, &told, &policies);
    std::thread::scope(|scope| {
        for range in ranges(count, threads as usize) {
            scope.spawn(move || {
                for index in range {
                    let (cells, weights) = (counts[index] as usize, &weights[index]);
                    // SAFETY: every sample has its own part of the buffers, and one thread.
                    let (cells, told) =
                        unsafe { (trace.part(index * room, cells), &mut told.part(index, 1)[0]) };
                    *told = match shares[index] {
                        0.0 => Told::NOTHING,
                        share => tell(cells, weights, kappa, share),
                    };
                    if keeps {
                        // SAFETY: as above.
                        let policies = unsafe { policies.part(index * room, room) };
                        for (cell, policy) in policies[..cells.len()].iter_mut().enumerate() {
                            *policy = policy_of(&mixed_around(cells, cell), weights);
                        }
                    }
                }
            });
        }
    });
}

/// Gradients that one thread sums.
struct Gradients {
    rows: Vec<[f32; C]>,
    weights: [[f32; C]; F],
    bias: [f32; F],
    mix: [[f32; F]; KINDS],
    mix_bias: [f32; F],
}

impl Gradients {
    fn new() -> Gradients {
        Gradients {
            rows: vec![[0.0; C]; ROWS],
            weights: [[0.0; C]; F],
            bias: [0.0; F],
            mix: [[0.0; F]; KINDS],
            mix_bias: [0.0; F],
        }
    }

    /// Adds what one sample says of the depthwise layer, and returns the gradients of its sums by cell: `pull` is the
    /// gradient of the sample's pooled features, `policy` its policy's weights.
    fn add_mix(
        &mut self,
        cells: &[Trace],
        pull: &[f32],
        policy: &PolicyWeights,
    ) -> Vec<[f32; F]> {
        const OWN: f32 = 1.0 / (1 << OWN_SHIFT) as f32;
        const NEAR: f32 = 1.0 / (1 << NEAR_SHIFT) as f32;
        const SUM: f32 = 1.0 / (1 << MIXED_SHIFT) as f32;
        // d(mixed²) = 2 mixed
        let pull: [f32; F] = std::array::from_fn(|k| pull[k] * 2.0 * SUM);
        let policy = policy.map(|weights| weights.map(|weight| weight as f32 / LOGIT * SUM));
        // What the features of a cell count for: its own logit, and those of the cells around it.
        let pull_of = |cell: &Trace| {
            let near = cell.near.map(|near| {
                near.iter().filter_map(|&at| cells.get(at as usize)).map(|cell| cell.pull).sum()
            });
            [cell.pull, near[0], near[1]]
        };
        let mut found = vec![[0.0; F]; cells.len()];
        for (at, (cell, found)) in cells.iter().zip(&mut found).enumerate() {
            let [own, beside, corners]: [f32; KINDS] = pull_of(cell);
            let sums = sums_around(cells, at, |cell| &cell.feature);
            for k in 0..F {
                let mixed = cell.mixed[k] as f32;
                let alive = u8::from(cell.mixed[k].wrapping_sub(1) < 254);
                let chosen = own * policy[0][k] + beside * policy[1][k] + corners * policy[2][k];
                let of_sum = mixed.mul_add(pull[k], chosen) * alive as f32;
                found[k] = of_sum;
                self.mix_bias[k] += of_sum;
                for (kind, scale) in [OWN, NEAR, NEAR].into_iter().enumerate() {
                    self.mix[kind][k] += of_sum * scale * sums[kind][k] as f32;
                }
            }
        }
        found
    }

    /// Adds what one sample says: `pull` is the gradient of its pooled features, `policy` its policy's weights.
    fn add(
        &mut self,
        cells: &[Trace],
        pull: &[f32],
        policy: &PolicyWeights,
        weights: &[[f32; C]; F],
        mix: &[[f32; F]; KINDS],
    ) {
        let of_sums = self.add_mix(cells, pull, policy);
        let mut inputs = [[0f32; C]; BLOCK];
        let mut sums = [[0f32; F]; BLOCK];
        for (block, of_cells) in cells.chunks(BLOCK).zip(of_sums.chunks(BLOCK)) {
            let count = block.len();
            let places = block.iter().zip(of_cells).zip(inputs.iter_mut().zip(&mut sums));
            for ((cell, own), (input, sum)) in places {
                for c in 0..C {
                    input[c] = cell.activation[c] as f32;
                }
                for k in 0..F {
                    sum[k] = own[k] * mix[0][k];
                }
                for (near, mix) in cell.near.iter().zip(&mix[1..]) {
                    for other in near.iter().filter_map(|&at| of_sums.get(at as usize)) {
                        for k in 0..F {
                            sum[k] = other[k].mul_add(mix[k], sum[k]);
                        }
                    }
                }
                for k in 0..F {
                    let alive = u8::from(cell.feature[k].wrapping_sub(1) < 254);
                    sum[k] *= alive as f32;
                    self.bias[k] += sum[k];
                }
            }
            // Two features at a time: their sums stay in registers.
            for (pair, rows) in self.weights.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                let mut first = rows[0];
                let mut second = rows[1];
                for (input, sum) in inputs[..count].iter().zip(&sums[..count]) {
                    for c in 0..C {
                        first[c] = sum[2 * pair].mul_add(input[c], first[c]);
                        second[c] = sum[2 * pair + 1].mul_add(input[c], second[c]);
                    }
                }
                rows[0] = first;
                rows[1] = second;
            }
            for (cells, sums) in block.chunks(2).zip(sums.as_chunks().0) {
                let mut outputs = products(sums, weights, &[0.0; C]);
                for (cell, output) in cells.iter().zip(&mut outputs) {
                    for c in 0..C {
                        // Without a branch: 1 between the ends, 0 at them.
                        let alive = u8::from(cell.activation[c].wrapping_sub(1) < 126);
                        output[c] *= alive as f32;
                    }
                    for row in cell.rows {
                        let row = &mut self.rows[row as usize];
                        for c in 0..C {
                            row[c] += output[c];
                        }
                    }
                }
            }
        }
    }
}

/// Gradients of rows, weights and biases of both layers, all as integers of the engine, by those of the pooled features and of the
/// logits of the policy, whose weights of features are `policies`.
///
/// # Safety
/// `trace` and `counts` come from `forward` for `count` samples of at most `room` cells, and `policy` where it has a part;
/// `pulls` holds F a sample, `policies` KINDS × F; the gradients are as large as what they belong to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn backward(
    trace: *const Trace,
    counts: *const u32,
    count: u64,
    room: u64,
    weights: *const i8,
    mix: *const i16,
    pulls: *const f32,
    policies: *const i8,
    rows_gradient: *mut f32,
    weights_gradient: *mut f32,
    bias_gradient: *mut f32,
    mix_gradient: *mut f32,
    mix_bias_gradient: *mut f32,
    threads: u64,
) {
    let (count, room, threads) = (count as usize, room as usize, threads as usize);
    // SAFETY: by contract.
    let (trace, counts, weights, mix, pulls, policies) = unsafe {
        (
            from_raw_parts(trace, count * room),
            from_raw_parts(counts, count),
            from_raw_parts(weights.cast::<[i8; C]>(), F),
            from_raw_parts(mix.cast::<[i16; F]>(), KINDS),
            from_raw_parts(pulls, count * F),
            from_raw_parts(policies.cast::<PolicyWeights>(), count),
        )
    };
    // SAFETY: by contract.
    let (into_rows, into_weights, into_bias, into_mix, into_mix_bias) = unsafe {
        (
            from_raw_parts_mut(rows_gradient.cast::<[f32; C]>(), ROWS),
            from_raw_parts_mut(weights_gradient.cast::<[f32; C]>(), F),
            from_raw_parts_mut(bias_gradient, F),
            from_raw_parts_mut(mix_gradient.cast::<[f32; F]>(), KINDS),
            from_raw_parts_mut(mix_bias_gradient, F),
        )
    };
    let weights: [[f32; C]; F] = std::array::from_fn(|k| weights[k].map(f32::from));
    // With d(sum >> 6) = 1/64 of the pointwise layer.
    let mix: [[f32; F]; KINDS] = std::array::from_fn(|kind| {
        let shift = if kind == 0 { OWN_SHIFT } else { NEAR_SHIFT };
        mix[kind].map(|weight| weight as f32 / (64 << shift) as f32)
    });
    let parts: Vec<Gradients> = std::thread::scope(|scope| {
        let workers: Vec<_> = ranges(count, threads)
            .into_iter()
            .map(|range| {
                let (weights, mix) = (&weights, &mix);
                scope.spawn(move || {
                    let mut gradients = Gradients::new();
                    for index in range {
                        let cells = &trace[index * room..][..counts[index] as usize];
                        let pull = &pulls[index * F..][..F];
                        gradients.add(cells, pull, &policies[index], weights, mix);
                    }
                    gradients
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker has no reason to panic"))
            .collect()
    });
    into_rows.fill([0.0; C]);
    into_weights.fill([0.0; C]);
    into_bias.fill(0.0);
    into_mix.fill([0.0; F]);
    into_mix_bias.fill(0.0);
    let add = |into: &mut [f32], from: &[f32]| {
        into.iter_mut().zip(from).for_each(|(into, from)| *into += from)
    };
    for part in &parts {
        add(into_rows.as_flattened_mut(), part.rows.as_flattened());
        add(into_weights.as_flattened_mut(), part.weights.as_flattened());
        add(into_bias, &part.bias);
        add(into_mix.as_flattened_mut(), part.mix.as_flattened());
        add(into_mix_bias, &part.mix_bias);
    }
}
