// Shapes of Rust code, to be sampled: trait objects, closures in iterators, recursion, formatting, unwinding.
use std::collections::BTreeMap;
use std::hint::black_box;

trait Shape {
    fn area(&self, depth: u64) -> u64;
}

struct Square;
struct Nested(Box<dyn Shape>);

impl Shape for Square {
    fn area(&self, depth: u64) -> u64 {
        depth * 3
    }
}

impl Shape for Nested {
    fn area(&self, depth: u64) -> u64 {
        self.0.area(black_box(depth) + 1) + depth
    }
}

fn make(levels: u32) -> Box<dyn Shape> {
    if levels == 0 {
        Box::new(Square)
    } else {
        Box::new(Nested(make(levels - 1)))
    }
}

#[inline(never)]
fn panics_at(depth: u32) -> u32 {
    let held = black_box(vec![depth; 4]);
    if depth == 0 {
        std::panic::panic_any(7u32);
    }
    panics_at(depth - 1) + held[0]
}

fn words(round: u64) -> usize {
    let mut texts: Vec<String> = (0..200u64)
        .map(|i| format!("{:x}", i.wrapping_mul(6364136223846793005).wrapping_add(round)))
        .collect();
    texts.sort_by(|a, b| b.cmp(a));
    let by_text: BTreeMap<&str, usize> = texts.iter().map(|t| (t.as_str(), t.len())).collect();
    by_text.values().sum()
}

fn main() {
    let shapes = make(8);
    std::panic::set_hook(Box::new(|_| {}));
    for round in 0..100_000_000u64 {
        for _ in 0..1000 {
            black_box(shapes.area(round));
        }
        black_box(words(round));
        let caught = std::panic::catch_unwind(|| panics_at(5));
        black_box(caught.is_err());
    }
}
