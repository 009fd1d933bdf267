//! Grids: the product of what varies.

/// One thing that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Its name in reports, as typed: `k`, `2.k`, `points.solid`.
    pub name: String,
    /// Its values, as they would be typed.
    pub levels: Vec<String>,
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
        let value = |(axis, value): (&Axis, &str)| format!("{}={value}", axis.name);
        self.axes.iter().zip(self.values(point)).map(value).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_axis_moves_fastest() {
        let axis = |name: &str, levels: [&str; 2]| Axis {
            name: name.into(),
            levels: levels.map(str::to_owned).to_vec(),
        };
        let grid = Grid {
            axes: vec![axis("k", ["1", "2"]), axis("limit", ["0", "0.5"]), axis("copies", ["1", "2"])],
        };
        assert_eq!(grid.points(), 8);
        let labels: Vec<_> = (0..3).map(|point| grid.label(point)).collect();
        assert_eq!(labels, ["k=1, limit=0, copies=1", "k=1, limit=0, copies=2", "k=1, limit=0.5, copies=1"]);
        assert_eq!(grid.levels(7), [1, 1, 1]);
        assert_eq!(Grid { axes: Vec::new() }.points(), 1);
    }
}
