//! What a program may use that plays for somebody else. It binds itself before it does anything: it takes no more memory and
//! time than it was lent, writes no file, and does not outlive the worker that started it.

/// Beside the tree and the cache: the program, its net, boards and buffers of its threads.
#[cfg(unix)]
const OTHER_MEGABYTES: u64 = 1536;
/// Processor time for one player of one game, all threads together: more than any game of a match takes.
#[cfg(unix)]
const CPU_SECONDS: u64 = 24 * 3600;

#[cfg(unix)]
pub fn bind(megabytes: u32) -> anyhow::Result<()> {
    use anyhow::Context;
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bytes = (u64::from(megabytes) + OTHER_MEGABYTES) << 20;
    for (resource, most) in
        [(Resource::Data, bytes), (Resource::Cpu, CPU_SECONDS), (Resource::Fsize, 0), (Resource::Core, 0)]
    {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })
            .context("the player cannot be bound")?;
    }
    // Elsewhere it sees the end of its input, and leaves as well.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .context("the player cannot be bound")?;
    Ok(())
}

/// Systems without such limits have those of the settings alone.
#[cfg(not(unix))]
pub fn bind(_: u32) -> anyhow::Result<()> {
    Ok(())
}
