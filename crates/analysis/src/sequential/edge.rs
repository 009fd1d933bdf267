//! Where a function of one number changes its sign.

/// The least step, as a part of the number: no more than eight neighbours.
const LEAST: f64 = 8.0 * f64::EPSILON;

/// The number between `inside` and `outside` at which `excess` stops being negative: it is below 0 at `inside` and not
/// below 0 at `outside`, where it is not looked at. The result is on the side of `outside`, and 16 neighbouring
/// floating-point numbers at most from where the sign changes.
///
/// The method is Chandrupatla's (Adv. Eng. Softw. 28, 1997, 145–149): inverse quadratic interpolation where that is safe,
/// else bisection, of the exponents where the two differ by magnitudes. The first look is at `guess`, if that lies
/// between the two. A function that is nearly linear takes about ten looks; bisection alone would take more than fifty.
pub(super) fn edge(inside: f64, outside: f64, guess: f64, excess: impl Fn(f64) -> f64) -> f64 {
    // The last look, and the other end of the bracket.
    let (mut near, mut far) = ((outside, f64::INFINITY), (inside, excess(inside)));
    let mut next = guess;
    // Enough to bisect all bits of a number as small as 10⁻³⁰ of the distance.
    for _ in 0..160 {
        // No look is nearer to an end than a few neighbours.
        let (low, high) = if near.0 < far.0 { (near.0, far.0) } else { (far.0, near.0) };
        let (first, last) = (low + LEAST * low.abs(), high - LEAST * high.abs());
        if first >= last {
            break;
        }
        let at = if next.is_nan() { halfway(low, high) } else { next.clamp(first, last) };
        let look = (at, excess(at));
        // The end that this look replaces, or, if it replaces the last look, that.
        let behind = if is_out(look) == is_out(near) { near } else { std::mem::replace(&mut far, near) };
        near = look;
        next = interpolated(near, far, behind);
    }
    if is_out(near) { near.0 } else { far.0 }
}

/// Where to bisect: in the middle, or, if one number is more than four times the other, at the geometric mean.
fn halfway(low: f64, high: f64) -> f64 {
    if low > 0.0 && low < 0.25 * high { low.sqrt() * high.sqrt() } else { f64::midpoint(low, high) }
}

fn is_out((_, excess): (f64, f64)) -> bool {
    excess >= 0.0
}

/// Where the inverse quadratic through three looks is 0; as long as nothing is known of `far`, a little beyond where the
/// line through the other two is; not a number where they are not such that it lies between `near` and `far`.
fn interpolated(near: (f64, f64), far: (f64, f64), behind: (f64, f64)) -> f64 {
    let ((x1, f1), (x2, f2), (x3, f3)) = (near, far, behind);
    if f2.is_infinite() && !f3.is_infinite() {
        let next = x1 - 1.1 * f1 * (x1 - x3) / (f1 - f3);
        return if (next < x2) == (x1 < x2) && (next > x1) == (x2 > x1) { next } else { f64::NAN };
    }
    let (xi, phi) = ((x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2));
    if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
        let part =
            f1 / (f2 - f1) * (f3 / (f2 - f3)) + (x3 - x1) / (x2 - x1) * (f1 / (f3 - f1)) * (f2 / (f3 - f2));
        x1 + part * (x2 - x1)
    } else {
        f64::NAN
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// By bisection alone.
    fn bisected(mut inside: f64, mut outside: f64, excess: impl Fn(f64) -> f64) -> f64 {
        for _ in 0..2000 {
            let middle = f64::midpoint(inside, outside);
            if middle == inside || middle == outside {
                break;
            }
            *(if excess(middle) >= 0.0 { &mut outside } else { &mut inside }) = middle;
        }
        outside
    }

    /// Steep, flat, infinite at an end, with steps, in both directions: where bisection ends, and outside.
    #[test]
    fn is_where_bisection_ends() {
        type Excess = fn(f64) -> f64;
        let functions: [(&str, f64, f64, Excess); 8] = [
            ("a line", 0.0, 3.0, |x| x - 0.7),
            ("downwards", 1.0, 0.0, |x| 0.3 - x),
            ("a logarithm", 1.0, 0.0, |x| -x.ln() - 25.0),
            ("a power", 0.0, 2.0, |x| x.powi(21) - 1e-9),
            ("an exponential", 0.0, 40.0, |x| (x - 3.0).exp() - 2.0),
            ("a step", -1.0, 1.0, |x| if x < 1.0 / 3.0 { -1.0 } else { 1e300 }),
            ("at the end", 0.0, 1.0, |x| x - 1.0),
            ("near the start", 0.0, 1.0, |x| x - 1e-25),
        ];
        for (name, inside, outside, excess) in functions {
            for guess in [f64::NAN, inside, outside, f64::midpoint(inside, outside), 0.31, 1e-12] {
                let (found, bisected) =
                    (edge(inside, outside, guess, excess), bisected(inside, outside, excess));
                let close = 32.0 * f64::EPSILON * bisected.abs();
                assert!((found - bisected).abs() <= close, "{name} from {guess}: {found} {bisected}");
                assert!(found == outside || excess(found) >= 0.0, "{name} from {guess}");
            }
        }
    }

    #[test]
    fn takes_few_looks_where_it_is_smooth() {
        for target in [0.1, 0.5, 0.93] {
            let looks = Cell::new(0);
            let found = edge(0.0, 1.0, target + 0.01, |x: f64| {
                looks.set(looks.get() + 1);
                x.sin() - f64::sin(target)
            });
            assert!((found - target).abs() < 1e-15 && looks.get() < 16, "{found} in {} looks", looks.get());
        }
    }
}
