//! The threads of a pool run at the same time. On a platform without threads this fails, and the golden tests pass.

use flow_swarm::workers::Workers;
use std::sync::Barrier;

#[test]
fn the_threads_of_a_pool_wait_for_each_other() {
    let workers = Workers::new(3).expect("threads");
    assert_eq!(workers.threads(), 3);
    let all = Barrier::new(3);
    let leaders = workers.install(|| rayon::broadcast(|_| all.wait().is_leader()));
    assert_eq!(leaders.iter().filter(|&&leader| leader).count(), 1);
}
