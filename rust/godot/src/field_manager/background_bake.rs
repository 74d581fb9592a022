//! The bake that runs on background threads, if any: of floors or of tiles.

use super::FlowFieldManager;
use super::new_file::{NewFile, put_in_place};
use super::storeys::Origin;
use crate::report::{refuse, refuse_with_code};
use flow_swarm::error::Result;
use flow_swarm::import::storeys::{Bake, Storeys};
use flow_swarm::workers::Workers;
use flow_swarm::world::TileBake;
use godot::global::Error;
use godot::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A bake whose parts any threads may do, in any order.
trait Parts: Send + Sync + 'static {
    type Found: Send;

    fn count(&self) -> usize;
    /// Returns true for the call that completes the last part.
    fn run(&self, part: usize) -> bool;
    /// The result, once all parts are done.
    fn finish(&self) -> Self::Found;
    /// Parts that are not done yet are skipped from now on.
    fn cancel(&self);
}

impl Parts for Bake {
    type Found = Result<Option<Storeys>>;

    fn count(&self) -> usize {
        self.band_count()
    }

    fn run(&self, part: usize) -> bool {
        self.rasterise(part)
    }

    fn finish(&self) -> Self::Found {
        self.finish(&Workers::serial())
    }

    fn cancel(&self) {
        self.cancel();
    }
}

/// A bake of tiles and the path of their file.
struct BakedFile {
    tiles: TileBake,
    path: String,
}

impl Parts for BakedFile {
    /// The file, which has to be put in place, or why it could not be written.
    type Found = Option<std::result::Result<NewFile, Error>>;

    fn count(&self) -> usize {
        self.tiles.part_count()
    }

    fn run(&self, part: usize) -> bool {
        self.tiles.make(part)
    }

    fn finish(&self) -> Self::Found {
        let bytes = self.tiles.finish(&Workers::serial())?;
        Some(NewFile::write(&self.path, bytes))
    }

    fn cancel(&self) {
        self.tiles.cancel();
    }
}

/// A bake on the workers.
struct Job<B: Parts> {
    bake: Arc<B>,
    result: Arc<Mutex<Option<B::Found>>>,
}

impl<B: Parts> Job<B> {
    /// Has the workers do each part. The one that does the last also finishes the bake.
    fn start(bake: B, workers: &Workers) -> Self {
        let (bake, result) = (Arc::new(bake), Arc::new(Mutex::new(None)));
        for part in 0..bake.count() {
            let (bake, result) = (Arc::clone(&bake), Arc::clone(&result));
            workers.spawn(move || {
                if bake.run(part) {
                    let found = bake.finish();
                    *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
                }
            });
        }
        Self { bake, result }
    }

    fn take_result(&self) -> Option<B::Found> {
        self.result
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl<B: Parts> Drop for Job<B> {
    fn drop(&mut self) {
        self.bake.cancel();
    }
}

/// What is baked, and what its result is for.
enum Running {
    Storeys(Job<Bake>, Origin),
    Tiles(Job<BakedFile>),
}

/// The bake that runs.
#[derive(Default)]
pub(super) struct BackgroundBake {
    running: Option<Running>,
    /// The progress at the last signal.
    told: f32,
}

impl BackgroundBake {
    fn of(running: Running) -> Self {
        Self {
            running: Some(running),
            told: 0.0,
        }
    }

    /// Starts a bake of floors.
    pub(super) fn of_storeys(bake: Bake, origin: Origin, workers: &Workers) -> Self {
        Self::of(Running::Storeys(Job::start(bake, workers), origin))
    }

    /// Starts a bake of tiles, for a file.
    pub(super) fn of_tiles(tiles: TileBake, path: String, workers: &Workers) -> Self {
        let bake = BakedFile { tiles, path };
        Self::of(Running::Tiles(Job::start(bake, workers)))
    }

    /// Reports a bake that is running; returns whether none is.
    pub(super) fn may_start(&self, method: &str) -> bool {
        if self.running.is_some() {
            let reason = "a bake is running: wait for bake_finished, or call cancel_bake()";
            refuse(method, reason);
        }
        self.running.is_none()
    }

    fn progress(&self) -> Option<f32> {
        Some(match self.running.as_ref()? {
            Running::Storeys(job, _) => job.bake.progress(),
            Running::Tiles(job) => job.bake.tiles.progress(),
        })
    }

    /// The progress, if it has changed since the last call.
    pub(super) fn news(&mut self) -> Option<f32> {
        let progress = self.progress()?;
        let is_new = progress > self.told;
        self.told = progress;
        is_new.then_some(progress)
    }
}

#[godot_api(secondary)]
impl FlowFieldManager {
    /// Returns the share of a bake that bake_terrain_3d_async() or bake_tiles_async() has started and that is done, from 0 to 1; 1 if no bake is running.
    #[func]
    fn get_bake_progress(&self) -> f64 {
        self.background_bake.progress().map_or(1.0, f64::from)
    }

    /// Stops the bake that bake_terrain_3d_async() or bake_tiles_async() has started, if any. Nothing is changed, no file is written, and bake_finished is not emitted.
    #[func]
    fn cancel_bake(&mut self) {
        self.background_bake.running = None;
    }
}

impl FlowFieldManager {
    /// Puts the result of a background bake to use. Returns its error code once it is finished.
    pub(super) fn finish_bake(&mut self) -> Option<Error> {
        const STOREYS: &str = "FlowFieldManager.bake_terrain_3d_async";
        const TILES: &str = "FlowFieldManager.bake_tiles_async";
        let running = &mut self.background_bake.running;
        match running.as_ref()? {
            Running::Storeys(job, origin) => {
                let (found, origin) = (job.take_result()?, origin.clone());
                *running = None;
                match found {
                    Ok(storeys) => Some(self.lay_storeys(STOREYS, storeys?, origin)),
                    Err(error) => Some(refuse_with_code(STOREYS, &error)),
                }
            }
            Running::Tiles(job) => {
                let (found, path) = (job.take_result()?, GString::from(&job.bake.path));
                *running = None;
                Some(put_in_place(TILES, &path, found?))
            }
        }
    }
}
