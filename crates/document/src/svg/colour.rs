//! Colours: those of both themes, and ramps for grids.
//!
//! Categories are those of Okabe and Ito (2008), darker on light ground and lighter on dark ground, so that thin lines are
//! seen as well; ramps are paths through OKLab (Ottosson 2020) whose lightness rises evenly, so that they can be read
//! without seeing hue.

use std::fmt::Write as _;

/// How many colours of categories there are; then they begin again.
pub(crate) const CATEGORIES: usize = 8;

/// The steps of a ramp.
pub(crate) const STEPS: usize = 24;

/// Names, and their colours on light and on dark ground.
const THEME: [(&str, &str, &str); 21] = [
    ("bg", "#ffffff", "#15181c"),
    ("card", "#f5f6f8", "#1e2227"),
    ("ink", "#1c2024", "#eceef0"),
    ("dim", "#59616b", "#a6aeb8"),
    ("grid", "#e4e7eb", "#2b3138"),
    ("axis", "#868e98", "#747d88"),
    ("link", "#00599b", "#74bdf5"),
    ("wish", "#d3ebe1", "#173b2f"),
    ("note", "#fff3d1", "#3a3013"),
    ("c0", "#0072b2", "#4fa9e2"),
    ("c1", "#d55e00", "#f28b3d"),
    ("c2", "#00855d", "#35c295"),
    ("c3", "#b0528a", "#e39dc6"),
    ("c4", "#ac7a00", "#f0b832"),
    ("c5", "#3391c7", "#a3d5f3"),
    ("c6", "#6b7078", "#b4bac2"),
    ("c7", "#7c7400", "#efe65a"),
    ("best", "#00855d", "#35c295"),
    ("possible", "#0072b2", "#4fa9e2"),
    ("bad", "#c23b00", "#f5774a"),
    ("shade", "#1c20241f", "#eceef02e"),
];

/// Every name with its colours, light and dark; `on0` and so on are what can be read on `c0`.
fn entries() -> impl Iterator<Item = (String, [String; 2])> {
    let fixed =
        THEME.iter().map(|(name, light, dark)| ((*name).to_owned(), [*light, *dark].map(str::to_owned)));
    let on =
        THEME.iter().filter(|entry| entry.0.strip_prefix('c').is_some_and(|at| at.parse::<usize>().is_ok()));
    let on = on.map(|(name, light, dark)| {
        (name.replace('c', "on"), [*light, *dark].map(|colour| ink(parsed(colour)).to_owned()))
    });
    fixed.chain(on)
}

/// The themes as custom properties: light, and dark where the reader prefers it on a screen.
pub(crate) fn properties() -> String {
    let list = |theme: usize| {
        entries().fold(String::new(), |mut out, (name, colours)| {
            let _ = write!(out, "--{name}:{};", colours[theme]);
            out
        })
    };
    format!(
        ":root{{color-scheme:light dark;{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
        list(0),
        list(1)
    )
}

/// A style sheet with every custom property replaced by its colour: once for light ground, then again for dark. Programs
/// other than browsers that draw SVG know no custom properties.
pub(crate) fn literal(css: &str) -> String {
    let replaced = |theme: usize| {
        entries().fold(css.to_owned(), |css, (name, colours)| {
            css.replace(&format!("var(--{name})"), &colours[theme])
        })
    };
    format!("{}@media(prefers-color-scheme:dark){{\n{}}}\n", replaced(0), replaced(1))
}

/// The parts of a colour as the theme writes it.
fn parsed(hex: &str) -> [u8; 3] {
    [1, 3, 5].map(|at| hex.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok()).unwrap_or(0))
}

/// The colour of a step of a ramp, from 0 to `STEPS - 1`: from dark blue over green to yellow, or, with two ends, from blue
/// over a light grey to orange.
pub(crate) fn ramp(step: usize, has_two_ends: bool) -> [u8; 3] {
    let share = step as f64 / (STEPS - 1) as f64;
    if has_two_ends {
        // Lightness falls evenly from the middle to both ends.
        let far = (2.0 * share - 1.0).abs();
        let [a, b] = if share < 0.5 { [-0.045, -0.125] } else { [0.075, 0.115] };
        oklab(0.95 - 0.44 * far, a * far, b * far)
    } else {
        let curve = |from: f64, middle: f64, to: f64| {
            let (s, t) = (1.0 - share, share);
            s * s * from + 2.0 * s * t * (2.0 * middle - 0.5 * (from + to)) + t * t * to
        };
        oklab(0.30 + 0.63 * share, curve(0.01, -0.095, -0.035), curve(-0.115, -0.005, 0.165))
    }
}

/// Black or white, whichever is read better on this.
pub(crate) fn ink([r, g, b]: [u8; 3]) -> &'static str {
    let light = luminance([r, g, b]);
    if (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) { "#000" } else { "#fff" }
}

/// As a style sheet writes it.
pub(crate) fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// From OKLab to sRGB; what a screen cannot show is moved to what it can.
fn oklab(lightness: f64, a: f64, b: f64) -> [u8; 3] {
    let cube = |value: f64| value * value * value;
    let l = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let m = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let s = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
    let gamma = |value: f64| {
        let value = value.clamp(0.0, 1.0);
        let value = if value <= 0.003_130_8 { 12.92 * value } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
        u8::try_from(super::number::whole((255.0 * value).round())).unwrap_or(u8::MAX)
    };
    [
        gamma(4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
        gamma(-1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
        gamma(-0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s),
    ]
}

/// The relative luminance of WCAG 2.
fn luminance(colour: [u8; 3]) -> f64 {
    let [r, g, b] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(a: &str, b: &str) -> f64 {
        let [a, b] = [a, b].map(|hex| luminance(parsed(hex)) + 0.05);
        a.max(b) / a.min(b)
    }

    fn of(name: &str) -> (&'static str, &'static str) {
        let entry = THEME.iter().find(|entry| entry.0 == name).unwrap();
        (entry.1, entry.2)
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        // The two that every page on contrast names.
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#767676", "#ffffff") - 4.54).abs() < 0.01);
    }

    #[test]
    fn texts_can_be_read_on_every_ground() {
        for text in ["ink", "dim", "link"] {
            for ground in ["bg", "card"] {
                assert!(contrast(of(text).0, of(ground).0) >= 4.5, "{text} on light {ground}");
                assert!(contrast(of(text).1, of(ground).1) >= 4.5, "{text} on dark {ground}");
            }
        }
        for ground in ["note", "wish"] {
            assert!(contrast(of("ink").0, of(ground).0) >= 7.0 && contrast(of("ink").1, of(ground).1) >= 7.0);
        }
    }

    #[test]
    fn lines_are_seen_on_both_grounds() {
        for name in ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "best", "possible", "bad", "axis"] {
            let (light, dark) = of(name);
            assert!(contrast(light, of("bg").0) >= 3.0, "{name}: {}", contrast(light, of("bg").0));
            assert!(contrast(dark, of("bg").1) >= 3.0, "{name}: {}", contrast(dark, of("bg").1));
        }
    }

    #[test]
    fn ramps_can_be_read_without_hue() {
        let light = |step, has_two_ends| luminance(ramp(step, has_two_ends)).cbrt();
        for step in 1..STEPS {
            let rise = light(step, false) - light(step - 1, false);
            assert!(rise > 0.010 && rise < 0.045, "step {step}: {rise}");
        }
        for step in 1..STEPS / 2 {
            assert!(light(step, true) > light(step - 1, true));
            assert!(light(STEPS - 1 - step, true) > light(STEPS - step, true));
        }
    }

    #[test]
    fn numbers_can_be_read_on_every_step() {
        for step in 0..STEPS {
            for has_two_ends in [false, true] {
                let ground = ramp(step, has_two_ends);
                let text = if ink(ground) == "#000" { "#000000" } else { "#ffffff" };
                assert!(contrast(text, &hex(ground)) >= 4.5, "{step}");
            }
        }
    }

    #[test]
    fn numbers_can_be_read_on_every_category() {
        let all: Vec<_> = entries().collect();
        for category in 0..CATEGORIES {
            let colours = |name: &str| {
                all.iter().find(|entry| entry.0 == format!("{name}{category}")).unwrap().1.clone()
            };
            for (ground, text) in colours("c").iter().zip(colours("on")) {
                let text = if text == "#000" { "#000000" } else { "#ffffff" };
                assert!(contrast(ground, text) >= 4.5, "{text} on {ground}");
            }
        }
    }

    #[test]
    fn known_colours_of_oklab() {
        assert_eq!(oklab(1.0, 0.0, 0.0), [255, 255, 255]);
        // From the table in Ottosson's article: sRGB red, rounded there to three digits.
        let [r, g, b] = oklab(0.627_955, 0.224_863, 0.125_846);
        assert!(r == 255 && g <= 1 && b <= 1, "{r} {g} {b}");
    }

    #[test]
    fn no_property_is_left_in_a_literal_style() {
        assert!(!literal(include_str!("chart.css")).contains("var("));
    }
}
