//! Grids: the product of what varies.

/// Whose value varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A parameter of policies.
    Parameter,
    /// An option of the rules, or the rules as a whole.
    Rule,
}

/// One thing that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its name in reports, as typed: `k`, `2.k`, `points.solid`.
    pub name: String,
    /// Its values, as they would be typed.
    pub levels: Vec<String>,
    /// Whose it is.
    pub kind: Kind,
}

/// The product of axes, the last of which moves fastest. Without axes it has one point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// What varies.
    pub axes: Vec<Axis>,
}

impl Grid {
    /// How many points there are.
    pub fn points(&self) -> usize {
        self.axes.iter().map(|axis| axis.levels.len()).product()
    }

    /// The level of every axis at a point.
    pub fn levels(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut levels: Vec<_> = self
            .axes
            .iter()
            .rev()
            .map(|axis| {
                let level = rest % axis.levels.len();
                rest /= axis.levels.len();
                level
            })
            .collect();
        levels.reverse();
        levels
    }

    /// The values of the axes at a point.
    pub fn values(&self, point: usize) -> Vec<&str> {
        let levels = self.levels(point);
        self.axes.iter().zip(levels).map(|(axis, level)| axis.levels[level].as_str()).collect()
    }

    /// A point in words: `k=3, copies=2`.
    pub fn label(&self, point: usize) -> String {
        self.words(point, |_| true)
    }

    /// What a point has on the axes of this kind, in words.
    pub fn label_of(&self, point: usize, kind: Kind) -> String {
        self.words(point, |axis| axis.kind == kind)
    }

    /// Whether anything of this kind has several values.
    pub fn varies(&self, kind: Kind) -> bool {
        self.axes.iter().any(|axis| axis.kind == kind && axis.levels.len() > 1)
    }

    fn words(&self, point: usize, is_told: impl Fn(&Axis) -> bool) -> String {
        let values = self.axes.iter().zip(self.values(point)).filter(|(axis, _)| is_told(axis));
        values.map(|(axis, value)| format!("{}={value}", axis.name)).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_axis_moves_fastest() {
        let axis = |name: &str, levels: [&str; 2], kind| Axis {
            name: name.into(),
            levels: levels.map(str::to_owned).to_vec(),
            kind,
        };
        let (k, limit) =
            (axis("k", ["1", "2"], Kind::Parameter), axis("limit", ["0", "0.5"], Kind::Parameter));
        let grid = Grid { axes: vec![k, limit, axis("copies", ["1", "2"], Kind::Rule)] };
        assert_eq!(grid.points(), 8);
        let labels: Vec<_> = (0..3).map(|point| grid.label(point)).collect();
        assert_eq!(labels, ["k=1, limit=0, copies=1", "k=1, limit=0, copies=2", "k=1, limit=0.5, copies=1"]);
        assert_eq!(grid.levels(7), [1, 1, 1]);
        assert_eq!(grid.label_of(1, Kind::Parameter), "k=1, limit=0");
        assert_eq!(grid.label_of(1, Kind::Rule), "copies=2");
        assert_eq!(Grid { axes: Vec::new() }.points(), 1);
    }
}
