//! The file format of networks.
//!
//! The magic bytes `tengnet7`, a zlib stream of the payload, and the CRC-32 (IEEE) of the payload.
//! All numbers are little-endian. The payload:
//!
//! | bytes | content |
//! | ---: | --- |
//! | 16 | name of the rule in ASCII, padded with zeros |
//! | 8 | numbers of channels, 64, and of features and neurons of the two hidden layers, 32 each: `u16` |
//! | 4 | scale of the odds of winning, in units: `i32` |
//! | 4 | share of the classical value, in parts of 256: `i32` |
//! | 4 | scale of the order: `i32` |
//! | 472,384 | table of lines, 7,381 rows of 64: `i8` |
//! | 2,048 | weights of the pointwise layer, by feature and channel: `i8` |
//! | 128 | bias of the pointwise layer: `i32` |
//! | 192 | weights of the depthwise layer, by kind of cell and feature: `i16` |
//! | 64 | bias of the depthwise layer: `i16` |
//! | 4,420 | head for black to move: weights (`i16`, by output and input) and bias (`i32`) of the first hidden layer, the second, and the output |
//! | 8,704 | policy head for black to move: weights (`i16`, by output and input) and bias (`i32`) of the hidden layer and the output: for the features of the cell, of those beside it and of those at its corners |
//! | 4,420 | draw head for black to move, like the first |
//! | 17,544 | the three heads for white to move |
//!
//! A file of a [tied](Parameters::tied) network begins with `tengnet8` instead and leaves out what
//! follows from the rest: its payload has the first 32 channels of each row, the weights and biases of the
//! first 16 features in both layers, and the heads for black.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::parameters::{
    HeadParameters, MAX_SHARE, Parameters, ParametersError, PolicyParameters, within,
};
use crate::eval::classical::weights::{MAX_WIN_SCALE, MIN_WIN_SCALE};
use crate::rules::Rule;
use crate::simd::layers::{CELL_KINDS, CHANNELS, FEATURES, HIDDEN};
use crate::simd::lines::ROWS;
use crate::types::{ByColor, Color};

/// The start of the magic bytes in all versions of the format; a digit follows.
const MAGIC_NAME: &[u8] = b"tengnet";

/// The two forms of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum NetworkForm {
    /// All numbers.
    Whole,
    /// Those of which a tied network is made.
    Tied,
}

impl NetworkForm {
    /// Returns the magic bytes at the start of a file.
    const fn magic(self) -> [u8; 8] {
        match self {
            NetworkForm::Whole => *b"tengnet7",
            NetworkForm::Tied => *b"tengnet8",
        }
    }

    /// Returns the form of a file.
    fn of(bytes: &[u8]) -> Option<NetworkForm> {
        let forms = [NetworkForm::Whole, NetworkForm::Tied];
        forms.into_iter().find(|form| bytes.starts_with(&form.magic()))
    }

    /// Returns how many of the channels, features and colours are in a file: one of so many.
    const fn share(self) -> usize {
        match self {
            NetworkForm::Whole => 1,
            NetworkForm::Tied => 2,
        }
    }

    const fn channels(self) -> usize {
        CHANNELS / self.share()
    }

    const fn features(self) -> usize {
        FEATURES / self.share()
    }

    /// Returns the colours whose heads are in a file.
    fn colors(self) -> &'static [Color] {
        &Color::ALL[..Color::ALL.len() / self.share()]
    }

    /// Returns the length of the payload, in bytes.
    const fn payload_bytes(self) -> usize {
        let heads = Color::ALL.len() / self.share() * (2 * HEAD_BYTES + POLICY_BYTES);
        let depthwise = 2 * (CELL_KINDS + 1);
        let layers = ROWS * self.channels() + self.features() * (CHANNELS + 4 + depthwise);
        HEADER_BYTES + SCALES_BYTES + layers + heads
    }
}

const NAME_BYTES: usize = 16;
/// The name and the numbers of channels, features and neurons.
const HEADER_BYTES: usize = NAME_BYTES + 8;
/// The scales of the odds, of the classical value and of the order.
const SCALES_BYTES: usize = 12;
const HEAD_BYTES: usize =
    (2 * FEATURES + 4) * HIDDEN + (2 * HIDDEN + 4) * HIDDEN + (2 * HIDDEN + 4);
const POLICY_BYTES: usize = (2 * FEATURES + 4) * HIDDEN + (2 * HIDDEN + 4) * FEATURES * CELL_KINDS;
const PAYLOAD_BYTES: usize = NetworkForm::Whole.payload_bytes();
const CRC_BYTES: usize = 4;

/// The size of the largest file, in bytes: one that is hardly compressed at all.
pub const MAX_FILE_BYTES: usize = PAYLOAD_BYTES + PAYLOAD_BYTES / 100 + 1024;

/// The dimensions of a network, in the order of the header.
const DIMENSIONS: [(&str, usize); 4] = [
    ("channels", CHANNELS),
    ("features", FEATURES),
    ("neurons in the first hidden layer", HIDDEN),
    ("neurons in the second hidden layer", HIDDEN),
];

/// An error in reading a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The magic bytes are wrong.
    #[error("not a network file")]
    NotNetwork,
    /// The file has another version of the format.
    #[error(
        "the network is in the format {0:?}; this version of the program reads \"tengnet7\" and \"tengnet8\""
    )]
    Format(String),
    /// The compressed data are cut off or damaged.
    #[error("the network is damaged: its compressed data are broken or cut off")]
    Compression,
    /// There is no rule of this name.
    #[error("the network is for an unknown rule, {0:?}")]
    Rule(String),
    /// The network has another shape.
    #[error("the network has {found} {what} instead of {expected}")]
    Dimension {
        /// The counted item.
        what: &'static str,
        /// The number in the file.
        found: u16,
        /// The only number possible.
        expected: usize,
    },
    /// There are too few numbers.
    #[error("the network has {found} bytes of numbers instead of {expected}")]
    TooShort {
        /// The number of bytes.
        found: usize,
        /// The only number possible.
        expected: usize,
    },
    /// There are too many numbers.
    #[error("the network has more than {expected} bytes of numbers")]
    TooLong {
        /// The only number of bytes possible.
        expected: usize,
    },
    /// The checksum is missing, or something follows it.
    #[error("the network has {found} bytes after its numbers instead of {CRC_BYTES}")]
    Tail {
        /// The number of bytes.
        found: usize,
    },
    /// The checksum is wrong.
    #[error("the network is damaged: its checksum is {computed:08x} instead of {stored:08x}")]
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the numbers.
        computed: u32,
    },
    /// A number is out of bounds.
    #[error(transparent)]
    OutOfBounds(#[from] ParametersError),
}

impl Parameters {
    /// Returns the parameters as the bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns [`ParametersError`] if a number is out of bounds, so that no reader would take the
    /// file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ParametersError> {
        self.check()?;
        let form = if self.is_tied() { NetworkForm::Tied } else { NetworkForm::Whole };
        let payload = self.payload(form);
        let mut encoder = ZlibEncoder::new(form.magic().to_vec(), Compression::best());
        let written: io::Result<Vec<u8>> =
            encoder.write_all(&payload).and_then(|()| encoder.finish());
        let mut bytes = written.expect("writing to memory does not fail");
        bytes.extend(crc32fast::hash(&payload).to_le_bytes());
        Ok(bytes)
    }

    /// Returns the checksum of all numbers, whatever the form of their file.
    #[must_use]
    pub fn crc(&self) -> u32 {
        crc32fast::hash(&self.payload(NetworkForm::Whole))
    }

    fn payload(&self, form: NetworkForm) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(form.payload_bytes());
        bytes.extend(self.rule.name().as_bytes());
        bytes.resize(NAME_BYTES, 0);
        bytes.extend(DIMENSIONS.iter().flat_map(|&(_, number)| (number as u16).to_le_bytes()));
        bytes.extend(i32::from(self.win_scale).to_le_bytes());
        bytes.extend(i32::from(self.share).to_le_bytes());
        bytes.extend(i32::from(self.order_scale).to_le_bytes());
        let bytes_of = |weight: &i8| weight.to_le_bytes();
        let (channels, features) = (form.channels(), form.features());
        bytes.extend(self.rows.iter().flat_map(|row| row[..channels].iter().flat_map(bytes_of)));
        bytes.extend(self.weights[..features].as_flattened().iter().flat_map(bytes_of));
        bytes.extend(self.bias[..features].iter().flat_map(|bias| bias.to_le_bytes()));
        for numbers in self.mix.iter().chain([&self.mix_bias]) {
            bytes.extend(numbers[..features].iter().flat_map(|number| number.to_le_bytes()));
        }
        for &color in form.colors() {
            let policy = &self.policies[color];
            push_head(&mut bytes, &self.heads[color]);
            push_layer(&mut bytes, policy.weights1.as_flattened(), &policy.bias1);
            let weights2 = policy.weights2.as_flattened().as_flattened();
            push_layer(&mut bytes, weights2, policy.bias2.as_flattened());
            push_head(&mut bytes, &self.draws[color]);
        }
        bytes
    }

    /// Reads parameters from the bytes of a file. No more is decompressed than a network holds.
    ///
    /// # Errors
    ///
    /// Returns [`NetworkError`] if the bytes are not those of a network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Parameters, NetworkError> {
        Parameters::read(bytes, |_, _| {})
    }

    /// Reads a built-in network, whose rows `build.rs` has packed.
    pub(super) fn from_packed(bytes: &[u8]) -> Result<Parameters, NetworkError> {
        Parameters::read(bytes, |payload, form| unpack_rows(payload, form.channels()))
    }

    /// Reads parameters whose payload is as it should be after `unpack`.
    fn read(bytes: &[u8], unpack: fn(&mut [u8], NetworkForm)) -> Result<Parameters, NetworkError> {
        let form = NetworkForm::of(bytes).ok_or_else(|| not_this_format(bytes))?;
        let payload = unpacked(bytes, form, unpack)?;
        let rule = check_header(&payload, form)?;
        let mut numbers = Numbers(&payload[HEADER_BYTES..]);
        let [win_scale, share, order_scale] = [(); 3].map(|()| numbers.i32());
        let scales = [MIN_WIN_SCALE.into(), MAX_WIN_SCALE.into()];
        within("the scale of the odds", [win_scale.into()], scales)?;
        within("the share of the classical value", [share.into()], [0, MAX_SHARE.into()])?;
        within("the scale of the order", [order_scale.into()], [1, u16::MAX.into()])?;
        let mut rows = vec![[0; CHANNELS]; ROWS];
        rows.iter_mut().for_each(|row| numbers.i8s(&mut row[..form.channels()]));
        let (mut weights, mut bias) = ([[0; CHANNELS]; FEATURES], [0; FEATURES]);
        weights[..form.features()].iter_mut().for_each(|weights| numbers.i8s(weights));
        bias[..form.features()].fill_with(|| numbers.i32());
        let (mut mix, mut mix_bias) = ([[0; FEATURES]; CELL_KINDS], [0; FEATURES]);
        for room in mix.iter_mut().chain([&mut mix_bias]) {
            room[..form.features()].fill_with(|| numbers.i16());
        }
        let black = (numbers.head(), numbers.policy(), numbers.head());
        let white = match form {
            NetworkForm::Whole => (numbers.head(), numbers.policy(), numbers.head()),
            NetworkForm::Tied => black.clone(),
        };
        let parameters = Parameters {
            rule,
            win_scale: win_scale as u16,
            share: share as u16,
            order_scale: order_scale as u16,
            rows,
            weights,
            bias,
            mix,
            mix_bias,
            heads: ByColor([black.0, white.0]),
            policies: ByColor([black.1, white.1]),
            draws: ByColor([black.2, white.2]),
        };
        parameters.check()?;
        Ok(match form {
            NetworkForm::Whole => parameters,
            NetworkForm::Tied => parameters.tied(),
        })
    }
}

/// Returns the payload of a file of this form as it is after `unpack`, with its checksum right.
fn unpacked(
    bytes: &[u8],
    form: NetworkForm,
    unpack: fn(&mut [u8], NetworkForm),
) -> Result<Vec<u8>, NetworkError> {
    let mut decoder = ZlibDecoder::new(&bytes[form.magic().len()..]);
    let expected = form.payload_bytes();
    let mut payload = Vec::with_capacity(expected + 1);
    // A byte more than a network has is enough to see that there are too many; without it the
    // end of the compressed data is reached and checked.
    let limit = expected as u64 + 1;
    decoder
        .by_ref()
        .take(limit)
        .read_to_end(&mut payload)
        .map_err(|_| NetworkError::Compression)?;
    if payload.len() != expected {
        check_header(&payload, form)?;
        return Err(match payload.len() {
            found if found < expected => NetworkError::TooShort { found, expected },
            _ => NetworkError::TooLong { expected },
        });
    }
    unpack(&mut payload, form);
    let tail = decoder.into_inner();
    let stored = tail.try_into().map_err(|_| NetworkError::Tail { found: tail.len() })?;
    let (stored, computed) = (u32::from_le_bytes(stored), crc32fast::hash(&payload));
    if stored != computed {
        return Err(NetworkError::Checksum { stored, computed });
    }
    Ok(payload)
}

/// Makes rows of the differences that `build.rs` has made of them, channel by channel.
fn unpack_rows(payload: &mut [u8], channels: usize) {
    let table = &mut payload[HEADER_BYTES + SCALES_BYTES..][..ROWS * channels];
    let packed = table.to_vec();
    for (channel, differences) in packed.chunks(ROWS).enumerate() {
        let mut before = [0_i8; 2];
        for (row, difference) in table.chunks_mut(channels).zip(differences) {
            let [a, b] = before.map(i16::from);
            row[channel] = difference.wrapping_add(((a + b) >> 1) as u8);
            before = [b as i8, row[channel] as i8];
        }
    }
}

/// Appends the numbers of a head.
fn push_head(bytes: &mut Vec<u8>, head: &HeadParameters) {
    push_layer(bytes, head.weights1.as_flattened(), &head.bias1);
    push_layer(bytes, head.weights2.as_flattened(), &head.bias2);
    push_layer(bytes, &head.weights3, &[head.bias3]);
}

/// Appends weights and biases.
fn push_layer(bytes: &mut Vec<u8>, weights: &[i16], bias: &[i32]) {
    bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
    bytes.extend(bias.iter().flat_map(|bias| bias.to_le_bytes()));
}

/// Returns why a file does not begin with [`MAGIC`].
fn not_this_format(bytes: &[u8]) -> NetworkError {
    let found = bytes.first_chunk::<8>();
    let version = found.filter(|found| found.starts_with(MAGIC_NAME) && found[7].is_ascii_digit());
    match version {
        Some(version) => NetworkError::Format(String::from_utf8_lossy(version).into_owned()),
        None => NetworkError::NotNetwork,
    }
}

/// Returns the rule in the header of a payload, or why it does not fit. Nothing is wrong with a
/// payload that ends before.
fn check_header(payload: &[u8], form: NetworkForm) -> Result<Rule, NetworkError> {
    let Some(header) = payload.first_chunk::<HEADER_BYTES>() else {
        let (found, expected) = (payload.len(), form.payload_bytes());
        return Err(NetworkError::TooShort { found, expected });
    };
    let (name, mut dimensions) = header.split_at(NAME_BYTES);
    let name = String::from_utf8_lossy(name);
    let name = name.trim_end_matches('\0');
    let rule = Rule::ALL.into_iter().find(|rule| rule.name() == name);
    let rule = rule.ok_or_else(|| NetworkError::Rule(name.to_owned()))?;
    for (what, expected) in DIMENSIONS {
        let found = Numbers(dimensions).u16();
        dimensions = &dimensions[2..];
        if usize::from(found) != expected {
            return Err(NetworkError::Dimension { what, found, expected });
        }
    }
    Ok(rule)
}

/// The numbers still to be read; the length of the payload guarantees that there are enough.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (taken, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *taken
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.take())
    }

    fn i16(&mut self) -> i16 {
        i16::from_le_bytes(self.take())
    }

    fn i16s<const N: usize>(&mut self) -> [i16; N] {
        [(); N].map(|()| self.i16())
    }

    fn i32(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    /// Reads as many numbers as there is room for.
    fn i8s(&mut self, room: &mut [i8]) {
        let (taken, rest) = self.0.split_at(room.len());
        room.iter_mut().zip(taken).for_each(|(number, &byte)| *number = byte as i8);
        self.0 = rest;
    }

    fn head(&mut self) -> HeadParameters {
        HeadParameters {
            weights1: [(); HIDDEN].map(|()| self.i16s()),
            bias1: [(); HIDDEN].map(|()| self.i32()),
            weights2: [(); HIDDEN].map(|()| self.i16s()),
            bias2: [(); HIDDEN].map(|()| self.i32()),
            weights3: self.i16s(),
            bias3: self.i32(),
        }
    }

    fn policy(&mut self) -> PolicyParameters {
        PolicyParameters {
            weights1: [(); HIDDEN].map(|()| self.i16s()),
            bias1: [(); HIDDEN].map(|()| self.i32()),
            weights2: [(); CELL_KINDS].map(|()| [(); FEATURES].map(|()| self.i16s())),
            bias2: [(); CELL_KINDS].map(|()| [(); FEATURES].map(|()| self.i32())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns a file of all numbers with this payload and a right checksum.
    fn file(payload: &[u8]) -> Vec<u8> {
        file_of(NetworkForm::Whole, payload)
    }

    fn file_of(form: NetworkForm, payload: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(form.magic().to_vec(), Compression::fast());
        encoder.write_all(payload).unwrap();
        let mut bytes = encoder.finish().unwrap();
        bytes.extend(crc32fast::hash(payload).to_le_bytes());
        bytes
    }

    fn error(bytes: &[u8]) -> String {
        Parameters::from_bytes(bytes).unwrap_err().to_string()
    }

    #[test]
    fn networks_come_back_as_they_were() {
        for rule in Rule::ALL {
            let parameters = Parameters::random(rule, rule as u64);
            let bytes = parameters.to_bytes().unwrap();
            assert!(bytes.len() <= MAX_FILE_BYTES);
            assert_eq!(bytes[bytes.len() - CRC_BYTES..], parameters.crc().to_le_bytes());
            assert_eq!(parameters.payload(NetworkForm::Whole).len(), PAYLOAD_BYTES);
            assert_eq!(Parameters::from_bytes(&bytes), Ok(parameters));
        }
    }

    #[test]
    fn a_tied_network_has_half_of_its_numbers_in_its_file() {
        let parameters = Parameters::random(Rule::Caro, 5).tied();
        let (whole, half) =
            (parameters.payload(NetworkForm::Whole), parameters.payload(NetworkForm::Tied));
        assert_eq!(half.len(), NetworkForm::Tied.payload_bytes());
        assert_eq!(2 * (half.len() - 36), whole.len() - 36);
        let bytes = parameters.to_bytes().unwrap();
        assert_eq!(bytes, {
            let mut encoder = ZlibEncoder::new(b"tengnet8".to_vec(), Compression::best());
            encoder.write_all(&half).unwrap();
            let mut bytes = encoder.finish().unwrap();
            bytes.extend(crc32fast::hash(&half).to_le_bytes());
            bytes
        });
        assert_eq!(Parameters::from_bytes(&bytes), Ok(parameters.clone()));
        // All numbers may be there as well, as in the files of earlier versions.
        assert_eq!(Parameters::from_bytes(&file(&whole)), Ok(parameters));
        assert_eq!(
            error(&file_of(NetworkForm::Tied, &half[..half.len() - 1])),
            "the network has 254987 bytes of numbers instead of 254988"
        );
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_was_expected() {
        let payload = Parameters::random(Rule::Renju, 1).payload(NetworkForm::Whole);
        let changed = |at: usize, new: &[u8]| {
            let mut payload = payload.clone();
            payload[at..at + new.len()].copy_from_slice(new);
            error(&file(&payload))
        };
        assert_eq!(error(b"tengnet"), "not a network file");
        assert_eq!(error(b"tengnets"), "not a network file");
        assert_eq!(
            error(b"tengnet6"),
            "the network is in the format \"tengnet6\"; this version of the program reads \"tengnet7\" and \"tengnet8\""
        );
        assert_eq!(
            error(b"tengnet7"),
            "the network is damaged: its compressed data are broken or cut off"
        );
        assert_eq!(changed(0, b"gomoku"), "the network is for an unknown rule, \"gomoku\"");
        assert_eq!(changed(16, &[32, 0]), "the network has 32 channels instead of 64");
        assert_eq!(
            changed(22, &[16, 0]),
            "the network has 16 neurons in the second hidden layer instead of 32"
        );
        assert_eq!(
            changed(24, &[0; 4]),
            "the network has 0 for the scale of the odds; 20 to 5000 is possible"
        );
        assert_eq!(
            changed(28, &[0xff; 4]),
            "the network has -1 for the share of the classical value; 0 to 1024 is possible"
        );
        assert_eq!(
            changed(32, &[0; 4]),
            "the network has 0 for the scale of the order; 1 to 65535 is possible"
        );
        let head = PAYLOAD_BYTES - HEAD_BYTES;
        assert_eq!(
            changed(head, &1024_i16.to_le_bytes()),
            "the network has 1024 for a weight of a head; -1023 to 1023 is possible"
        );
        assert!(changed(PAYLOAD_BYTES - 4, &i32::MIN.to_le_bytes()).contains("for a bias;"));
        assert_eq!(error(&file(&[])), "the network has 0 bytes of numbers instead of 509940");
        assert_eq!(
            error(&file(&payload[..PAYLOAD_BYTES - 1])),
            "the network has 509939 bytes of numbers instead of 509940"
        );
        let longer = [&payload[..], &[0]].concat();
        assert_eq!(error(&file(&longer)), "the network has more than 509940 bytes of numbers");
        let mut bytes = file(&payload);
        bytes.push(0);
        assert_eq!(error(&bytes), "the network has 5 bytes after its numbers instead of 4");
        bytes.truncate(bytes.len() - 2);
        assert_eq!(error(&bytes), "the network has 3 bytes after its numbers instead of 4");
        let mut bytes = file(&payload);
        *bytes.last_mut().unwrap() ^= 1;
        assert!(error(&bytes).starts_with("the network is damaged: its checksum is "));
    }

    #[test]
    fn a_network_of_another_shape_is_named_by_it_and_not_by_its_length() {
        let mut payload = Parameters::random(Rule::Caro, 1).payload(NetworkForm::Whole);
        payload[16..18].copy_from_slice(&32_u16.to_le_bytes());
        payload.resize(2 * PAYLOAD_BYTES, 0);
        assert_eq!(error(&file(&payload)), "the network has 32 channels instead of 64");
    }

    #[test]
    fn no_more_is_decompressed_than_a_network_holds() {
        // A few kilobytes that become many megabytes.
        let bytes = file(&vec![0; 16 << 20]);
        assert!(bytes.len() < MAX_FILE_BYTES);
        assert!(Parameters::from_bytes(&bytes).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn one_changed_byte_is_noticed(at in any::<prop::sample::Index>(), change in 1..=255u8) {
            let parameters = Parameters::random(Rule::Standard, 2);
            let mut bytes = file(&parameters.payload(NetworkForm::Whole));
            let at = at.index(bytes.len());
            bytes[at] ^= change;
            // Bits of the compressed data may mean nothing; then nothing changes.
            let read = Parameters::from_bytes(&bytes);
            prop_assert!(read.is_err() || read == Ok(parameters));
        }

        #[test]
        fn no_bytes_make_the_reader_panic(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..300),
            compress in any::<bool>(),
        ) {
            if compress {
                bytes = file(&bytes);
            }
            prop_assert!(Parameters::from_bytes(&bytes).is_err());
        }
    }
}
