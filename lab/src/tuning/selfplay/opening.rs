//! The random stones that a game begins with.

use super::options::SelfPlayOptions;
use crate::openings::check_opening;
use tengen_core::rng::SplitMix64;
use tengen_core::types::Point;

/// The draws of random stones for one attempt: it is cheap and nearly always works.
const DRAWS: u32 = 100;

/// Returns the random numbers of an attempt at a game, which are independent of those of any other
/// and under any other rule or on any other board.
pub(in crate::tuning) fn stream(options: &SelfPlayOptions, index: u64, attempt: u32) -> SplitMix64 {
    let size = options.size;
    let board = [options.rule as u8, size.width(), size.height()].map(u64::from);
    let parts = board.into_iter().chain([index, u64::from(attempt)]);
    SplitMix64::new(parts.fold(options.seed, |seed, part| SplitMix64::new(seed).next_u64() ^ part))
}

/// Draws stones until the rule allows them and neither side could win with the next one.
pub(in crate::tuning) fn random_stones(
    options: &SelfPlayOptions,
    rng: &mut SplitMix64,
) -> Option<Vec<Point>> {
    (0..DRAWS)
        .map(|_| draw(options, rng))
        .find(|stones| check_opening(options.rule, options.size, stones).is_ok())
}

/// Draws different cells: one around the centre, then each near one before.
fn draw(options: &SelfPlayOptions, rng: &mut SplitMix64) -> Vec<Point> {
    let SelfPlayOptions { size, stones: range, spread, reach, .. } = *options;
    let count = usize::from(range.least) + rng.below(usize::from(range.most - range.least) + 1);
    let distance = rng.below(usize::from(spread) + 1);
    let at_distance = |p: &Point| usize::from(p.distance(size.center())) == distance;
    let ring: Vec<Point> = size.points().filter(at_distance).collect();
    let mut stones = vec![ring[rng.below(ring.len())]];
    let side = 2 * usize::from(reach) + 1;
    while stones.len() < count {
        let near = stones[rng.below(stones.len())];
        let mut shift = |from: u8| i64::from(from) + rng.below(side) as i64 - i64::from(reach);
        let (x, y) = (shift(near.x()), shift(near.y()));
        if let Some(point) = size.point(x, y).filter(|point| !stones.contains(point)) {
            stones.push(point);
        }
    }
    stones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::StoneCount;
    use std::collections::HashSet;
    use tengen_core::rules::Rule;
    use tengen_core::types::Size;

    fn options(edge: i64) -> SelfPlayOptions {
        SelfPlayOptions::new(Rule::Freestyle, Size::square(edge).unwrap())
    }

    #[test]
    fn stones_stand_where_the_options_say() {
        let options = SelfPlayOptions { spread: 4, reach: 2, ..options(15) };
        let center = options.size.center();
        let mut rng = SplitMix64::new(1);
        let (mut counts, mut distances) = ([0; 13], [0; 5]);
        for _ in 0..4000 {
            let stones = draw(&options, &mut rng);
            counts[stones.len()] += 1;
            distances[usize::from(stones[0].distance(center))] += 1;
            for (i, stone) in stones.iter().enumerate().skip(1) {
                assert!(options.size.contains(*stone));
                assert!(stones[..i].iter().any(|before| before.distance(*stone) <= 2));
                assert!(!stones[..i].contains(stone));
            }
        }
        // 364 and 800 are expected; these are five standard deviations.
        assert!(
            counts[..2] == [0, 0] && counts[2..].iter().all(|n| (273..455).contains(n)),
            "{counts:?}"
        );
        assert!(distances.iter().all(|n| (675..925).contains(n)), "{distances:?}");
    }

    #[test]
    fn a_small_board_has_room_for_its_stones() {
        let stones = StoneCount { least: 12, most: 12 };
        let options = SelfPlayOptions { stones, reach: 1, spread: 2, ..options(5) };
        assert_eq!(options.check(), Ok(()));
        assert_eq!(draw(&options, &mut SplitMix64::new(0)).len(), 12);
    }

    #[test]
    fn all_that_names_a_game_changes_its_random_numbers() {
        let usual = options(15);
        let other = [
            SelfPlayOptions { seed: 1, ..usual },
            SelfPlayOptions { rule: Rule::Renju, ..usual },
            SelfPlayOptions { size: Size::new(15, 16).unwrap(), ..usual },
            SelfPlayOptions { size: Size::new(16, 15).unwrap(), ..usual },
        ];
        let mut streams: Vec<SplitMix64> = other.iter().map(|o| stream(o, 0, 0)).collect();
        streams.extend([stream(&usual, 0, 0), stream(&usual, 1, 0), stream(&usual, 0, 1)]);
        let firsts: HashSet<u64> = streams.iter_mut().map(SplitMix64::next_u64).collect();
        assert_eq!(firsts.len(), streams.len());
    }

    #[test]
    fn openings_of_all_rules_are_legal() {
        for rule in Rule::ALL {
            let options = SelfPlayOptions { rule, ..options(15) };
            for index in 0..200 {
                let stones = random_stones(&options, &mut stream(&options, index, 0)).unwrap();
                assert_eq!(check_opening(rule, options.size, &stones), Ok(()));
            }
        }
    }
}
