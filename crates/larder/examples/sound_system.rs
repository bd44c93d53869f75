//! A sound system of three tables: resources, the sounds that play them, the fades of those sounds.
//! Each refers to the one before it by handle: any of them may lose objects without being asked.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use larder::{Arena, DenseArena, Handle};

struct Resource(u64); // how many samples it has
struct Fade(Handle<Sound>, u64); // fades the sound out over so many samples

#[derive(Debug)]
struct Sound {
    resource: Handle<Resource>,
    played: u64,
    volume: f32,
}

#[derive(Default)]
struct SoundSystem {
    resources: Arena<Resource>,
    sounds: Arena<Sound>,
    fades: DenseArena<Fade>, // walked in every step and never looked up: packed
}

impl SoundSystem {
    /// Plays on for so many samples; tells how many sounds and fades are left.
    fn step(&mut self, samples: u64) -> (usize, usize) {
        // A sound ends with its last sample, or when its resource was unloaded.
        self.sounds.retain(|_, sound| {
            sound.played += samples;
            let resource = self.resources.get(sound.resource);
            resource.is_some_and(|&Resource(end)| sound.played < end)
        });
        // A fade ends with its sound, or when it has faded.
        self.fades.retain(|_, &mut Fade(sound, length)| {
            self.sounds.get_mut(sound).is_some_and(|sound| {
                sound.volume = 1.0 - sound.played.min(length) as f32 / length as f32;
                sound.volume > 0.0
            })
        });
        println!("{:?}", self.sounds);
        (self.sounds.len(), self.fades.len())
    }
}

fn main() {
    let mut system = SoundSystem::default();
    let [wind, steps] = [96_000, 4_800].map(|length| system.resources.insert(Resource(length)));
    for (resource, length) in [(wind, 9_600), (steps, 9_600), (wind, 1_920)] {
        let sound = system.sounds.insert(Sound { resource, played: 0, volume: 1.0 });
        system.fades.insert(Fade(sound, length));
    }
    let lengths = [960; 5].map(|samples| system.step(samples));
    assert_eq!(lengths, [(3, 3), (3, 2), (3, 2), (3, 2), (2, 1)]);
    system.resources.remove(wind); // the sounds and fades that need it notice by themselves
    assert_eq!(system.step(960), (0, 0));
}
