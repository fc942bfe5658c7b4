//! Colour refinement against refinement by rounds over exact multisets.

use super::*;

fn cycle(vertices: u32) -> LabelledGraph {
    let mut graph = LabelledGraph::default();
    for _ in 0..vertices {
        graph.vertex(0);
    }
    for vertex in 0..vertices {
        graph.edge(vertex, (vertex + 1) % vertices, 0);
    }
    graph
}

#[test]
fn a_cycle_is_one_class_and_a_marked_one_all_distances() {
    assert_eq!(cycle(12).refine().count, 1);
    let mut marked = cycle(12);
    marked.colours[3] = 1;
    // The directed distances 0 … 11 from the marked vertex all differ.
    assert_eq!(marked.refine().count, 12);
}

#[test]
fn labels_and_multiplicities_count() {
    let mut graph = LabelledGraph::default();
    let hub = graph.vertex(1);
    let leaves: Vec<u32> = (0..4).map(|_| graph.vertex(0)).collect();
    for (index, &leaf) in leaves.iter().enumerate() {
        graph.edge(hub, leaf, (index / 2) as u32);
    }
    graph.edge(hub, leaves[0], 0);
    let classes = graph.refine();
    // The hub, the leaf with two edges, its twin with one, and the two of the other label.
    assert_eq!(classes.count, 4);
    assert_eq!(classes.of[leaves[2] as usize], classes.of[leaves[3] as usize]);
}

#[test]
fn many_sums_in_one_cell_are_told_apart() {
    let mut graph = LabelledGraph::default();
    for rays in 1..=20 {
        let hub = graph.vertex(0);
        for _ in 0..rays {
            let ray = graph.vertex(0);
            graph.edge(hub, ray, 0);
        }
    }
    // Each star has its hub and its rays to itself; hub and rays differ by the end that they see.
    assert_eq!(graph.refine().count, 2 * 20);
}

/// Refines by rounds over exact multisets until nothing changes.
fn naive(graph: &LabelledGraph) -> Vec<usize> {
    let number = |keys: Vec<(usize, Vec<(u64, usize)>)>| {
        let mut sorted = keys.clone();
        sorted.sort();
        sorted.dedup();
        keys.iter().map(|key| sorted.binary_search(key).unwrap()).collect::<Vec<_>>()
    };
    let start = graph.colours.iter().map(|&colour| (colour as usize, Vec::new()));
    let mut colours = number(start.collect());
    loop {
        let mut keys: Vec<(usize, Vec<(u64, usize)>)> =
            colours.iter().map(|&colour| (colour, Vec::new())).collect();
        for &(left, right, label) in &graph.edges {
            let label = 2 * u64::from(label);
            keys[right as usize].1.push((label, colours[left as usize]));
            keys[left as usize].1.push((label + 1, colours[right as usize]));
        }
        for key in &mut keys {
            key.1.sort_unstable();
        }
        let next = number(keys);
        if next.iter().max() == colours.iter().max() {
            return next;
        }
        colours = next;
    }
}

proptest::proptest! {
    #[test]
    fn equals_refinement_by_rounds(
        colours in proptest::collection::vec(0_u64..3, 1..24),
        edges in proptest::collection::vec((0_usize..24, 0_usize..24, 0_u32..3), 0..60),
    ) {
        let mut graph = LabelledGraph::default();
        for &colour in &colours {
            graph.vertex(colour);
        }
        for &(left, right, label) in &edges {
            let (left, right) = (left % colours.len(), right % colours.len());
            graph.edge(left as u32, right as u32, label);
        }
        let classes = graph.refine();
        let expected = naive(&graph);
        for left in 0..colours.len() {
            for right in 0..colours.len() {
                proptest::prop_assert_eq!(
                    classes.of[left] == classes.of[right],
                    expected[left] == expected[right]
                );
            }
        }
    }
}
