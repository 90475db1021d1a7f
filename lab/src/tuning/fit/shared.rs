//! Table entries that share parameters, so that what is rare borrows from what is frequent.
//!
//! Every entry of a table is its hand-tuned value plus a few parameters: of the shapes of its
//! lines, of its class, and one of its own. Each parameter is measured in what is thought a usual
//! deviation from that value, so that one penalty, half the square of each, fits all: a regression
//! with it is the most likely set of tables if the deviations are normal and of that size. An entry
//! that no sample shows follows its lines and its class.

use tengen_core::patterns::class::PointClass;
use tengen_core::patterns::{Family, PatternSet, Shape};

/// The usual deviations of the parameters of a table from the hand-tuned values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// Of what each shape of a line adds, or each of the two strongest classes.
    pub line: f64,
    /// Of the class part; unused for the tempo.
    pub class: f64,
    /// Of what is left to each entry by itself.
    pub own: f64,
}

/// Tables as sums of parameters on top of hand-tuned values.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedTables {
    /// Where the terms of each entry end.
    ends: Vec<usize>,
    /// The parameters of the entries, each with the size of its unit.
    terms: Vec<(usize, f64)>,
    parameters: usize,
}

impl SharedTables {
    /// Returns the number of parameters.
    pub(super) fn parameters(&self) -> usize {
        self.parameters
    }

    /// Appends a table with an entry for each pattern set.
    pub(super) fn add_pattern_sets(&mut self, family: Family, spread: Spread) {
        let lines = self.parameters;
        let classes = lines + Shape::COUNT;
        let own = classes + PointClass::COUNT;
        self.parameters = own + PatternSet::COUNT;
        for set in PatternSet::all() {
            let shapes = set.shapes();
            let class = PointClass::combine(family, shapes);
            // A forbidden move is forbidden whatever its lines promise.
            if class != PointClass::Forbidden {
                self.terms.extend(shapes.map(|shape| (lines + shape as usize, spread.line)));
            }
            self.terms.push((classes + class.index(), spread.class));
            self.terms.push((own + set.index(), spread.own));
            self.ends.push(self.terms.len());
        }
    }

    /// Appends a table with an entry for each pair of classes.
    pub(super) fn add_pairs(&mut self, spread: Spread) {
        let first = self.parameters;
        let second = first + PointClass::COUNT;
        let own = second + PointClass::COUNT;
        self.parameters = own + PointClass::COUNT * PointClass::COUNT;
        for a in PointClass::ALL {
            for b in PointClass::ALL {
                let pair = a.index() * PointClass::COUNT + b.index();
                self.terms.push((first + a.index(), spread.line));
                self.terms.push((second + b.index(), spread.line));
                self.terms.push((own + pair, spread.own));
                self.ends.push(self.terms.len());
            }
        }
    }

    fn entries(&self) -> impl Iterator<Item = &[(usize, f64)]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let terms = &self.terms[start..end];
            start = end;
            terms
        })
    }

    /// Returns the tables for parameters; all 0 give the hand-tuned tables.
    pub(super) fn tables(&self, prior: &[f64], parameters: &[f64]) -> Vec<f64> {
        let entry = |(&prior, terms): (&f64, &[(usize, f64)])| {
            terms.iter().fold(prior, |sum, &(p, unit)| sum + unit * parameters[p])
        };
        prior.iter().zip(self.entries()).map(entry).collect()
    }

    /// Returns the gradient with respect to the parameters for one with respect to the tables.
    pub(super) fn gradient(&self, tables: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.parameters];
        for (value, terms) in tables.iter().zip(self.entries()) {
            for &(parameter, unit) in terms {
                gradient[parameter] += unit * value;
            }
        }
        gradient
    }
}
