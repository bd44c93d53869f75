use super::*;
use crate::trace::Event;
use results::check;

/// A recording in which objects of several sizes come and go, and places are used again: every
/// object lives for twice as long as its number modulo 7, in events.
fn synthetic() -> Trace {
    let mut events = Vec::new();
    let mut live: Vec<u32> = Vec::new();
    let (mut objects, mut peak_live) = (0, 0);
    for turn in 0..600_u32 {
        events.push(Event::Allocate { bytes: 1 << (turn % 11) });
        live.push(objects);
        objects += 1;
        peak_live = peak_live.max(live.len());
        if turn > 20 && turn % 7 != 0 {
            let object = live.remove((turn as usize * 31) % live.len());
            events.push(Event::Free { object });
        }
    }
    Trace {
        name: "synthetic".into(),
        about: String::new(),
        events,
        objects: objects as usize,
        peak_live,
    }
}

fn run_of(name: &str, plan: &Plan) -> Run {
    let subject = LINEUP.iter().find(|subject| subject.name == name);
    (subject.expect("it is in the line-up").replay)(plan)
}

#[test]
fn every_container_answers_as_the_recording_says() {
    let trace = synthetic();
    let plan = Plan::new(&trace, 50);
    assert!(plan.lookups.len() > 100 && plan.expected.found != 0);
    let runs: Vec<_> = LINEUP.iter().map(|subject| (subject.replay)(&plan)).collect();
    let pairs: Vec<_> = LINEUP.iter().zip(&runs).collect();
    check(&trace, &plan, &pairs).expect("all of them agree");
}

#[test]
fn slab_answers_stale_handles_and_larder_never_does() {
    let plan = Plan::new(&synthetic(), 50);
    let slab = run_of("slab", &plan);
    assert_eq!(slab.wrong_at_once, 0);
    assert!(slab.wrong_later > 0);
    for name in ["Arena", "DenseArena"] {
        let run = run_of(name, &plan);
        assert_eq!((run.wrong_at_once, run.wrong_later), (0, 0), "{name}");
    }
}

#[test]
fn a_container_that_loses_values_is_named() {
    let trace = synthetic();
    let plan = Plan::new(&trace, 50);
    let good = run_of("slab", &plan);
    let mut bad = run_of("SlotMap", &plan);
    bad.sums.found ^= 1;
    let subject = |name| LINEUP.iter().find(|subject| subject.name == name);
    let (slab, slot_map) = (subject("slab").unwrap(), subject("SlotMap").unwrap());
    let error = check(&trace, &plan, &[(slab, &good), (slot_map, &bad)])
        .expect_err("one of them is wrong")
        .to_string();
    assert!(error.contains("SlotMap: looked-up values sum to"), "{error}");
    assert!(!error.contains("slab:"), "{error}");
    assert!(error.contains("1 of 2 agree"), "{error}");
}

#[test]
fn rounds_end_when_the_time_is_up_but_never_before_the_third() {
    let late = Duration::from_secs(3600);
    let default = Rounds::asked_for(None);
    assert!(!default.are_enough(2, late) && default.are_enough(3, late));
    assert!(!default.are_enough(14, Duration::from_secs(1)));
    assert!(!Rounds::asked_for(Some(20)).are_enough(19, late));
}

#[test]
fn a_whole_job_measures_everything_and_can_be_shown() {
    let trace = Trace { name: "<synthetic>".into(), ..synthetic() };
    let results = measure(vec![trace], &Rounds::asked_for(Some(2))).expect("all of them agree");
    // The recording is shorter than a window: there are events, and neither walks nor look-ups.
    let [events, lookups, walks] = results[0].times();
    assert_eq!((results[0].rounds(), events.ns.len()), (2, LINEUP.len()));
    assert!(events.ns.iter().all(|ns| ns.median > 0.0));
    assert!(lookups.ns.is_empty() && walks.ns.is_empty());
    let table = report::tables(&results);
    assert!(table.contains("<synthetic>") && table.contains("Arena"));
    let page = report::page_of(&results);
    assert!(page.contains("&lt;synthetic&gt;") && !page.contains("<synthetic>"));
    assert!(!page.contains("NaN"));
}
