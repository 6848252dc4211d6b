// Settings of the C library's allocator (glibc) with which a service starts. Without them it gives each thread an arena that
// keeps what was freed in it, large buffers too. With them a buffer of 32 KB or more is a mapping of its own, which goes back
// to the system, up to half as many as Linux allows a process. They must be in the environment before the process begins.
const { env, platform, execPath, execArgv } = process

export const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_MMAP_MAX_: '32768'
}

/**
 * Flags of Node with which a service starts. The serving thread has 8 MB for each half of its short-lived objects, as much
 * as a worker with the default of `--memory`. V8's own 16 took 15 MB more, and no less processor time.
 */
export const serviceFlags = ['--max-semi-space-size=8', '--enable-source-maps']

/**
 * Begins this process anew, in place, with the settings of the allocator and further flags of Node, unless it has the
 * settings. Returns where that cannot be done: on other systems, before Node 22.15, and in a process whose parent sends it
 * messages, because those would be lost.
 */
export function beginWithAllocator(program, args, flags = []) {
  if (platform !== 'linux' || process.execve === undefined || env.MALLOC_ARENA_MAX !== undefined) return
  if (process.connected) return
  process.execve(execPath, [execPath, ...execArgv, ...flags, program, ...args], { ...allocatorSettings, ...env })
}
