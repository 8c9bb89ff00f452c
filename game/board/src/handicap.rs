//! Where handicap stones stand (GTP 2, section 4.1.1).

use crate::point::Point;

/// Star points in GTP's order of handicap: corners by opposites, then sides, then the centre.
struct Stars {
    corners: [Point; 4],
    /// Left, right, bottom, top; only odd sizes from nine have them.
    sides: Option<[Point; 4]>,
    centre: Option<Point>,
}

fn stars(size: usize) -> Option<Stars> {
    if size < 7 {
        return None;
    }
    let near = if size < 13 { 2 } else { 3 };
    let (far, middle) = (size - 1 - near, size / 2);
    let p = Point::new;
    let odd = size % 2 == 1 && size >= 9;
    Some(Stars {
        corners: [p(near, far), p(far, near), p(near, near), p(far, far)],
        sides: odd.then(|| [p(near, middle), p(far, middle), p(middle, far), p(middle, near)]),
        centre: odd.then(|| p(middle, middle)),
    })
}

/// The star points a board of this size is drawn with.
pub fn star_points(size: usize) -> Vec<Point> {
    let Some(stars) = stars(size) else { return Vec::new() };
    let sides = stars.sides.filter(|_| size >= 15);
    stars.corners.into_iter().chain(sides.into_iter().flatten()).chain(stars.centre).collect()
}

/// The largest fixed handicap on a board of this size; 0 if there is none.
pub fn max_fixed_handicap(size: usize) -> usize {
    match stars(size) {
        None => 0,
        Some(stars) if stars.sides.is_none() => 4,
        Some(_) => 9,
    }
}

/// The points of a fixed handicap, or none if this size has no such handicap.
pub fn fixed_handicap(size: usize, stones: usize) -> Option<Vec<Point>> {
    if !(2..=max_fixed_handicap(size)).contains(&stones) {
        return None;
    }
    let Stars { corners, sides, centre } = stars(size)?;
    let mut points: Vec<Point> = corners.into_iter().take(stones).collect();
    if let (Some(sides), Some(centre)) = (sides, centre) {
        points.extend(sides.into_iter().take(stones.saturating_sub(4) / 2 * 2));
        if stones >= 5 && stones % 2 == 1 {
            points.push(centre);
        }
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertices(size: usize, stones: usize) -> String {
        let points = fixed_handicap(size, stones).unwrap();
        points.iter().map(|p| p.vertex(size)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn fixed_handicap_follows_gtp() {
        assert_eq!(vertices(19, 2), "D4 Q16");
        assert_eq!(vertices(19, 5), "D4 Q16 D16 Q4 K10");
        assert_eq!(vertices(19, 6), "D4 Q16 D16 Q4 D10 Q10");
        assert_eq!(vertices(19, 9), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(vertices(9, 3), "C3 G7 C7");
        assert_eq!(vertices(8, 4), "C3 F6 C6 F3");
    }

    #[test]
    fn impossible_handicaps_are_refused() {
        for (size, stones) in [(19, 1), (19, 10), (6, 2), (7, 5), (10, 5), (5, 0)] {
            assert_eq!(fixed_handicap(size, stones), None, "{stones} on {size}");
        }
    }
}
